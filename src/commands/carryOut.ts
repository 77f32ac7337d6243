/** Verifies a quote, asks, signs, submits and follows: what `execute` and `venue deposit` have in common. */
import type { Context } from '../context.js';
import { BaseError } from '../core/Errors.js';
import * as Execution from '../core/Execution.js';
import * as GaslessExecution from '../core/GaslessExecution.js';
import type * as Intent from '../core/Intent.js';
import type * as Network from '../core/Network.js';
import * as Outcome from '../core/OutcomeDocument.js';
import * as Plan from '../core/Plan.js';
import * as Expectation from '../core/proof/Expectation.js';
import type { Finding } from '../core/proof/Finding.js';
import * as Quote from '../core/Quote.js';
import * as QuoteDocument from '../core/QuoteDocument.js';
import * as Setting from '../core/Setting.js';
import * as Solvency from '../core/Solvency.js';
import * as Verification from '../core/Verification.js';
import type { Event, Flags, Options } from './Command.js';
import { pinOnFirstSight } from './contracts/firstSight.js';
import { askQuote } from './intent.js';

/** How it is carried out. */
export const executionFlags = {
  dryRun: { type: 'boolean', description: 'show what would be signed and sent, and stop' },
  noWait: { type: 'boolean', description: 'end when the deposit is mined, do not follow the transfer' },
  timeout: { type: 'string', value: 'time', description: 'how long to follow it (default: 5m)' },
  validFor: { type: 'string', value: 'time', description: 'how long a signed batch may be used (default: 10m)' },
  replay: { type: 'boolean', description: 'hold a failed simulation of the service against your own node' },
  allow: { type: 'strings', value: 'check', description: 'accept that a check cannot be verified; may be repeated' },
} as const satisfies Flags;

/** A quote to carry out. */
export type Asked = {
  quote: Quote.Quote;
  caps: Intent.Caps;
  baseUrl: string | undefined;
  /** What is to be said of the file that it came from. */
  findings: readonly Finding[];
  /** Who receives, in words, where the recipient alone does not say. */
  payee?: string | undefined;
};

/** What is to be carried out, and where. */
export type Task = {
  /** The chain whose nonces are used. */
  origin: Network.Chain;
  /** Gets the quote, at the turn at those nonces. */
  ask(): Promise<Asked>;
};

/**
 * Carries a quote out on its origin chain.
 *
 * @throws verify.* · chain.* · submit.* · sign.failed · prompt.* · track.* · config.unwritable
 */
export async function* carryOut(
  { origin, ask }: Task,
  options: Options<typeof executionFlags>,
  context: Context,
): AsyncGenerator<Event, Outcome.OutcomeDocument> {
  if (options.dryRun) return Outcome.fromPlan((yield* prepare(await ask(), options, context)).plan);
  const { nonces, interactive } = context;
  const counter = { chainId: origin.id, chain: origin.name, address: await context.sender() };
  // A quote counts on the allowances and balances that it finds, some of which another run may be about to spend.
  let turn = yield* nonces.take(counter);
  try {
    const asked = await ask();
    let { plan, document } = yield* prepare(asked, options, context);
    // Nobody should have to wait for a person.
    if (interactive) turn.release();
    await context.confirm(question(document, asked.payee));
    const account = await context.account();
    if (interactive) turn = yield* nonces.take(counter);
    if (Quote.isExpired(plan.quote, context.clock.now(), asked.caps.maxAgeMs)) {
      // Whoever was asked took long to answer, or others were in front: a new quote is held to what was agreed to.
      const caps = Verification.capsOf(plan.quote, asked.caps);
      const anew = { ...(await askQuote(plan.intent, context)), caps, findings: [] };
      ({ plan, document } = yield* prepare(anew, options, context));
    }
    return Outcome.from(plan, yield* send(plan, { account, turn }, options, context));
  } finally {
    turn.release();
  }
}

/** Signs, submits and follows. */
async function* send(
  plan: Plan.Plan,
  { account, turn }: Pick<Execution.World, 'account' | 'turn'>,
  options: Options<typeof executionFlags>,
  context: Context,
): AsyncGenerator<Event, Execution.Outcome> {
  const { clock, signal, warn } = context;
  const world: Execution.World = {
    service: await context.service(),
    origin: await context.chain(plan.intent.origin.chain),
    destination: await destinationNode(plan, context),
    venue: plan.intent.destination.chain.vm === 'lvm' ? await context.venue() : undefined,
    account,
    turn,
    clock,
    signal,
    warn,
  };
  const patience = { wait: !options.noWait, timeoutMs: context.config.timeoutMs.value };
  if (!plan.intent.gasless) return yield* Execution.run(plan, world, patience);
  const { referrer, solver } = context.network;
  const relayer = solver?.relayers?.[0];
  const { replay = false, validFor } = options;
  const gasless = { ...world, referrer, relayer, replay, validForMs: validForMs(validFor) };
  return yield* GaslessExecution.run(plan, gasless, patience);
}

/** @throws usage.invalid */
export function validForMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const read = Setting.duration.read(text);
  if (!read) throw new BaseError('usage.invalid', `--valid-for must be ${Setting.duration.expects}.`);
  return read.value;
}

/** Proves a quote, its effect on the chain included, and makes the plan of it. */
async function* prepare(
  { quote, caps, baseUrl, findings }: Asked,
  options: Options<typeof executionFlags>,
  context: Context,
): AsyncGenerator<Event, { plan: Plan.Plan; document: QuoteDocument.QuoteDocument }> {
  const { chain } = quote.intent.origin;
  const allow = options.allow ?? [];
  const network = options.dryRun ? context.network : await pinOnFirstSight(chain, context);
  const surroundings = { network, baseUrl, nowMs: context.clock.now() };
  const expected = Expectation.from(quote.intent);
  const offline = [...findings, ...(await Verification.prove(quote, expected, surroundings))];
  const document = QuoteDocument.from(quote, offline);
  yield { type: 'quoted', ...quoted(document) };
  Verification.assertAllowed(offline, allow, chain.name);
  const origin = await context.chain(chain);
  const observing = Verification.observe(quote, expected, network, origin);
  // An account that cannot pay is no fault of the quote: that is said first.
  observing.catch(() => {});
  await (quote.intent.gasless ? Solvency.assertInput : Solvency.assert)(quote, origin);
  const shown = [...findings, ...(await observing)];
  const verified = await Verification.from(quote, surroundings, { caps, allow, shown });
  yield { type: 'verified', checks: verified.findings.length };
  return { plan: Plan.from(verified), document };
}

/** Without a node of the destination the arrival is not read there; the service's word is what is left. */
export async function destinationNode(plan: Plan.Plan, context: Context): Promise<Execution.World['destination']> {
  const { chain } = plan.intent.destination;
  if (chain.vm !== 'evm') return undefined;
  try {
    return await context.chain(chain);
  } catch {
    context.warn(`No RPC node of ${chain.name} is at hand: the arrival is not read from the chain.`);
    return undefined;
  }
}

/** What is told of a quote on the way. */
export function quoted(document: QuoteDocument.QuoteDocument): Record<string, unknown> {
  const { requestId, send, receive, minimum, fees, originGas, intent, impact, timeEstimateSeconds } = document;
  const { user, recipient } = intent;
  return { requestId, user, recipient, send, receive, minimum, fees, originGas, impact, timeEstimateSeconds };
}

/** What is asked before anything is signed. */
export function question(
  { send, receive, minimum, intent }: QuoteDocument.QuoteDocument,
  payee: string = intent.recipient,
): string {
  return `Send ${send.formatted} ${intent.origin.symbol} from ${intent.origin.chain} for ${receive.formatted} ${intent.destination.symbol} (at least ${minimum.formatted}) on ${intent.destination.chain} to ${payee}?`;
}
