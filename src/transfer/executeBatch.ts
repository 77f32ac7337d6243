/** A batch of executions: each line pays once, however often the batch is restarted. */

import { BaseError } from '../core/base/Errors.js';
import type { BatchLine } from '../core/batch/BatchLine.js';
import * as BatchResult from '../core/batch/BatchResult.js';
import type { Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { CommandEvent } from '../core/event/DisplayEvent.js';
import type { Event } from '../core/event/Event.js';
import type { OutcomeDocument } from '../core/execution/OutcomeDocument.js';
import * as Journal from '../core/tracking/Journal.js';
import type { LineRun } from '../core/tracking/RunStore.js';
import { runBatch } from './batch.js';
import { type BatchLineSource, commandLine, withJournal } from './journalledRun.js';
import { type resumeFlags, resumeTransfer } from './resumeRun.js';

/** Executes a line that was never started. */
type Execute = (options: Options, context: Context, line: BatchLineSource) => AsyncGenerator<Event, OutcomeDocument>;

type BatchOptions = Parameters<typeof runBatch>[0] & { again?: boolean | undefined };

/**
 * Executes every line that the ledger does not have. A line that an earlier process started is finished from its
 * journal.
 *
 * @throws usage.* · batch.* · config.unwritable
 */
export async function* executeBatch(
  options: BatchOptions,
  context: Context,
  execute: Execute,
): AsyncGenerator<CommandEvent, BatchResult.Totals> {
  const { batch = '-', out, retryFailed } = options;
  if (out === undefined) throw new NoLedgerError(batch);
  const { network } = context;
  const instance = await context.instance();
  const ledger = await context.ledger(out, { command: 'execute', network: network.name, retryFailed });
  try {
    if (ledger.isTorn)
      context.warn('The last line of the ledger was incomplete: that transfer is looked up in its journal.');
    const runs = await context.runs();
    const place = { network: network.name, instance: instance ?? null };
    const started = new Map<string, LineRun>();
    for (const each of options.again ? [] : await runs.unrecordedLines(place))
      if (each.ledger === ledger.path && !started.has(each.id)) started.set(each.id, each);
    const { args, ...flags } = options;
    const command = commandLine('execute', args, flags, context);
    const lineOf = ({ id, digest }: BatchLine): BatchLineSource => ({
      place: { ledger: ledger.path, id, digest },
      command,
    });

    return yield* runBatch(
      options,
      context,
      {
        command: 'execute',
        concurrency: 1,
        confirms: true,
        assert(line) {
          const before = started.get(line.id);
          if (before) BatchResult.assertSame(line, before);
        },
        async runLine(line, typed, within) {
          const before = started.get(line.id);
          const finished = before && (await finish(before.run, { ...typed, retryFailed }, within));
          return finished ?? resultOf(execute(typed, within, lineOf(line)));
        },
      },
      ledger,
    );
  } finally {
    ledger.close();
  }
}

/**
 * Finishes a run of an earlier process. Returns undefined if the line must start again: nothing was signed, or the run
 * failed with funds untouched and `--retry-failed` is set.
 */
async function finish(
  name: string,
  { retryFailed = false, ...options }: Options<typeof resumeFlags> & { retryFailed?: boolean | undefined },
  context: Context,
): Promise<OutcomeDocument | undefined> {
  const runs = await context.runs();
  const run = await runs.open(name);
  const state = run.state();
  const mayHavePaid = Journal.hasSigned(state) || state.taken !== undefined;
  if (!mayHavePaid || state.outcome?.code) run.close();
  if (!mayHavePaid || (retryFailed && state.outcome?.code && state.outcome.funds === 'untouched')) return undefined;
  if (state.outcome?.code) throw new EndedError(state);
  // The transfers were confirmed when the batch started: questions are answered yes, with a warning.
  const confirmed: Context = {
    ...context,
    confirm: async (question) => context.warn(`${question} Yes, confirmed for the whole batch.`),
  };
  return resultOf(withJournal(run, resumeTransfer(run, options, confirmed), confirmed));
}

/** The result of a run. Its events are dropped, since those of concurrent lines would interleave. */
async function resultOf<T>(running: AsyncGenerator<Event, T>): Promise<T> {
  let step = await running.next();
  while (!step.done) step = await running.next();
  return step.value;
}

export class NoLedgerError extends BaseError {
  override name = 'NoLedgerError';
  constructor(batch: string) {
    super('usage.missing', 'A batch that pays needs a ledger: name its file with --out.', {
      hint: 'With a ledger, an interrupted batch can continue and pays nothing twice.',
      next: `ferry execute --batch ${batch} --out results.ndjson`,
    });
  }
}

/** The line's run failed in an earlier process, which stopped before it could write the result. */
export class EndedError extends BaseError {
  override name = 'EndedError';
  constructor({ run, outcome, quote }: Journal.State) {
    super(
      (outcome?.code ?? 'internal.bug') as BaseError['code'],
      'The transfer failed before the batch was restarted.',
      {
        facts: outcome ? [['status', outcome.status]] : [],
        funds: outcome?.funds,
        next: `ferry runs show ${run}`,
        run,
        requestId: quote?.requestId,
      },
    );
  }
}
