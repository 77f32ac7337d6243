/** Many transfers in one go: a line of a file each, and a line for the result of each. */

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
import type { Wanted } from '../core/ports/UserFiles.js';
import { toBaseError, toJson } from '../core/text/ErrorReport.js';
import * as TerminalText from '../core/text/TerminalText.js';
import { commandLine } from './journalledRun.js';
import { type BatchOptions, batchFlags } from './transferOptions.js';

/** What is done with each line. */
export type Work = {
  deed: TransferEntry.Deed;
  /** How many at once, unless it is said. */
  concurrency: number;
  /** Whether somebody is asked before the first one. */
  asks: boolean;
  /** What the command alone would give for a line, with the options of the batch under its own. */
  carry(line: BatchLine.BatchLine, options: Options, context: Context): Promise<unknown>;
  /** Throws where the line cannot be meant as it stands, before any is begun. */
  assert?(line: BatchLine.BatchLine): void;
};

const wanted: Wanted = {
  what: 'line of a batch',
  code: 'batch.unreadable',
  maxBytes: 64 * 1024,
  hints: { missing: `A line looks like this: ${BatchLine.example}`, notPiped: 'ferry quote --batch - < batch.ndjson' },
};

/**
 * Carries out the lines that the ledger does not have, and writes the result of each.
 *
 * @throws usage.* · batch.* · config.unwritable; what becomes of a line is its result
 */
export async function* runBatch(
  options: BatchOptions,
  context: Context,
  work: Work,
  ledger: BatchLedger | undefined,
): AsyncGenerator<CommandEvent, BatchResult.Totals> {
  const { clock, network, signal } = context;
  const batch = options.batch ?? '-';
  const otherwise = { concurrency: work.concurrency, perSecond: Number.POSITIVE_INFINITY };
  const pace = JobPool.from(options, otherwise);
  const before = { succeeded: 0, failed: 0 };
  let worst: Code | null = null;
  for (const { code } of ledger?.entries.values() ?? []) {
    before[code === null ? 'succeeded' : 'failed']++;
    worst = ErrorSeverity.worse(worst, code);
  }
  const sum = await surveyed(batch, context, work, ledger);
  if (work.asks && sum?.lines !== 0) await context.confirm(question(sum, batch));

  const startedAt = clock.now();
  const done = { succeeded: 0, failed: 0 };
  const stopped: BaseError[] = [];
  const progress = (): CommandEvent => {
    const { succeeded, failed } = done;
    const elapsedMs = clock.now() - startedAt;
    return { type: 'progress', what: 'lines', done: succeeded + failed, total: sum?.lines, failed, elapsedMs };
  };
  async function* jobs(): AsyncGenerator<JobPool.Job<BatchResult.Result>, void> {
    const carry = carrier(options, context, work, stopped);
    for await (const line of reading(batch, context, work, ledger)) {
      signal.throwIfAborted();
      yield () => carry(line);
    }
  }
  try {
    for await (const result of JobPool.run(jobs(), pace, { clock, signal, ordered: !options.unordered })) {
      const event: Event = { type: 'result', ...result };
      if (ledger) {
        ledger.append(context.conceal(EventLine.format(event, network.name)));
        if (work.deed === 'execute') ledger.sync();
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
    const next = ledger ? commandLine(work.deed, args, flags, context) : undefined;
    throw new StoppedError(stopped, { done: done.succeeded + done.failed, next });
  }
  const seconds = (clock.now() - startedAt) / 1000;
  return { batch, out: options.out ?? null, ...done, before, seconds, worst };
}

/**
 * Reads a file to its end before anything is done, so that a batch with a mistake in it does nothing at all. Undefined of
 * standard input, which can be read but once.
 */
async function surveyed(
  batch: string,
  context: Context,
  work: Work,
  ledger: BatchLedger | undefined,
): Promise<BatchSummary.BatchSum | undefined> {
  if (batch === '-') return undefined;
  let sum = BatchSummary.none;
  for await (const line of reading(batch, context, work, ledger)) sum = BatchSummary.add(sum, line);
  return sum;
}

function question(sum: BatchSummary.BatchSum | undefined, batch: string): string {
  if (!sum) return 'Execute every transfer that comes from standard input?';
  return `Execute ${BatchSummary.format(sum)}, from ${TerminalText.escape(batch)}?`;
}

/** The lines that are not in the ledger. @throws batch.* */
async function* reading(
  batch: string,
  context: Context,
  work: Work,
  ledger: BatchLedger | undefined,
): AsyncGenerator<BatchLine.BatchLine, void> {
  const read = BatchLine.createReader(work.deed);
  for await (const raw of context.files.lines(batch, wanted)) {
    const line = read(raw);
    const known = ledger?.entries.get(line.id);
    if (known) BatchResult.assertSame(line, known);
    else {
      work.assert?.(line);
      yield line;
    }
  }
}

/** Carries a line out to its result. Only an interruption is thrown. */
function carrier(
  options: BatchOptions,
  context: Context,
  { deed, carry }: Work,
  stopped: BaseError[],
): (line: BatchLine.BatchLine) => Promise<BatchResult.Result> {
  const own = new Set(Object.keys(batchFlags));
  const common = Object.fromEntries(Object.entries(options).filter(([key]) => !own.has(key)));
  const contexts = new Map<string, Context>();
  const said = new Set<string>();

  /** Lines with the same options share one; a warning that all of them would give is given once. */
  const contextOf = (line: BatchLine.BatchLine, typed: Options): Context => {
    const key = JSON.stringify(line.options);
    const known = contexts.get(key);
    if (known) return known;
    if (contexts.size >= 64) contexts.clear();
    const warn = (text: string): void => {
      if (!said.has(text)) context.warn(`${TerminalText.escape(line.id)}: ${text}`);
      said.add(text);
    };
    const made = { ...context.derive(typed), warn };
    contexts.set(key, made);
    return made;
  };

  return async (line) => {
    const { id, digest, amount, from, to } = line;
    const known = { command: deed, id, digest };
    try {
      const typed = { ...common, ...TransferEntry.typed(line.options), args: [amount, from, to] };
      const data = context.pick(await carry(line, typed, contextOf(line, typed)));
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

/** Where the money of those may be that were under way, worst first. */
const worst: readonly Funds[] = ['unknown', 'held', 'in-flight', 'returned', 'delivered', 'untouched'];

export class StoppedError extends BaseError {
  override name = 'StoppedError';
  constructor(stopped: readonly BaseError[], { done, next }: { done: number; next: string | null | undefined }) {
    const runs = stopped.flatMap(({ run }) => (run === undefined ? [] : [run]));
    const funds = worst.find((each) => stopped.some((error) => error.funds === each)) ?? 'untouched';
    super('prompt.declined', 'The batch was stopped.', {
      facts: [['done', String(done)], ...(runs.length > 0 ? [['under way', runs.join(', ')] as const] : [])],
      hint:
        next === undefined
          ? undefined
          : 'The same command goes on where it was: what is in the ledger is not done again, and what was signed is finished.',
      next: next ?? undefined,
      funds,
    });
  }
}
