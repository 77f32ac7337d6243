import type { Context } from '../../context.js';
import * as Journal from '../../core/Journal.js';
import * as Outcome from '../../core/OutcomeDocument.js';
import * as Plan from '../../core/Plan.js';
import * as QuoteDocument from '../../core/QuoteDocument.js';
import * as Replacement from '../../core/Replacement.js';
import type { Run } from '../../core/Run.js';
import * as OutcomeText from '../../core/render/Outcome.js';
import * as ProgressText from '../../core/render/Progress.js';
import * as Settlement from '../../core/Settlement.js';
import { define, type Event } from '../Command.js';
import { resumeFlags } from '../resume.js';
import { allowancesLeft, written } from '../running.js';
import { opened, replace } from './replacing.js';

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
  output: Outcome.schema,
  streams: true,
  async *run({ args }, context) {
    const run = await opened(args[0] ?? '', context);
    yield { type: 'run', run: run.id, folder: (await context.runs()).folder };
    return yield* written(run, cancel(run, context), context);
  },
  view: OutcomeText.format,
  tell: ProgressText.format,
});

/** @throws run.settled · track.unfinished where the payment was mined first */
async function* cancel(run: Run, context: Context): AsyncGenerator<Event, Outcome.OutcomeDocument> {
  const state = run.state();
  if (!state.quote) throw new Replacement.NothingWaitsError(state);
  const plan = Plan.restored(QuoteDocument.toQuote(state.quote.document, context.network));
  if (Journal.next(state) === 'sign' || !(yield* isTakenBack(run, context)))
    await context.confirm('Give the run up? Its payment was not signed.');
  await run.append({ type: 'outcome', status: 'cancelled', funds: 'untouched', code: null });
  for (const { formatted, symbol, chain, spender, next } of await allowancesLeft(run.state(), context))
    context.warn(`${formatted} ${symbol} on ${chain} may still be taken by ${spender}. To clear it: ${next}`);
  return { ...Outcome.fromPlan(plan), status: 'cancelled', plan: [] };
}

/** Whether a transaction was taken back; false where only an approval waited, and is mined by now. */
async function* isTakenBack(run: Run, context: Context): AsyncGenerator<Event, boolean> {
  try {
    const { of, world } = yield* replace(run, 'cancel', context);
    const sent = run.state().sent.get(of.step);
    const receipt = sent && (await Settlement.mined(of, sent, world, context.config.timeoutMs.value));
    if (Journal.isPaid(run.state())) throw new Replacement.TooLateError(run.state(), receipt?.hash);
    return false;
  } catch (error) {
    if (error instanceof Settlement.CancelledError) return true;
    if (
      error instanceof Replacement.NothingWaitsError &&
      Journal.next(run.state()) === 'settle' &&
      !Journal.isPaid(run.state())
    )
      return false;
    throw error;
  }
}
