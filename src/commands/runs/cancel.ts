import type { Hex } from '../../core/base/Hex.js';
import { define, type Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import type { Event } from '../../core/event/Event.js';
import * as OutcomeDocument from '../../core/execution/OutcomeDocument.js';
import * as Plan from '../../core/execution/Plan.js';
import * as TransactionReplacement from '../../core/execution/TransactionReplacement.js';
import * as TransactionSettlement from '../../core/execution/TransactionSettlement.js';
import * as QuoteDocument from '../../core/quote/QuoteDocument.js';
import * as Journal from '../../core/tracking/Journal.js';
import type { Run } from '../../core/tracking/RunStore.js';
import * as EventText from '../../core/view/EventText.js';
import * as OutcomeText from '../../core/view/OutcomeText.js';
import { unquotedGasFlags } from '../../setup/limitGas.js';
import { findUnusedAllowances, withJournal } from '../../transfer/journalledRun.js';
import { openRun, replaceTransaction } from '../../transfer/replaceTransaction.js';
import { resumeFlags } from '../../transfer/resumeRun.js';

const { account, keyFile, passwordFile, timeout, takeOver } = resumeFlags;

export const command = define({
  description:
    'Cancels a run whose payment is not mined. A pending transaction is replaced by an empty one with the same nonce and higher fees, so at most one of the two is ever mined. If the chain lacks earlier nonces of the account, empty transactions fill them. If only an approval was mined, nothing is sent and the run ends. A mined payment cannot be canceled; ferry then reports that.',
  args: [{ name: 'run', names: 'unfinished-run', description: 'the run id or its last characters' }],
  options: { account, keyFile, passwordFile, timeout, takeOver, ...unquotedGasFlags },
  examples: [
    ['ferry runs cancel 20261121-093000-1f2e3d', 'show the fees and ask'],
    ['ferry runs cancel 1f2e3d --yes --json', 'in a script'],
  ],
  output: OutcomeDocument.schema,
  streams: true,
  async *run(options, context) {
    const run = await openRun(options.args[0] ?? '', context);
    yield { type: 'run', run: run.id, folder: (await context.runs()).folder };
    return yield* withJournal(run, cancel(run, options, context), context);
  },
  view: OutcomeText.format,
  logLine: EventText.format,
});

type GasOptions = Pick<Options<typeof unquotedGasFlags>, 'allow'>;

/** @throws run.settled · track.unfinished if the payment was mined first */
async function* cancel(
  run: Run,
  options: GasOptions,
  context: Context,
): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const state = run.state();
  if (!state.quote) throw new TransactionReplacement.NothingWaitsError(state);
  const plan = Plan.restored(QuoteDocument.toQuote(state.quote.document, context.network));
  const by = Journal.next(state) === 'sign' ? undefined : yield* replacePending(run, options, context);
  if (by === undefined) await context.confirm('Cancel the run? Its payment was not signed.');
  await run.append({ type: 'outcome', status: 'cancelled', funds: 'untouched', code: null });
  for (const { formatted, symbol, chain, spender, next } of await findUnusedAllowances(run.state(), context))
    context.warn(`${spender} can still spend ${formatted} ${symbol} on ${chain}. To revoke the allowance: ${next}`);
  return OutcomeDocument.fromCanceled(plan, by === undefined ? 0n : await gasCostOf(by, plan, context));
}

/** What a mined transaction cost in wei. */
async function gasCostOf(txHash: string, { intent }: Plan.Restored, context: Context): Promise<bigint> {
  const receipt = await (await context.chain(intent.origin.chain)).receipt(txHash as Hex);
  return receipt ? receipt.gasUsed * receipt.effectiveGasPrice : 0n;
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
    const { of, world } = yield* replaceTransaction(run, 'cancel', options, context);
    const sent = run.state().sent.get(of.step);
    const receipt = sent && (await TransactionSettlement.mined(of, sent, world, context.config.timeoutMs.value));
    if (Journal.isPaid(run.state())) throw new TransactionReplacement.TooLateError(run.state(), receipt?.hash);
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
