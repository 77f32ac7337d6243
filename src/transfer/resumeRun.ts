/** Finishes an interrupted run: what was signed is sent again unchanged, then the rest of the plan is executed. */

import type * as Execute from '../core/api/Execute.js';
import type { Flags, Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { Event, Of } from '../core/event/Event.js';
import * as Arrival from '../core/execution/Arrival.js';
import * as Execution from '../core/execution/Execution.js';
import * as Following from '../core/execution/Following.js';
import * as NonceRule from '../core/execution/NonceRule.js';
import * as OutcomeDocument from '../core/execution/OutcomeDocument.js';
import type * as Plan from '../core/execution/Plan.js';
import * as Resumption from '../core/execution/Resumption.js';
import * as TransactionSettlement from '../core/execution/TransactionSettlement.js';
import * as GaslessExecution from '../core/gasless/GaslessExecution.js';
import type * as GaslessSigning from '../core/gasless/GaslessSigning.js';
import * as Verification from '../core/proof/Verification.js';
import * as QuoteDocument from '../core/quote/QuoteDocument.js';
import { toBaseError } from '../core/text/ErrorReport.js';
import * as ShellCommand from '../core/text/ShellCommand.js';
import * as Journal from '../core/tracking/Journal.js';
import * as NonceRelease from '../core/tracking/NonceRelease.js';
import * as Polling from '../core/tracking/Polling.js';
import type { Run } from '../core/tracking/RunStore.js';
import type * as WithdrawalSigning from '../core/withdrawal/WithdrawalSigning.js';
import { gasFlags } from '../setup/limitGas.js';
import * as SignedBytes from '../setup/SignedBytes.js';
import { executeInRun, orderFlags, patienceOf, portsOf } from './executeQuote.js';
import { venuePortsOf } from './executeWithdrawal.js';
import { lockFlags, notifyFlags, witnessFlags } from './journalledRun.js';
import { inWords } from './pay.js';
import { tokensIn } from './quoteFile.js';
import { intentFlags, keyFlags, readCaps } from './transferOptions.js';

export const resumeFlags = {
  account: intentFlags.account,
  ...keyFlags,
  ...gasFlags,
  ...lockFlags,
  ...notifyFlags,
  noWait: { description: 'exit once the payment is known to be sent, without following the transfer' },
  ...orderFlags,
  timeout: { value: 'time', description: 'how long to follow the transfer (default: 5m)' },
  ...witnessFlags,
  replay: { description: 'replay a failed simulation of the service on your own node' },
  allow: {
    value: 'check',
    repeats: true,
    description: 'accept what cannot be verified, such as a journal that you did not seal; may be repeated',
  },
} as const satisfies Flags;

/**
 * Opens a run of the network in use, and yields its id.
 *
 * @param command what is typed again if this process stops
 * @throws run.* · store.*
 */
export async function* openRun(name: string, context: Context, command = 'resume'): AsyncGenerator<Event, Run> {
  const runs = await Resumption.keptRuns(context);
  const run = await runs.open(name);
  try {
    Resumption.assertHere(run.state(), { network: context.network, instance: await context.instance() });
    const next = ShellCommand.line`ferry ${command.split(' ')} ${run.id}`;
    yield { type: 'run', run: run.id, next, folder: runs.folder };
    return run;
  } catch (error) {
    run.close();
    throw error;
  }
}

/**
 * Names what a run pays and to whom. A run whose journal is not sealed by this user is continued only after asking, or
 * with `--allow journal`: whoever could write to the state directory may have made it up.
 *
 * @throws run.unproved · verify.mismatch · prompt.declined
 */
export async function* announceRun(
  run: Run,
  { allow = [] }: Pick<Options<typeof resumeFlags>, 'allow'>,
  context: Context,
  command = 'resume',
): AsyncGenerator<Event, void> {
  const state = run.state();
  const { isOwn } = run;
  try {
    if (!isOwn && state.quote) await assertTokens(state, context);
    const named = namedIn(state, context, command === 'runs cancel' ? 'Canceling' : 'Resuming');
    yield { type: 'resuming', run: run.id, ...named, isOwn };
    if (isOwn || allow.includes(Resumption.journalCheck)) return;
    if (context.yes || !context.interactive) throw Resumption.unprovedRun(state, named.summary, command);
    await context.confirm(
      `${named.summary}. This journal is not sealed by you: an older ferry wrote it, or somebody else. Continue it?`,
    );
  } catch (error) {
    throw Resumption.explained(state, toBaseError(error));
  }
}

/** Holds the units that amounts are named in to the tokens' contracts. @throws verify.mismatch · chain.* */
async function assertTokens(state: Journal.State, context: Context): Promise<void> {
  const { network } = context;
  const { intent } = Resumption.planOf(state, network).quote;
  const findings = await tokensIn(intent, 'journal', context);
  Verification.assertAllowed(findings, { network, isAsked: false, allow: [] }, intent);
}

type Named = Pick<Of<'resuming'>, 'summary' | 'recipient' | 'send' | 'minimum'>;

/** What a run pays, read from the answer of the service and not from what the journal concludes of it. */
function namedIn(state: Journal.State, { network, place }: Context, deed: string): Named {
  if (state.handed?.type === 'call') {
    const { to, chainId } = (state.handed.request as Execute.Request).data;
    return { summary: `${deed}: call ${to} on chain ${chainId}`, recipient: to, send: null, minimum: null };
  }
  const document = QuoteDocument.from(Resumption.planOf(state, network).quote, []);
  const { send, minimum, intent } = document;
  return { summary: `${deed}: ${inWords(document, undefined, place)}`, recipient: intent.recipient, send, minimum };
}

type Ended = AsyncGenerator<Event, OutcomeDocument.OutcomeDocument>;

/** Names what the run pays, finishes what was signed, then the rest of the plan. */
export async function* resumeTransfer(run: Run, options: Options<typeof resumeFlags>, context: Context): Ended {
  if (run.state().quote) yield* announceRun(run, options, context);
  return yield* continueTransfer(run, options, context);
}

/** The same of a run that was named before. */
export async function* continueTransfer(run: Run, options: Options<typeof resumeFlags>, context: Context): Ended {
  try {
    const state = run.state();
    const plan = Resumption.planOf(state, context.network);
    const resuming = { plan, run, options, context };
    if (state.kind === 'address') {
      const { continueAddress } = await import('./depositAddress.js');
      return yield* continueAddress(resuming);
    }
    await assertSigned(plan, run);
    if (state.handed?.type === 'signed-transfer') return yield* finishWithdrawal(resuming, state.handed);
    if (state.handed && state.handed.type !== 'call') return yield* finishGasless(resuming, state.handed);
    if (Journal.hasSigned(state)) return yield* finishOwnTransactions(resuming);
    return yield* followStartedRequest(resuming);
  } catch (error) {
    throw Resumption.explained(run.state(), toBaseError(error));
  }
}

/** A run, and its plan as the journal has it. */
type Resuming = {
  plan: Plan.Restored;
  run: Run;
  options: Options<typeof resumeFlags>;
  context: Context;
};

/** @throws run.unreadable if the journal holds signed bytes of anything but its plan */
async function assertSigned(plan: Plan.Restored, run: Run): Promise<void> {
  for (const [step, sent] of run.state().sent) await SignedBytes.assertOf(plan.actions[step], sent);
}

/**
 * Finishes transactions that the account sends itself. What can never be mined is signed again, with the account's next
 * nonce, once the user knows of the transaction that took its own. `used` is the nonce that another transaction had used
 * when that was done last: a node that does not move on would have it signed again and again.
 */
async function* finishOwnTransactions(resuming: Resuming, used = -1): Ended {
  const { plan, run, options, context } = resuming;
  const ports = await portsOf(plan, withoutTurn(run), context);
  try {
    if (!Journal.isPaid(run.state())) return yield* continueOwnTransactions(resuming);
    return OutcomeDocument.from(
      plan,
      yield* Execution.finish(plan, ports, patienceOf(options, context), run.state().sent),
    );
  } catch (error) {
    if (!(error instanceof TransactionSettlement.ReplacedError) || error.nonce <= used) throw error;
    return yield* finishOwnTransactions(resuming, error.nonce);
  }
}

/** Continues a plan whose payment is not signed yet: finishes the approvals, then signs the rest. */
async function* continueOwnTransactions(resuming: Resuming): Ended {
  const { plan, run, options, context } = resuming;
  const state = run.state();
  if (await Resumption.hasBegun(plan.requestId, await context.service())) return yield* followStartedRequest(resuming);
  if (state.outcome) throw Resumption.endedUnpaid(state);
  Resumption.assertSender(state, plan.intent.user, await context.sender());
  if (!state.proof) throw Resumption.unsignedRun(state);
  // A journal that somebody else may have written names what it pays, but neither what may be lost nor what stays unproved.
  const { isOwn } = run;
  const caps = isOwn ? Journal.toCaps(state.proof.caps) : readCaps({}, context, plan.intent);
  const ports = await portsOf(plan, withoutTurn(run), context);
  // Without a turn, since whoever has it may be waiting for these transactions.
  for (const { step, signed } of TransactionSettlement.signedSteps(plan, state.sent)) {
    await TransactionSettlement.resend(step, signed, ports);
    await TransactionSettlement.mined(step, signed, ports, context.config.timeoutMs.value);
  }
  // What is allowed of a quote holds for its run. Nonces are of the account, and others may have been used since.
  const agreed = isOwn ? state.proof.allow.filter((check) => check !== NonceRule.allowance) : [];
  const allow = [...(options.allow ?? []), ...agreed];
  // Fees may have risen since, so a maximum typed now replaces the old one.
  const { value: maxGasUsd, source } = context.config.maxGasUsd;
  const own = source.kind === 'flag' ? { ...caps, maxGasUsd } : caps;
  const asked = { quote: plan.quote, caps: own, allow, baseUrl: context.network.baseUrl, findings: [] };
  return yield* executeInRun(asked, options, context, {
    journal: run,
    signedBefore: run.state().sent,
    foreign: state.foreign,
    isStrict: true,
  });
}

/**
 * Sends the pending transactions of a run again, without waiting for them. What they spend is then seen by the runs that
 * come after.
 *
 * @throws submit.* · chain.* · run.unreadable
 */
export async function resendPending(run: Run, context: Context): Promise<void> {
  const state = run.state();
  // What somebody else may have written is not this user's to send.
  if (!run.isOwn || !state.quote || state.outcome) return;
  const plan = Resumption.planOf(state, context.network);
  await assertSigned(plan, run);
  const ports = await portsOf(plan, withoutTurn(run), context);
  let isBehind = false;
  for (const { step, signed } of TransactionSettlement.signedSteps(plan, state.sent)) {
    if (signed.receipt) continue;
    await TransactionSettlement.resend(step, signed, ports).catch((error: unknown) => {
      // Some nodes take no second transaction of an account while the first is pending.
      if (!isBehind || TransactionSettlement.isVoid(error)) throw error;
    });
    isBehind = true;
  }
}

async function* finishGasless({ plan, run, options, context }: Resuming, handed: GaslessSigning.Handed): Ended {
  const ports = await portsOf(plan, withoutTurn(run), context);
  const patience = patienceOf(options, context);
  const { invalidation } = run.state();
  const following = { ...ports, replay: options.replay ?? false };
  return OutcomeDocument.from(plan, yield* GaslessExecution.finish(plan, handed, following, patience, invalidation));
}

async function* finishWithdrawal({ plan, run, options, context }: Resuming, handed: SignedTransfer): Ended {
  const WithdrawalExecution = await import('../core/withdrawal/WithdrawalExecution.js');
  const signed = await toSigned(handed);
  const ports = await venuePortsOf(plan, withoutTurn(run), context);
  const patience = patienceOf(options, context);
  return OutcomeDocument.from(plan, yield* WithdrawalExecution.finish(plan, signed, ports, patience));
}

type SignedTransfer = Extract<Journal.Handed, { type: 'signed-transfer' }>;

export async function toSigned({
  txInfo,
  txHash,
  publicKey,
  signingChainId,
}: SignedTransfer): Promise<WithdrawalSigning.Signed> {
  const Transfer = await import('../venue/Transfer.js');
  return { transfer: Transfer.fromTxInfo(txInfo).transfer, txInfo, txHash, publicKey, signingChainId };
}

/**
 * Follows a request that the service has started, although the journal shows nothing signed: its last entries may be lost.
 * The service's word for that is believed once the origin chain, or the venue, shows the deposit.
 *
 * @throws run.unsigned if the service has not started it · submit.unknown if it says so alone
 */
async function* followStartedRequest({ plan, run, options, context }: Resuming): Ended {
  const { requestId } = plan;
  const service = await context.service();
  if (!run.state().taken && !(await Resumption.hasBegun(requestId, service))) throw Resumption.unsignedRun(run.state());
  await awaitDeposit(plan, run, context);
  await run.append({ type: 'request', requestId });
  const ports = plan.transfer
    ? { origin: undefined, ...(await venuePortsOf(plan, withoutTurn(run), context)) }
    : await portsOf(plan, withoutTurn(run), context);
  const sent = { transactions: [], gasCost: 0n, startedAt: context.clock.now() };
  return OutcomeDocument.from(plan, yield* Following.followed(plan, sent, ports, patienceOf(options, context)));
}

/** How often the service and who has it are asked for a deposit that nobody has signed, as far as the journal goes. */
const depositIntervalMs = 1_000;

/** @throws submit.unknown if the origin chain or the venue shows no deposit for the order until the time limit */
async function awaitDeposit(plan: Plan.Restored, run: Run, context: Context): Promise<void> {
  const { clock, signal, config } = context;
  const service = await context.service();
  const { transfer, intent } = plan;
  const isShown = async (told: readonly string[]): Promise<boolean> => {
    if (transfer) return Arrival.isTransferred(transfer, told, await context.venue());
    return (await Arrival.blockOfDeposit(plan, told, await context.chain(intent.origin.chain))) !== undefined;
  };
  const ask = async (): Promise<true | undefined> => {
    const { inTxHashes } = await service.status(plan.requestId);
    return (await isShown(inTxHashes ?? []).catch(() => false)) || undefined;
  };
  const pace = { timeoutMs: config.timeoutMs.value, delayMs: () => depositIntervalMs };
  await Polling.pollUntil(ask, { clock, signal }, pace, () => {
    signal.throwIfAborted();
    return Resumption.unseenDeposit(run.state(), intent.origin.chain.name);
  });
}

/** The journal of the run and what it noted, without a nonce turn: its nonces are used already. */
function withoutTurn(journal: Run): Pick<Following.Ports, 'journal' | 'turn' | 'head'> {
  return { journal, turn: NonceRelease.none, head: journal.state().head };
}
