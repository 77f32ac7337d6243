/** Verifies a quote, asks, signs, submits and follows: what `execute` and `venue deposit` have in common. */

import { BaseError } from '../core/base/Errors.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingFormat from '../core/config/SettingFormat.js';
import type { Event } from '../core/event/Event.js';
import * as Execution from '../core/execution/Execution.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import type * as Plan from '../core/execution/Plan.js';
import * as Preparation from '../core/execution/Preparation.js';
import * as RunOpening from '../core/execution/RunOpening.js';
import * as GaslessExecution from '../core/gasless/GaslessExecution.js';
import type * as GaslessSigning from '../core/gasless/GaslessSigning.js';
import type * as Network from '../core/network/Network.js';
import type { NonceCounter, Turn } from '../core/ports/Ports.js';
import * as Verification from '../core/proof/Verification.js';
import type { Finding } from '../core/quote/Finding.js';
import * as Quote from '../core/quote/Quote.js';
import type * as QuoteDocument from '../core/quote/QuoteDocument.js';
import type * as TransferIntent from '../core/quote/TransferIntent.js';
import type { JournalWriter } from '../core/tracking/Journal.js';
import { pinOnFirstSight } from '../setup/trustContracts.js';

import { begin, type LineOf, runFlags, written } from './journalledRun.js';
import { askQuote } from './transferOptions.js';

/** How it is carried out. */
export const executionFlags = {
  dryRun: { type: 'boolean', description: 'show what would be signed and sent, and stop' },
  noWait: { type: 'boolean', description: 'end when the deposit is mined, do not follow the transfer' },
  timeout: { type: 'string', value: 'time', description: 'how long to follow it (default: 5m)' },
  validFor: { type: 'string', value: 'time', description: 'how long a signed batch may be used (default: 10m)' },
  replay: { type: 'boolean', description: 'hold a failed simulation of the service against your own node' },
  allow: { type: 'strings', value: 'check', description: 'accept that a check cannot be verified; may be repeated' },
  ...runFlags,
} as const satisfies Flags;

/** A quote to carry out. */
export type Asked = {
  quote: Quote.Quote;
  caps: TransferIntent.Caps;
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
 * Carries a quote out on its origin chain, as a run of its own.
 *
 * @throws verify.* · chain.* · submit.* · sign.failed · prompt.* · track.* · config.unwritable · run.unfinished
 */
export async function* carryOut(
  { origin, ask }: Task,
  options: Options<typeof executionFlags>,
  context: Context,
  name: string,
  line?: LineOf | undefined,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  if (options.dryRun) return OutcomeDocument.fromPlan((yield* prepare(await ask(), options, context)).plan);
  // A quote counts on the allowances and balances that it finds, some of which another run may be about to spend.
  const turn = yield* context.nonces.take(await counterOf(origin, context));
  try {
    const asked = await ask();
    const run = yield* begin((place) => RunOpening.from(asked.quote.intent, place), { name, options, line }, context);
    return yield* written(run, proceed(asked, options, context, { journal: run, turn }), context);
  } finally {
    turn.release();
  }
}

/** Where a run is written down, the turn that it has already, and what of its plan was signed in an earlier life of it. */
type Life = { journal: JournalWriter; turn?: Turn | undefined; begun?: Execution.Begun | undefined };

/** Proves, asks, signs, submits and follows. */
export async function* proceed(
  asked: Asked,
  options: Options<typeof executionFlags>,
  context: Context,
  { journal, begun: before, turn: held }: Life,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const { nonces, interactive } = context;
  const counter = await counterOf(asked.quote.intent.origin.chain, context);
  let begun = before;
  let turn = held ?? (yield* nonces.take(counter));
  try {
    let { plan, document } = yield* prepare(asked, options, context, begun ? undefined : journal);
    // Nobody should have to wait for a person.
    if (interactive) turn.release();
    await context.confirm(question(document, asked.payee));
    const account = await context.account();
    if (interactive) turn = yield* nonces.take(counter);
    if (Quote.isExpired(plan.quote, context.clock.now(), asked.caps.maxAgeMs)) {
      // Whoever was asked took long to answer, or others were in front: a new quote is held to what was agreed to.
      const caps = Verification.capsOf(plan.quote, asked.caps);
      const anew = { ...(await askQuote(plan.intent, context)), caps, findings: [] };
      ({ plan, document } = yield* prepare(anew, options, context, journal));
      begun = undefined;
    }
    const world = { ...(await worldOf(plan, { journal, turn }, context)), account };
    const patience = { wait: !options.noWait, timeoutMs: context.config.timeoutMs.value };
    const outcome = plan.intent.gasless
      ? yield* GaslessExecution.run(plan, gaslessWorld(world, options, context), patience)
      : yield* Execution.run(plan, world, patience, begun);
    return OutcomeDocument.from(plan, outcome);
  } finally {
    turn.release();
  }
}

async function counterOf({ id, name }: Network.Chain, { sender }: Context): Promise<NonceCounter> {
  return { chainId: id, chain: name, address: await sender() };
}

/** The ports that following a plan on its origin chain needs. */
export async function worldOf(
  plan: Plan.Restored,
  { journal, turn }: Pick<Execution.FollowingWorld, 'journal' | 'turn'>,
  context: Context,
): Promise<Execution.FollowingWorld> {
  const { clock, signal, warn } = context;
  return {
    service: await context.service(),
    origin: await context.chain(plan.intent.origin.chain),
    destination: await destinationNode(plan, context),
    venue: plan.intent.destination.chain.vm === 'lvm' ? await context.venue() : undefined,
    turn,
    journal,
    clock,
    signal,
    warn,
  };
}

/** The same for a gasless transfer. */
export function gaslessWorld<World extends Execution.FollowingWorld>(
  world: World,
  { replay = false, validFor }: Pick<Options<typeof executionFlags>, 'replay' | 'validFor'>,
  { network: { referrer, solver } }: Context,
): World & Omit<GaslessSigning.World, keyof Execution.World> {
  return { ...world, referrer, relayer: solver?.relayers?.[0], replay, validForMs: validForMs(validFor) };
}

/** @throws usage.invalid */
export function validForMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const read = SettingFormat.duration.read(text);
  if (!read) throw new BaseError('usage.invalid', `--valid-for must be ${SettingFormat.duration.expects}.`);
  return read.value;
}

/** Prepares a quote for signing, on a network whose contracts the user trusts. */
async function* prepare(
  asked: Asked,
  { dryRun, allow = [] }: Options<typeof executionFlags>,
  context: Context,
  journal?: JournalWriter | undefined,
): AsyncGenerator<Event, Preparation.Prepared> {
  const { clock, chain } = context;
  const network = dryRun ? context.network : await pinOnFirstSight(asked.quote.intent.origin.chain, context);
  return yield* Preparation.run({ ...asked, allow }, { network, chain, clock, journal });
}

/** Without a node of the destination the arrival is not read there; the service's word is what is left. */
export async function destinationNode(plan: Plan.Restored, context: Context): Promise<Execution.World['destination']> {
  const { chain } = plan.intent.destination;
  if (chain.vm !== 'evm') return undefined;
  try {
    return await context.chain(chain);
  } catch {
    context.warn(`No RPC node of ${chain.name} is at hand: the arrival is not read from the chain.`);
    return undefined;
  }
}

/** What is asked before anything is signed. */
export function question(
  { send, receive, minimum, intent }: QuoteDocument.QuoteDocument,
  payee: string = intent.recipient,
): string {
  return `Send ${send.formatted} ${intent.origin.symbol} from ${intent.origin.chain} for ${receive.formatted} ${intent.destination.symbol} (at least ${minimum.formatted}) on ${intent.destination.chain} to ${payee}?`;
}
