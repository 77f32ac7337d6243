import { define } from '../../core/command/Command.js';
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
import { allowancesLeft, written } from '../../transfer/journalledRun.js';
import { opened, replace } from '../../transfer/replaceTransaction.js';
import { resumeFlags } from '../../transfer/resumeRun.js';

const { account, keyFile, passwordFile, timeout } = resumeFlags;

export const command = define({
  description:
    'Takes a run back whose payment is not mined. Where a transaction of it waits, one with the same nonce that does nothing is sent for higher fees, so that at most one of the two is ever mined; where only an approval was mined, nothing is sent and the run is over. What is mined cannot be taken back: then it says so.',
  args: [{ name: 'run', names: 'unfinished-run', description: 'the run, or the end of its name' }],
  options: { account, keyFile, passwordFile, timeout },
  examples: [
    ['ferry runs cancel 20261121-093000-1f2e3d', 'shows the fees and asks'],
    ['ferry runs cancel 1f2e3d --yes --json', 'for a script'],
  ],
  output: OutcomeDocument.schema,
  streams: true,
  async *run({ args }, context) {
    const run = await opened(args[0] ?? '', context);
    yield { type: 'run', run: run.id, folder: (await context.runs()).folder };
    return yield* written(run, cancel(run, context), context);
  },
  view: OutcomeText.format,
  logLine: EventText.format,
});

/** @throws run.settled · track.unfinished where the payment was mined first */
async function* cancel(run: Run, context: Context): AsyncGenerator<Event, OutcomeDocument.OutcomeDocument> {
  const state = run.state();
  if (!state.quote) throw new TransactionReplacement.NothingWaitsError(state);
  const plan = Plan.restored(QuoteDocument.toQuote(state.quote.document, context.network));
  if (Journal.next(state) === 'sign' || !(yield* isTakenBack(run, context)))
    await context.confirm('Give the run up? Its payment was not signed.');
  await run.append({ type: 'outcome', status: 'cancelled', funds: 'untouched', code: null });
  for (const { formatted, symbol, chain, spender, next } of await allowancesLeft(run.state(), context))
    context.warn(`${formatted} ${symbol} on ${chain} may still be taken by ${spender}. To clear it: ${next}`);
  return { ...OutcomeDocument.fromPlan(plan), status: 'cancelled', plan: [] };
}

/** Whether a transaction was taken back; false where only an approval waited, and is mined by now. */
async function* isTakenBack(run: Run, context: Context): AsyncGenerator<Event, boolean> {
  try {
    const { of, world } = yield* replace(run, 'cancel', context);
    const sent = run.state().sent.get(of.step);
    const receipt = sent && (await TransactionSettlement.mined(of, sent, world, context.config.timeoutMs.value));
    if (Journal.isPaid(run.state())) throw new TransactionReplacement.TooLateError(run.state(), receipt?.hash);
    return false;
  } catch (error) {
    if (error instanceof TransactionSettlement.CancelledError) return true;
    if (
      error instanceof TransactionReplacement.NothingWaitsError &&
      Journal.next(run.state()) === 'settle' &&
      !Journal.isPaid(run.state())
    )
      return false;
    throw error;
  }
}
