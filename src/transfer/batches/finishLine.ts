/** Finishes what another process has begun of a line: of a batch in a file, or in a store. */

import { BaseError } from '../../core/base/Errors.js';
import type { Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import type { Event } from '../../core/event/Event.js';
import type { OutcomeDocument } from '../../core/execution/OutcomeDocument.js';
import * as Resumption from '../../core/execution/Resumption.js';
import * as ShellCommand from '../../core/text/ShellCommand.js';
import * as Journal from '../../core/tracking/Journal.js';
import { withJournal } from '../journalledRun.js';
import type { Ending } from '../lineEnding.js';
import { type resumeFlags, resumeTransfer } from '../resumeRun.js';

/**
 * Finishes a run of an earlier process. Returns undefined if the line must start again: nothing was signed, or the run
 * failed with funds untouched and `--retry-failed` is set.
 */
export async function finish(
  name: string,
  { retryFailed = false, ...options }: Options<typeof resumeFlags> & { retryFailed?: boolean | undefined },
  context: Context,
  ending?: Ending<OutcomeDocument>,
): Promise<OutcomeDocument | undefined> {
  const runs = await context.runs();
  const run = await runs.open(name);
  const state = run.state();
  // What somebody else wrote does not say that a line was not paid, or that it has ended.
  if (!run.isOwn && !options.allow?.includes(Resumption.journalCheck)) {
    run.close();
    throw Resumption.unprovedRun(state, state.summary, 'resume');
  }
  const mayHavePaid = Journal.hasSigned(state) || state.taken !== undefined;
  // A canceled run has no code.
  const hasFailed = state.outcome !== undefined && (state.outcome.code !== null || state.outcome.funds === 'untouched');
  if (!mayHavePaid || hasFailed) run.close();
  if (!mayHavePaid || (retryFailed && hasFailed && state.outcome?.funds === 'untouched')) return undefined;
  if (hasFailed)
    throw new BaseError(
      (state.outcome?.code ?? 'submit.cancelled') as BaseError['code'],
      'The transfer failed before the batch was restarted.',
      {
        facts: state.outcome ? [['status', state.outcome.status]] : [],
        funds: state.outcome?.funds,
        next: ShellCommand.line`ferry runs show ${state.run}`,
        run: state.run,
        requestId: state.quote?.requestId,
      },
    );
  // The transfers were confirmed when the batch started: questions are answered yes, with a warning.
  const confirmed: Context = {
    ...context,
    confirm: async (question) => context.warn(`${question} Yes, confirmed for the whole batch.`),
  };
  return resultOf(withJournal(run, resumeTransfer(run, options, confirmed), confirmed, ending));
}

/**
 * The result of a run. Its events are dropped, since those of concurrent lines would interleave.
 *
 * @param told called with each event before the run goes on
 */
export async function resultOf<T>(running: AsyncGenerator<Event, T>, told?: (event: Event) => void): Promise<T> {
  let step = await running.next();
  while (!step.done) {
    told?.(step.value);
    step = await running.next();
  }
  return step.value;
}
