import type * as Address from '../../core/base/Address.js';
import { BaseError } from '../../core/base/Errors.js';
import type { Hex } from '../../core/base/Hex.js';
import { define, type Flags, type Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import type { Event } from '../../core/event/Event.js';
import * as Facts from '../../core/execution/Facts.js';
import * as GasBound from '../../core/execution/GasBound.js';
import * as OutcomeDocument from '../../core/execution/OutcomeDocument.js';
import type * as Plan from '../../core/execution/Plan.js';
import * as Resumption from '../../core/execution/Resumption.js';
import * as TransactionReplacement from '../../core/execution/TransactionReplacement.js';
import * as TransactionSettlement from '../../core/execution/TransactionSettlement.js';
import * as GaslessExecution from '../../core/gasless/GaslessExecution.js';
import type * as GaslessSigning from '../../core/gasless/GaslessSigning.js';
import * as Invalidation from '../../core/gasless/Invalidation.js';
import { toBaseError } from '../../core/text/ErrorReport.js';
import * as Place from '../../core/text/Place.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as Journal from '../../core/tracking/Journal.js';
import type { Run } from '../../core/tracking/RunStore.js';
import * as OutcomeText from '../../core/view/OutcomeText.js';
import { boundedPrice, confirmGas, gasTerms, unquotedGasFlags } from '../../setup/limitGas.js';
import { assertKnown, counterOf, delegatedBy, takeTurn } from '../../setup/trustNonces.js';
import { findUnusedAllowances, withJournal } from '../../transfer/journalledRun.js';
import { endingOf } from '../../transfer/lineEnding.js';
import { replaceTransaction } from '../../transfer/replaceTransaction.js';
import { announceRun, openRun, resumeFlags } from '../../transfer/resumeRun.js';

const { account, accountSigner, keyFile, passwordFile, timeout, takeOver } = resumeFlags;
const flags = {
  ...{ account, accountSigner, keyFile, passwordFile, timeout, takeOver, ...unquotedGasFlags },
  allow: {
    ...unquotedGasFlags.allow,
    description:
      'accept what cannot be verified: gas, if nothing but the node says what it costs; foreign-nonces, if another program took the nonce of a cancellation or used the account',
  },
} as const satisfies Flags;

export const command = define({
  description:
    'Cancels a run whose payment is not mined. A pending transaction is replaced by an empty one with the same nonce and higher fees, so at most one of the two is ever mined; an approval that waits with its payment is replaced too. If the chain lacks earlier nonces of the account, empty transactions fill them. If only an approval was mined, nothing is sent and the run ends. What was signed for the service to submit, a batch or a permit, is made void by a transaction of the account, whose gas it pays; a Permit2 signature and a transfer at the venue cannot be canceled, and are void after their deadline. A mined payment cannot be canceled; ferry then reports that.',
  args: [{ name: 'run', names: 'unfinished-run', description: 'the run id or its last characters' }],
  options: flags,
  examples: [
    ['ferry runs cancel 20261121-093000-1f2e3d', 'show the fees and ask'],
    ['ferry runs cancel 1f2e3d --yes --json', 'in a script'],
  ],
  output: OutcomeDocument.schema,
  streams: true,
  pays: true,
  async *run(options, context) {
    const run = yield* openRun(options.args[0] ?? '', context, 'runs cancel');
    return yield* withJournal(run, cancel(run, options, context), context, undefined, 'cancel');
  },
  view: (outcome, style, _, place) => OutcomeText.format(outcome, style, place, false),
});

type GasOptions = Pick<Options<typeof flags>, 'allow'>;

/** @throws run.settled · service.* · track.unfinished if the payment was mined first */
async function* cancel(
  run: Run,
  options: GasOptions,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const state = run.state();
  if (!state.quote) throw new TransactionReplacement.NothingWaitsError(state);
  const plan = Resumption.planOf(state, context.network);
  yield* announceRun(run, options, context, 'runs cancel');
  const { handed } = state;
  const minedBefore = new Set([...state.sent.values()].flatMap(({ receipt }) => (receipt ? [receipt.txHash] : [])));
  const isHanded = handed?.type === 'signed-batch' || handed?.type === 'signed-permit';
  const replaced = isHanded ? invalidate(run, handed, options, context) : replacePending(run, options, context);
  const by = Journal.next(state) === 'sign' ? undefined : yield* replaced;
  // The approval that waited with the payment, or what replaced it, is mined too.
  const before = attemptsOf(run.state()).filter((txHash) => !minedBefore.has(txHash));
  if (by === undefined) {
    // The journal may have lost its end.
    const hasBegun = await Resumption.hasBegun(plan.requestId, await context.service());
    if (hasBegun) throw TransactionReplacement.minedBefore(run.state(), undefined);
    const { origin, user } = plan.intent;
    const counter = { chainId: origin.chain.id, chain: origin.chain.name, address: user as Address.Address };
    const signed = [...run.state().sent.values()].map(({ nonce }) => nonce);
    const known = { signed, isStrict: true, allow: options.allow ?? [] };
    yield* assertKnown({ ...counter, instance: await context.instance() }, known, context);
    await context.confirm(`On ${Place.inWords(context.network)}: cancel the run? Its payment was not signed.`);
  }
  const ending = endingOf(run.state, context);
  const end = ending?.(
    new BaseError('submit.cancelled', 'The run of the line was canceled before its payment was mined.', {
      funds: 'untouched',
      next: ShellCommand.line`ferry runs show ${run.id}`,
      run: run.id,
      requestId: plan.requestId,
    }),
  );
  await run.append({ type: 'outcome', status: 'cancelled', funds: 'untouched', code: null }, undefined, end);
  for (const { formatted, symbol, chain, spender, next } of await findUnusedAllowances(run.state(), context))
    context.warn(`${spender} can still spend ${formatted} ${symbol} on ${chain}. To revoke the allowance: ${next}`);
  return OutcomeDocument.fromCanceled(plan, by === undefined ? 0n : await gasCostOf([by, ...before], plan, context));
}

/**
 * Makes void what the service was given to submit, and returns the transaction that did.
 *
 * @throws run.settled · track.unfinished if it was used first · submit.*
 */
async function* invalidate(
  run: Run,
  handed: GaslessSigning.Handed,
  options: GasOptions,
  context: Context,
): AsyncGenerator<Event, string> {
  const plan = Resumption.planOf(run.state(), context.network);
  const { chain } = plan.intent.origin;
  const { clock, signal } = context;
  try {
    if (run.state().outcome) throw new TransactionReplacement.NothingWaitsError(run.state());
    if (!Invalidation.isPossible(handed, plan)) throw Invalidation.notVoidable(plan, run.id);
    Resumption.assertSender(run.state(), plan.intent.user, await context.sender(), 'runs cancel');
    const node = await context.chain(chain);
    Facts.assertChain(chain, await node.chainId());
    const open = GaslessExecution.openOf(handed, plan, node);
    const { invalidation } = run.state();
    let sent = await Invalidation.sentBefore(invalidation, { node, account: plan.intent.user });
    if (!sent) {
      if (await open?.isUsed()) throw TransactionReplacement.minedBefore(run.state(), undefined);
      const untilMs = open?.untilMs ?? Number.POSITIVE_INFINITY;
      const terms = await gasTerms(chain, options, context, { prices: GasBound.pricesOf(plan.quote) });
      const fees = await boundedPrice(node, terms, context);
      const bill = GasBound.bill(Invalidation.gas, fees, terms);
      await confirmGas(Invalidation.question(plan, untilMs, clock.now()), plan.intent.user, bill, terms, context);
      const foreign = invalidation && (await Invalidation.takenBy(invalidation, plan.intent.user, node));
      const known = { signed: delegatedBy(handed), isStrict: false, allow: options.allow ?? [], foreign };
      const { turn } = yield* takeTurn(await counterOf(chain, context), known, context);
      const account = await context.account();
      const ports = { node, account, turn, fees, journal: run, clock, signal };
      sent = await Invalidation.send(handed, plan, ports).finally(() => turn.release());
      yield { type: 'sent', action: 'cancel', summary: 'Make void what was signed', txHash: sent.txHash };
    }
    const ports = { node, account: plan.intent.user, clock, signal };
    const hasWon = await Invalidation.hasWon(sent, ports, context.config.timeoutMs.value);
    // A transaction can fail, or do nothing, for many reasons. Only the chain says whether the signature is used.
    if (open && !(await open.isUsed())) throw Invalidation.failedInvalidation(sent);
    if (!hasWon) throw TransactionReplacement.minedBefore(run.state(), sent.txHash);
    return sent.txHash;
  } catch (error) {
    // Whatever stopped it, the signature is still out.
    throw Resumption.explained(run.state(), toBaseError(error));
  }
}

/** The hashes of all that the run has signed and that may be mined. */
function attemptsOf({ sent }: Journal.State): string[] {
  return [...sent.values()].flatMap(({ attempts }) => attempts.map(({ txHash }) => txHash));
}

/** What those of the transactions cost that are mined, in wei. */
async function gasCostOf(txHashes: readonly string[], { intent }: Plan.Restored, context: Context): Promise<bigint> {
  const node = await context.chain(intent.origin.chain);
  const receipts = await Promise.all(txHashes.map((txHash) => node.receipt(txHash as Hex)));
  return receipts.reduce((sum, receipt) => sum + (receipt?.fee ?? 0n), 0n);
}

/**
 * Cancels the pending transaction, and returns the one that was mined in its place; undefined if what was pending was
 * only an approval and has been mined by now.
 */
async function* replacePending(
  run: Run,
  options: GasOptions,
  context: Context,
): AsyncGenerator<Event, string | undefined> {
  try {
    const { step, ports } = yield* replaceTransaction(run, 'cancel', options, context);
    const sent = run.state().sent.get(step.index);
    const receipt = sent && (await TransactionSettlement.mined(step, sent, ports, context.config.timeoutMs.value));
    if (Journal.isPaid(run.state())) throw TransactionReplacement.minedBefore(run.state(), receipt?.hash);
    return undefined;
  } catch (error) {
    if (error instanceof TransactionSettlement.CancelledError) return error.txHash;
    if (
      error instanceof TransactionReplacement.NothingWaitsError &&
      Journal.next(run.state()) === 'settle' &&
      !Journal.isPaid(run.state())
    )
      return undefined;
    throw error;
  }
}
