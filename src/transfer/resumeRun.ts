/** Finishes an interrupted run: what was signed is sent again as it is, and the rest of its plan is done. */

import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event } from '../core/event/Event.js';
import * as Execution from '../core/execution/Execution.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import * as Plan from '../core/execution/Plan.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as TransactionSettlement from '../core/execution/TransactionSettlement.js';
import * as GaslessExecution from '../core/gasless/GaslessExecution.js';
import type * as GaslessSigning from '../core/gasless/GaslessSigning.js';
import * as Verification from '../core/proof/Verification.js';
import * as Quote from '../core/quote/Quote.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import { toBaseError } from '../core/text/ErrorReport.js';
import * as Journal from '../core/tracking/Journal.js';
import * as NonceRelease from '../core/tracking/NonceRelease.js';
import type { Run } from '../core/tracking/RunStore.js';
import type * as WithdrawalSigning from '../core/withdrawal/WithdrawalSigning.js';
import { gaslessWorld, proceed, worldOf } from './executeQuote.js';
import { venueWorldOf } from './executeWithdrawal.js';
import { askQuote, intentFlags, keyFlags } from './transferOptions.js';

export const resumeFlags = {
  account: intentFlags.account,
  ...keyFlags,
  noWait: { type: 'boolean', description: 'end when it is certain that it was sent, do not follow the transfer' },
  timeout: { type: 'string', value: 'time', description: 'how long to follow it (default: 5m)' },
  replay: { type: 'boolean', description: 'hold a failed simulation of the service against your own node' },
} as const satisfies Flags;

/** Brings what was signed to its end, then does what is left of the plan. */
export async function* resumed(
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  try {
    const state = run.state();
    if (!state.quote) throw new Resumption.UnsignedError(state);
    const quote = QuoteDocument.toQuote(state.quote.document, context.network);
    const plan = Plan.restored(quote);
    if (state.handed?.type === 'signed-transfer') return yield* transfer(plan, state.handed, run, options, context);
    if (state.handed && state.handed.type !== 'call') return yield* gasless(plan, state.handed, run, options, context);
    if (Journal.hasSigned(state)) return yield* own(plan, run, options, context);
    return yield* adopted(plan, run, options, context);
  } catch (error) {
    throw Resumption.explained(run.state(), toBaseError(error));
  }
}

/** The account's own transactions. */
async function* own(
  plan: Plan.Restored,
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const world = await worldOf(plan, following(run), context);
  try {
    if (!Journal.isPaid(run.state())) return yield* goOn(plan, run, options, context);
    return OutcomeDocument.from(plan, yield* Execution.finish(plan, world, patienceOf(options, context), begun(run)));
  } catch (error) {
    if (!(error instanceof TransactionSettlement.ReplacedError)) throw error;
    await context.confirm(Resumption.question(error));
    return yield* own(plan, run, options, context);
  }
}

/** What pays is not signed yet: the approvals are brought to their end, and the rest is signed. */
async function* goOn(
  plan: Plan.Restored,
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const state = run.state();
  if (await Resumption.hasBegun(plan.requestId, await context.service()))
    return yield* adopted(plan, run, options, context);
  Resumption.assertSender(state, plan.intent.user, await context.sender());
  const caps = state.proof ? Journal.toCaps(state.proof.caps) : undefined;
  if (!caps) throw new Resumption.UnsignedError(state);
  const how = { ...options, allow: state.proof?.allow ?? [] };
  const asked = { quote: plan.quote, caps, baseUrl: context.network.baseUrl, findings: [] };
  if (!Quote.isExpired(plan.quote, context.clock.now(), caps.maxAgeMs))
    return yield* proceed(asked, how, context, { journal: run, begun: begun(run) });
  const world = await worldOf(plan, following(run), context);
  for (const [step, signed] of begun(run)) {
    const action = plan.actions[step];
    if (!action) continue;
    await TransactionSettlement.resend({ plan, action, step }, signed, world);
    await TransactionSettlement.mined({ plan, action, step }, signed, world, context.config.timeoutMs.value);
  }
  context.warn('The quote is too old. ferry asks for a new one and holds it to the minimum and the fees of the old.');
  const anew = { ...asked, ...(await askQuote(plan.intent, context)), caps: Verification.capsOf(plan.quote, caps) };
  return yield* proceed(anew, how, context, { journal: run });
}

async function* gasless(
  plan: Plan.Restored,
  handed: GaslessSigning.Handed,
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const world = await worldOf(plan, following(run), context);
  const patience = patienceOf(options, context);
  const running = GaslessExecution.finish(plan, handed, gaslessWorld(world, options, context), patience);
  return OutcomeDocument.from(plan, yield* running);
}

async function* transfer(
  plan: Plan.Restored,
  handed: SignedTransfer,
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const WithdrawalExecution = await import('../core/withdrawal/WithdrawalExecution.js');
  const signed = await signedOf(handed);
  const world = await venueWorldOf(plan, following(run), context);
  const patience = patienceOf(options, context);
  return OutcomeDocument.from(plan, yield* WithdrawalExecution.finish(plan, signed, world, patience));
}

type SignedTransfer = Extract<Journal.Handed, { type: 'signed-transfer' }>;

export async function signedOf({
  txInfo,
  txHash,
  publicKey,
  signingChainId,
}: SignedTransfer): Promise<WithdrawalSigning.Signed> {
  const Transfer = await import('../venue/Transfer.js');
  return { transfer: Transfer.fromTxInfo(txInfo).transfer, txInfo, txHash, publicKey, signingChainId };
}

/** A request that the service has begun with although the journal does not say that anything was signed. */
async function* adopted(
  plan: Plan.Restored,
  run: Run,
  options: Options<typeof resumeFlags>,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const { requestId } = plan;
  const service = await context.service();
  if (!run.state().taken && !(await Resumption.hasBegun(requestId, service)))
    throw new Resumption.UnsignedError(run.state());
  await run.append({ type: 'request', requestId });
  const world = plan.transfer
    ? { origin: undefined, ...(await venueWorldOf(plan, following(run), context)) }
    : await worldOf(plan, following(run), context);
  const sent = { transactions: [], gasCost: 0n, startedAt: context.clock.now() };
  return OutcomeDocument.from(plan, yield* Execution.followed(plan, sent, world, patienceOf(options, context)));
}

/** The journal of the run; its nonces are used up already. */
function following(journal: Run): Pick<Execution.FollowingWorld, 'journal' | 'turn'> {
  return { journal, turn: NonceRelease.none };
}

function begun(run: Run): Execution.Begun {
  return run.state().sent;
}

function patienceOf({ noWait }: Options<typeof resumeFlags>, { config }: Context): Execution.Patience {
  return { wait: !noWait, timeoutMs: config.timeoutMs.value };
}
