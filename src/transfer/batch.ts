/** Runs a batch: a file with one transfer per line, and one result line for each. */

import * as ErrorSeverity from '../core/base/ErrorSeverity.js';
import { BaseError, type Code, type Funds } from '../core/base/Errors.js';
import type { BatchLedger } from '../core/batch/BatchLedger.js';
import * as BatchLine from '../core/batch/BatchLine.js';
import * as BatchResult from '../core/batch/BatchResult.js';
import * as BatchSummary from '../core/batch/BatchSummary.js';
import * as JobPool from '../core/batch/JobPool.js';
import * as TransferEntry from '../core/batch/TransferEntry.js';
import type { Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import type { CommandEvent } from '../core/event/DisplayEvent.js';
import type { Event } from '../core/event/Event.js';
import * as EventLine from '../core/event/EventLine.js';
import type { Expected } from '../core/ports/UserFiles.js';
import { toBaseError, toJson } from '../core/text/ErrorReport.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { commandLine } from './journalledRun.js';
import { type BatchOptions, batchFlags } from './transferOptions.js';

/** The work to do for each line. */
export type Work = {
  command: TransferEntry.Action;
  /** Concurrent lines, unless `--concurrency` is given. */
  concurrency: number;
  /** Whether to ask for confirmation before the first line. */
  confirms: boolean;
  /** Runs the command for one line, whose own options take precedence over those of the batch. */
  runLine(line: BatchLine.BatchLine, options: Options, context: Context): Promise<unknown>;
  /** Throws if a line is inconsistent; called for every line before the first one runs. */
  assert?(line: BatchLine.BatchLine): void;
};

const lineFormat: Expected = {
  what: 'line of a batch',
  code: 'batch.unreadable',
  maxBytes: 64 * 1024,
  hints: { missing: `A line looks like this: ${BatchLine.example}`, notPiped: 'ferry quote --batch - < batch.ndjson' },
};

/**
 * Runs the lines that the ledger does not have, and writes the result of each.
 *
 * @throws usage.* · batch.* · config.unwritable; a line that fails is a result and does not throw
 */
export async function* runBatch(
  options: BatchOptions,
  context: Context,
  work: Work,
  ledger: BatchLedger | undefined,
): AsyncGenerator<CommandEvent, BatchResult.Totals> {
  const { clock, network, signal } = context;
  const batch = options.batch ?? '-';
  const defaults = { concurrency: work.concurrency, perSecond: Number.POSITIVE_INFINITY };
  const pace = JobPool.from(options, defaults);
  const before = { succeeded: 0, failed: 0 };
  let worst: Code | null = null;
  for (const { code } of ledger?.entries.values() ?? []) {
    before[code === null ? 'succeeded' : 'failed']++;
    worst = ErrorSeverity.worse(worst, code);
  }
  const sum = await summarize(batch, context, work, ledger);
  if (work.confirms && sum?.lines !== 0) await context.confirm(question(sum, batch));

  const startedAt = clock.now();
  const done = { succeeded: 0, failed: 0 };
  const stopped: BaseError[] = [];
  const progress = (): CommandEvent => {
    const { succeeded, failed } = done;
    const elapsedMs = clock.now() - startedAt;
    return { type: 'progress', what: 'lines', done: succeeded + failed, total: sum?.lines, failed, elapsedMs };
  };
  async function* jobs(): AsyncGenerator<JobPool.Job<BatchResult.Result>, void> {
    const carry = lineRunner(options, context, work, stopped);
    for await (const line of pendingLines(batch, context, work, ledger)) {
      signal.throwIfAborted();
      yield () => carry(line);
    }
  }
  try {
    for await (const result of JobPool.run(jobs(), pace, { clock, signal, ordered: !options.unordered })) {
      const event: Event = { type: 'result', ...result };
      if (ledger) {
        ledger.append(context.conceal(EventLine.format(event, network.name)));
        if (work.command === 'execute') ledger.sync();
      }
      done[result.ok ? 'succeeded' : 'failed']++;
      worst = ErrorSeverity.worse(worst, result.error?.code ?? null);
      yield event;
      yield progress();
    }
    ledger?.sync();
  } catch (error) {
    if (!signal.aborted) throw error;
    const { args, ...flags } = options;
    const next = ledger ? commandLine(work.command, args, flags, context) : undefined;
    throw new StoppedError(stopped, { done: done.succeeded + done.failed, next });
  }
  const seconds = (clock.now() - startedAt) / 1000;
  return { batch, out: options.out ?? null, ...done, before, seconds, worst };
}

/**
 * Reads the whole file before the first line runs, so a batch with a malformed line does nothing at all. Returns
 * undefined for standard input, which can be read only once.
 */
async function summarize(
  batch: string,
  context: Context,
  work: Work,
  ledger: BatchLedger | undefined,
): Promise<BatchSummary.BatchSummary | undefined> {
  if (batch === '-') return undefined;
  let sum = BatchSummary.none;
  for await (const line of pendingLines(batch, context, work, ledger)) sum = BatchSummary.add(sum, line);
  return sum;
}

function question(sum: BatchSummary.BatchSummary | undefined, batch: string): string {
  if (!sum) return 'Execute every transfer from standard input?';
  return `Execute ${BatchSummary.format(sum)}, from ${TerminalText.escape(batch)}?`;
}

/** The lines that are not in the ledger. @throws batch.* */
async function* pendingLines(
  batch: string,
  context: Context,
  work: Work,
  ledger: BatchLedger | undefined,
): AsyncGenerator<BatchLine.BatchLine, void> {
  const read = BatchLine.createReader(work.command, batch);
  for await (const raw of context.files.lines(batch, lineFormat)) {
    const line = read(raw);
    const known = ledger?.entries.get(line.id);
    if (known) BatchResult.assertSame(line, known);
    else {
      work.assert?.(line);
      yield line;
    }
  }
}

/** Returns a function that runs a line and returns its result. It throws only if interrupted. */
function lineRunner(
  options: BatchOptions,
  context: Context,
  { command, runLine }: Work,
  stopped: BaseError[],
): (line: BatchLine.BatchLine) => Promise<BatchResult.Result> {
  const batchOnly = new Set(Object.keys(batchFlags));
  const common = Object.fromEntries(Object.entries(options).filter(([key]) => !batchOnly.has(key)));
  const contexts = new Map<string, Context>();
  const warned = new Set<string>();

  /** Lines with the same options share a context. Each distinct warning is given once. */
  const contextOf = (line: BatchLine.BatchLine, typed: Options): Context => {
    const key = JSON.stringify(line.options);
    const known = contexts.get(key);
    if (known) return known;
    if (contexts.size >= 64) contexts.clear();
    const warn = (text: string): void => {
      if (!warned.has(text)) context.warn(`${TerminalText.escape(line.id)}: ${text}`);
      warned.add(text);
    };
    const derived = { ...context.derive(typed), warn };
    contexts.set(key, derived);
    return derived;
  };

  return async (line) => {
    const { id, digest, amount, from, to } = line;
    const known = { command: command, id, digest };
    try {
      const typed = { ...common, ...TransferEntry.typed(line.options), args: [amount, from, to] };
      const data = context.pick(await runLine(line, typed, contextOf(line, typed)));
      return { ...known, ok: true, data, error: null };
    } catch (thrown) {
      const error = toBaseError(thrown);
      if (context.signal.aborted) {
        stopped.push(error);
        throw error;
      }
      return { ...known, ok: false, data: null, error: toJson(error) };
    }
  };
}

/** Where funds may be, worst first. */
const worstFirst: readonly Funds[] = ['unknown', 'held', 'in-flight', 'returned', 'delivered', 'untouched'];

export class StoppedError extends BaseError {
  override name = 'StoppedError';
  constructor(stopped: readonly BaseError[], { done, next }: { done: number; next: string | null | undefined }) {
    const runs = stopped.flatMap(({ run }) => (run === undefined ? [] : [run]));
    const funds = worstFirst.find((each) => stopped.some((error) => error.funds === each)) ?? 'untouched';
    super('prompt.declined', 'The batch was stopped.', {
      facts: [['done', String(done)], ...(runs.length > 0 ? [['in progress', runs.join(', ')] as const] : [])],
      hint:
        next === undefined
          ? undefined
          : 'Run the same command to continue: lines in the ledger are skipped, and transfers already signed are finished.',
      next: next ?? undefined,
      funds,
    });
  }
}
