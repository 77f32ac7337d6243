import type { Context } from '../context.js';
import type * as Address from '../core/Address.js';
import * as Execution from '../core/Execution.js';
import * as GaslessExecution from '../core/GaslessExecution.js';
import type * as GaslessSigning from '../core/GaslessSigning.js';
import * as Journal from '../core/Journal.js';
import * as NonceTurn from '../core/NonceTurn.js';
import * as Outcome from '../core/OutcomeDocument.js';
import * as Plan from '../core/Plan.js';
import type { Hex } from '../core/Ports.js';
import * as Quote from '../core/Quote.js';
import * as QuoteDocument from '../core/QuoteDocument.js';
import * as Resumption from '../core/Resumption.js';
import type { Run } from '../core/Run.js';
import { toBaseError } from '../core/render/Failure.js';
import * as OutcomeText from '../core/render/Outcome.js';
import * as ProgressText from '../core/render/Progress.js';
import * as Settlement from '../core/Settlement.js';
import * as Verification from '../core/Verification.js';
import { define, type Event, type Flags, type Options } from './Command.js';
import { gaslessWorld, proceed, worldOf } from './carryOut.js';
import { askQuote, intentFlags, keyFlags } from './intent.js';
import { written } from './running.js';
import * as withdrawal from './venue/withdraw.js';

const flags = {
  account: intentFlags.account,
  ...keyFlags,
  noWait: { type: 'boolean', description: 'end when it is certain that it was sent, do not follow the transfer' },
  timeout: { type: 'string', value: 'time', description: 'how long to follow it (default: 5m)' },
  replay: { type: 'boolean', description: 'hold a failed simulation of the service against your own node' },
} as const satisfies Flags;

export const command = define({
  description:
    'Finishes a transfer that was interrupted, by its journal: what was signed is looked for and sent again as it is, never signed a second time unless it can provably not happen any more, and then only after asking. It ends like the command that began it.',
  args: [
    { name: 'run', description: 'the run, or the end of its name (default: the only unfinished one)', optional: true },
  ],
  options: flags,
  examples: [
    ['ferry resume', 'the only unfinished run'],
    ['ferry resume 20261121-093000-1f2e3d', 'this one'],
    ['ferry resume 1f2e3d --yes --json', 'for a script'],
  ],
  output: Outcome.schema,
  streams: true,
  async *run(options, context) {
    const runs = await context.runs();
    const here = { network: context.network, instance: await context.instance() };
    const isHere = ({ state }: { state: Journal.State | undefined }) => state && Resumption.isHere(state, here);
    const name = options.args[0] ?? Resumption.only((await runs.unfinished()).filter(isHere));
    const run = await runs.open(name);
    try {
      Resumption.assertHere(run.state(), here);
    } catch (error) {
      run.close();
      throw error;
    }
    yield { type: 'run', run: run.id, folder: runs.folder };
    return yield* written(run, resume(run, options, context));
  },
  view: OutcomeText.format,
  tell: ProgressText.format,
});

/** Brings what was signed to its end, then does what is left of the plan. */
async function* resume(
  run: Run,
  options: Options<typeof flags>,
  context: Context,
): AsyncGenerator<Event, Outcome.OutcomeDocument> {
  try {
    const state = run.state();
    if (!state.quote) throw new Resumption.UnsignedError(state);
    const quote = QuoteDocument.toQuote(state.quote.document, context.network);
    const plan = Plan.restored(quote);
    if (state.handed?.type === 'signed-transfer') return yield* transfer(plan, state.handed, run, options, context);
    if (state.handed) return yield* gasless(plan, state.handed, run, options, context);
    if (Journal.hasSigned(state)) return yield* own(plan, run, options, context);
    return yield* adopted(plan, run, options, context);
  } catch (error) {
    throw Resumption.explained(run.state(), toBaseError(error));
  }
}

/** The account's own transactions. */
async function* own(
  plan: Plan.Plan,
  run: Run,
  options: Options<typeof flags>,
  context: Context,
): AsyncGenerator<Event, Outcome.OutcomeDocument> {
  const world = await worldOf(plan, sealed(plan, run), context);
  try {
    if (!Journal.isPaid(run.state())) return yield* goOn(plan, run, options, context);
    return Outcome.from(plan, yield* Execution.run(plan, world, patienceOf(options, context), begun(run)));
  } catch (error) {
    if (!(error instanceof Settlement.ReplacedError)) throw error;
    await context.confirm(Resumption.question(error));
    return yield* own(plan, run, options, context);
  }
}

/** What pays is not signed yet: the approvals are brought to their end, and the rest is signed. */
async function* goOn(
  plan: Plan.Plan,
  run: Run,
  options: Options<typeof flags>,
  context: Context,
): AsyncGenerator<Event, Outcome.OutcomeDocument> {
  const state = run.state();
  if (await Resumption.hasBegun(plan.requestId, await context.service()))
    return yield* adopted(plan, run, options, context);
  Resumption.assertSender(state, plan.intent.user, await context.sender());
  const caps = state.proof ? Journal.fromCaps(state.proof.caps) : undefined;
  if (!caps) throw new Resumption.UnsignedError(state);
  const how = { ...options, allow: state.proof?.allow ?? [] };
  const asked = { quote: plan.quote, caps, baseUrl: context.network.baseUrl, findings: [] };
  if (!Quote.isExpired(plan.quote, context.clock.now(), caps.maxAgeMs))
    return yield* proceed(asked, how, context, { journal: run, begun: begun(run) });
  const world = await worldOf(plan, sealed(plan, run), context);
  for (const [step, signed] of begun(run)) {
    const action = plan.actions[step];
    if (!action) continue;
    await Settlement.resend({ plan, action, step }, signed, world);
    await Settlement.mined({ plan, action, step }, signed, world, context.config.timeoutMs.value);
  }
  context.warn('The quote is too old. ferry asks for a new one and holds it to the minimum and the fees of the old.');
  const anew = { ...asked, ...(await askQuote(plan.intent, context)), caps: Verification.capsOf(plan.quote, caps) };
  return yield* proceed(anew, how, context, { journal: run });
}

async function* gasless(
  plan: Plan.Plan,
  handed: GaslessSigning.Handed,
  run: Run,
  options: Options<typeof flags>,
  context: Context,
): AsyncGenerator<Event, Outcome.OutcomeDocument> {
  const world = await worldOf(plan, sealed(plan, run), context);
  const patience = patienceOf(options, context);
  const running = GaslessExecution.run(plan, gaslessWorld(world, options, context), patience, handed);
  return Outcome.from(plan, yield* running);
}

async function* transfer(
  plan: Plan.Plan,
  { txInfo, txHash, publicKey, signingChainId }: Extract<Journal.Handed, { type: 'signed-transfer' }>,
  run: Run,
  options: Options<typeof flags>,
  context: Context,
): AsyncGenerator<Event, Outcome.OutcomeDocument> {
  const [VenueExecution, Transfer] = await Promise.all([
    import('../core/VenueExecution.js'),
    import('../venue/Transfer.js'),
  ]);
  const signed = { transfer: Transfer.fromTxInfo(txInfo).transfer, txInfo, txHash, publicKey, signingChainId };
  const world = await withdrawal.worldOf(plan, sealed(plan, run), context);
  const patience = { ...patienceOf(options, context), again: true };
  return Outcome.from(plan, yield* VenueExecution.run(plan, signed, world, patience));
}

/** A request that the service has begun with although the journal does not say that anything was signed. */
async function* adopted(
  plan: Plan.Plan,
  run: Run,
  options: Options<typeof flags>,
  context: Context,
): AsyncGenerator<Event, Outcome.OutcomeDocument> {
  const { requestId } = plan;
  const service = await context.service();
  if (!run.state().taken && !(await Resumption.hasBegun(requestId, service)))
    throw new Resumption.UnsignedError(run.state());
  await run.append({ type: 'request', requestId });
  const world = plan.transfer
    ? { origin: undefined, ...(await withdrawal.worldOf(plan, sealed(plan, run), context)) }
    : await worldOf(plan, sealed(plan, run), context);
  const sent = { transactions: [], gasCost: 0n, startedAt: context.clock.now() };
  return Outcome.from(plan, yield* Execution.followed(plan, sent, world, patienceOf(options, context)));
}

/** What sends again what is signed, and signs nothing. */
function sealed({ intent }: Plan.Plan, journal: Run): Pick<Execution.World, 'journal' | 'account' | 'turn'> {
  return { journal, account: Resumption.sealed(intent.user as Address.Address), turn: NonceTurn.none };
}

function begun(run: Run): Execution.Begun {
  return new Map(
    [...run.state().sent].map(([step, { bytes, txHash, nonce }]) => [
      step,
      { bytes: bytes as Hex, txHash: txHash as Hex, nonce },
    ]),
  );
}

function patienceOf({ noWait }: Options<typeof flags>, { config }: Context): Execution.Patience {
  return { wait: !noWait, timeoutMs: config.timeoutMs.value };
}
