/** A batch of executions: each line pays once, however often the batch is taken up again. */

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
import { commandLine, type LineOf, written } from './journalledRun.js';
import { resumed, type resumeFlags } from './resumeRun.js';

/** What carries out a line that was never begun. */
type Execute = (options: Options, context: Context, line: LineOf) => AsyncGenerator<Event, OutcomeDocument>;

type BatchOptions = Parameters<typeof runBatch>[0] & { again?: boolean | undefined };

/**
 * Carries out every line that the ledger does not have. A line that an earlier process began is brought to its end by its
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
    if (ledger.isTorn) context.warn('The last line of the ledger was torn: that transfer is looked up in its journal.');
    const runs = await context.runs();
    const place = { network: network.name, instance: instance ?? null };
    const begun = options.again ? new Map<string, LineRun>() : await runs.ofLedger(ledger.path, place);
    const { args, ...flags } = options;
    const command = commandLine('execute', args, flags, context);
    const lineOf = ({ id, digest }: BatchLine): LineOf => ({ place: { ledger: ledger.path, id, digest }, command });

    return yield* runBatch(
      options,
      context,
      {
        deed: 'execute',
        concurrency: 1,
        asks: true,
        assert(line) {
          const before = begun.get(line.id);
          if (before) BatchResult.assertSame(line, before);
        },
        async carry(line, typed, within) {
          const before = begun.get(line.id);
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
 * Brings a run of an earlier process to its end. Undefined where it is begun anew: nothing of it was signed, or it failed
 * with nothing moved and that is wanted.
 */
async function finish(
  name: string,
  { retryFailed = false, ...options }: Options<typeof resumeFlags> & { retryFailed?: boolean | undefined },
  context: Context,
): Promise<OutcomeDocument | undefined> {
  const runs = await context.runs();
  const run = await runs.open(name);
  const state = run.state();
  const isOwed = Journal.hasSigned(state) || state.taken !== undefined;
  if (!isOwed || state.outcome?.code) run.close();
  if (!isOwed || (retryFailed && state.outcome?.code && state.outcome.funds === 'untouched')) return undefined;
  if (state.outcome?.code) throw new EndedError(state);
  // Whoever started the batch has agreed to its transfers, and is told what becomes of that.
  const agreed: Context = { ...context, confirm: async (question) => context.warn(`${question} Yes, for the batch.`) };
  return resultOf(written(run, resumed(run, options, agreed), agreed));
}

/** What it comes to; what happens on the way is one of many things that happen at once. */
async function resultOf<T>(running: AsyncGenerator<Event, T>): Promise<T> {
  let step = await running.next();
  while (!step.done) step = await running.next();
  return step.value;
}

export class NoLedgerError extends BaseError {
  override name = 'NoLedgerError';
  constructor(batch: string) {
    super('usage.missing', 'A batch that pays needs a ledger: name its file with --out.', {
      hint: 'By it a batch that was interrupted goes on where it was, and pays nothing twice.',
      next: `ferry execute --batch ${batch} --out results.ndjson`,
    });
  }
}

/** The line's run has failed for good in an earlier process, which did not come to write its result. */
export class EndedError extends BaseError {
  override name = 'EndedError';
  constructor({ run, outcome, quote }: Journal.State) {
    super(
      (outcome?.code ?? 'internal.bug') as BaseError['code'],
      'The transfer ended so before the batch was taken up again.',
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
