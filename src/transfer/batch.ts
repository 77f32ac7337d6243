/** Runs a batch: a file with one transfer per line, and one result line for each. */

import * as ErrorSeverity from '../core/base/ErrorSeverity.js';
import { BaseError, type Funds } from '../core/base/Errors.js';
import * as Announcements from '../core/batch/Announcements.js';
import type { BatchLedger } from '../core/batch/BatchLedger.js';
import * as BatchLine from '../core/batch/BatchLine.js';
import * as BatchMistakes from '../core/batch/BatchMistakes.js';
import * as BatchResult from '../core/batch/BatchResult.js';
import * as BatchSummary from '../core/batch/BatchSummary.js';
import * as JobPool from '../core/batch/JobPool.js';
import * as ServiceWatch from '../core/batch/ServiceWatch.js';
import * as TransferEntry from '../core/batch/TransferEntry.js';
import type { Options } from '../core/command/Command.js';
import type { Context } from '../core/command/Context.js';
import * as SettingDefinitions from '../core/config/SettingDefinitions.js';
import type { CommandEvent } from '../core/event/DisplayEvent.js';
import type { Event } from '../core/event/Event.js';
import * as EventLine from '../core/event/EventLine.js';
import type { Service } from '../core/ports/Ports.js';
import type { Expected, Rereadable } from '../core/ports/UserFiles.js';
import * as Currency from '../core/quote/Currency.js';
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
  /** Throws if a line is inconsistent with an earlier run; called for every line before the first one runs. */
  assert?(line: BatchLine.BatchLine): void;
  /**
   * Checks what is known about a line without the service; called for every line before the first one runs.
   *
   * @param read completes a currency, and remembers it
   */
  check(
    line: BatchLine.BatchLine,
    options: Options,
    context: Context,
    read: (text: string) => Promise<Currency.Currency>,
  ): Promise<void>;
  /** Called with the id of a line once its result is in the ledger and on disk. */
  recorded?(id: string): Promise<void>;
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
  const { clock, files } = context;
  const batch = options.batch ?? '-';
  const pace = JobPool.from(options, { concurrency: work.concurrency, perSecond: Number.POSITIVE_INFINITY });
  // Quotes of lines that are piped in begin while they arrive: nothing is paid.
  const isStreamed = batch === '-' && !work.confirms;
  const source = isStreamed ? oneReading(batch, context) : await files.reread(batch, lineFormat);
  try {
    const given = { options, context, work, ledger, source, contextOf: createLineContexts(options, context) };
    const sum = isStreamed ? undefined : await summarize(given);
    if (work.confirms && sum && sum.lines > 0) await context.confirm(question(sum, batch));
    const startedAt = clock.now();
    const done = yield* runLines(given, pace, isStreamed ? undefined : sum);
    const seconds = (clock.now() - startedAt) / 1000;
    const before = { succeeded: ledger?.before.succeeded ?? 0, failed: ledger?.before.failed ?? 0 };
    return { batch, out: options.out ?? null, ...done, before, seconds };
  } finally {
    source.close();
  }
}

/** A batch that is read, and what is needed to run its lines. */
type Given = {
  options: BatchOptions;
  context: Context;
  work: Work;
  ledger: BatchLedger | undefined;
  source: Rereadable;
  contextOf: ReturnType<typeof createLineContexts>;
};

/** Runs the lines; `sum` is undefined if they have not been read before. */
async function* runLines(
  given: Given,
  pace: JobPool.Limits,
  sum: BatchSummary.BatchSummary | undefined,
): AsyncGenerator<CommandEvent, Pick<BatchResult.Totals, 'succeeded' | 'failed' | 'worst'>> {
  const { options, context, work, ledger } = given;
  const { clock, network, signal, config } = context;
  const startedAt = clock.now();
  const done = { succeeded: 0, failed: 0 };
  let worst = ledger?.before.worst ?? null;
  const stopped: BaseError[] = [];
  const progress = (): CommandEvent => {
    const { succeeded, failed } = done;
    const elapsedMs = clock.now() - startedAt;
    return { type: 'progress', what: 'lines', done: succeeded + failed, total: sum?.lines, failed, elapsedMs };
  };
  const beside = Announcements.create<Event>();
  const watch = ServiceWatch.create({
    clock,
    signal,
    timeoutMs: config.timeoutMs.value,
    lost: ({ message }) => beside.say(serviceEvent(false, `${message} ${waitingFor(config.timeoutMs.value)}`)),
    back: (afterMs) => beside.say(serviceEvent(true, `The service answers again, after ${seconds(afterMs)} s.`)),
  });
  const carry = lineRunner(given, { stopped, watch, ended: () => done.succeeded + done.failed });
  const begun = new Map<number, string>();
  async function* jobs(): AsyncGenerator<JobPool.Job<Ended>, void> {
    let index = 0;
    for await (const line of sum ? pendingLines(given) : checkedLines(given)) {
      signal.throwIfAborted();
      const mine = index++;
      yield () => {
        begun.set(mine, line.id);
        return carry(line).then((result) => ({ index: mine, result }));
      };
    }
  }
  const heldUp = (index: number, results: number): void => beside.say(heldUpEvent(begun.get(index) ?? '', results));
  try {
    const running = JobPool.run(jobs(), pace, { clock, signal, ordered: !options.unordered, heldUp });
    for await (const each of beside.among(running)) {
      if ('type' in each) {
        yield each;
        continue;
      }
      const { index, result } = each;
      begun.delete(index);
      const event: Event = { type: 'result', ...result };
      if (ledger) {
        ledger.append(context.conceal(EventLine.format(event, network.name)));
        if (work.command === 'execute') {
          ledger.sync();
          await work.recorded?.(result.id);
        }
      }
      done[result.ok ? 'succeeded' : 'failed']++;
      worst = ErrorSeverity.worse(worst, result.error?.code ?? null);
      yield event;
      yield progress();
    }
    ledger?.sync();
  } catch (error) {
    const isLost = error instanceof BaseError && stopped.includes(error) && !signal.aborted;
    if (!signal.aborted && !isLost) throw error;
    const { args, ...flags } = options;
    const next = ledger ? commandLine(work.command, args, flags, context) : undefined;
    throw new StoppedError(stopped, { done: done.succeeded + done.failed, next, lost: isLost ? error : undefined });
  } finally {
    watch.close();
  }
  return { ...done, worst };
}

type Ended = { index: number; result: BatchResult.Result };

function serviceEvent(answers: boolean, summary: string): Event {
  return { type: 'service', answers, summary };
}

function waitingFor(timeoutMs: number): string {
  return `The batch waits for it for up to ${seconds(timeoutMs)} s, then goes on by itself.`;
}

function heldUpEvent(id: string, results: number): Event {
  const waiting = results === 1 ? 'The result of 1 later line waits' : `The results of ${results} later lines wait`;
  const summary = `Line "${id}" takes long. ${waiting} for it, since results are in order; --unordered does not wait.`;
  return { type: 'held-up', id, results, summary };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

/** Standard input, whose lines are read while they run. */
function oneReading(batch: string, { files }: Context): Rereadable {
  return { lines: () => files.lines(batch, lineFormat), close() {} };
}

/**
 * Reads the whole batch before the first line runs, so a batch with a mistake does nothing at all.
 *
 * @throws batch.*, with every mistake that is known without the service
 */
async function summarize(given: Given): Promise<BatchSummary.BatchSummary> {
  const { context } = given;
  const read = currencyReader(context);
  let sum = BatchSummary.none;
  let mistakes = BatchMistakes.none;
  const note = (mistake: BatchMistakes.Mistake): void => {
    mistakes = BatchMistakes.add(mistakes, mistake);
  };
  for await (const line of pendingLines(given, note)) {
    context.signal.throwIfAborted();
    const error = await mistakeIn(line, given, read);
    if (error) note({ number: line.number, id: line.id, error });
    else if (mistakes.count === 0) sum = BatchSummary.add(sum, line);
  }
  BatchMistakes.assertNone(mistakes);
  return sum;
}

/** The lines of a batch that is read only once. @throws batch.* at the first mistake */
async function* checkedLines(given: Given): AsyncGenerator<BatchLine.BatchLine, void> {
  const read = currencyReader(given.context);
  for await (const line of pendingLines(given)) {
    const error = await mistakeIn(line, given, read);
    if (error) throw new BatchMistakes.MistakeError({ number: line.number, id: line.id, error });
    yield line;
  }
}

/** @throws chain.* if a token cannot be read from its contract */
async function mistakeIn(
  line: BatchLine.BatchLine,
  { work, contextOf }: Given,
  read: (text: string) => Promise<Currency.Currency>,
): Promise<BaseError | undefined> {
  try {
    const { typed, within } = contextOf(line);
    await work.check(line, typed, within, read);
    return undefined;
  } catch (error) {
    if (BatchMistakes.isOne(error)) return error;
    throw error;
  }
}

/** Reads each currency once, however many lines have it. */
function currencyReader({ network, chain }: Context): (text: string) => Promise<Currency.Currency> {
  const known = new Map<string, Promise<Currency.Currency>>();
  return (text) => {
    if (known.size >= 1_000) known.clear();
    const found = known.get(text) ?? (async () => Currency.read(Currency.parse(text, network), chain))();
    known.set(text, found);
    return found;
  };
}

function question(sum: BatchSummary.BatchSummary, batch: string): string {
  const place = batch === '-' ? 'standard input' : TerminalText.escape(batch);
  return `Execute ${BatchSummary.format(sum)}, from ${place}?`;
}

/**
 * The lines that are not in the ledger.
 *
 * @param note called for a line that cannot be read; without it, such a line is an error
 * @throws batch.*
 */
async function* pendingLines(
  { options, work, ledger, source }: Given,
  note?: (mistake: BatchMistakes.Mistake) => void,
): AsyncGenerator<BatchLine.BatchLine, void> {
  const read = BatchLine.createReader(work.command, options.batch ?? '-');
  for await (const raw of source.lines()) {
    let line: BatchLine.BatchLine;
    try {
      line = read(raw);
    } catch (error) {
      if (!note || !BatchMistakes.isOne(error)) throw error;
      note({ number: raw.number, id: undefined, error });
      continue;
    }
    const known = ledger?.find(line);
    if (known === 'other') throw new BatchResult.OtherTransferError(line);
    if (known === 'same') continue;
    work.assert?.(line);
    yield line;
  }
}

/** Returns a function that gives the options of a line as typed, and its context, which similar lines share. */
function createLineContexts(
  options: BatchOptions,
  context: Context,
): (line: BatchLine.BatchLine) => { typed: Options; within: Context } {
  const batchOnly = new Set(Object.keys(batchFlags));
  const common = Object.fromEntries(Object.entries(options).filter(([key]) => !batchOnly.has(key)));
  const settings = new Set(
    SettingDefinitions.properties.map((property) => SettingDefinitions.definitions[property].key as string),
  );
  const contexts = new Map<string, Context>();
  const warned = new Set<string>();
  return ({ id, amount, from, to, options: own }) => {
    const typed = { ...common, ...TransferEntry.typed(own), args: [amount, from, to] };
    const key = JSON.stringify(Object.entries(own).filter(([name]) => settings.has(name)));
    const known = contexts.get(key);
    if (known) return { typed, within: known };
    if (contexts.size >= 64) contexts.clear();
    // Each distinct warning is given once.
    const warn = (text: string): void => {
      if (!warned.has(text)) context.warn(`${TerminalText.escape(id)}: ${text}`);
      warned.add(text);
    };
    const within = { ...context.derive(typed), warn };
    contexts.set(key, within);
    return { typed, within };
  };
}

/** What the lines of a batch share while they run. */
type Shared = {
  /** The errors of the lines that were stopped. */
  stopped: BaseError[];
  watch: ServiceWatch.ServiceWatch;
  /** The number of results so far. */
  ended(): number;
};

/** Returns a function that runs a line and returns its result. It throws only if the batch is stopped. */
function lineRunner(
  { context, work, contextOf }: Given,
  { stopped, watch, ended }: Shared,
): (line: BatchLine.BatchLine) => Promise<BatchResult.Result> {
  const { command, runLine } = work;
  let watched: Promise<Service> | undefined;
  const service = (): Promise<Service> => {
    watched ??= context.service().then(watch.watched);
    return watched;
  };
  /** Whether a line that failed is worth another attempt now, which its journal makes safe. */
  const isWorthAnother = async (error: BaseError, endedBefore: number): Promise<boolean> => {
    // The account was in use by other lines of this batch for longer than a line waits for its turn.
    if (error.code === 'submit.busy') return ended() > endedBefore;
    const isUnheard = ServiceWatch.isSilence(error) || (error.exit === 9 && watch.isLost());
    if (!isUnheard) return false;
    const outage = await watch.outage(await context.service());
    if (outage === 'lost') throw error;
    return outage === 'over';
  };

  return async (line) => {
    const { id, digest } = line;
    const known = { command, id, digest };
    for (;;) {
      const endedBefore = ended();
      try {
        const { typed, within } = contextOf(line);
        const data = context.pick(await runLine(line, typed, { ...within, service }));
        return { ...known, ok: true, data, error: null };
      } catch (thrown) {
        const error = toBaseError(thrown);
        const again =
          !context.signal.aborted &&
          (await isWorthAnother(error, endedBefore).catch(() => {
            stopped.push(error);
            throw error;
          }));
        if (again) continue;
        if (!context.signal.aborted) return { ...known, ok: false, data: null, error: toJson(error) };
        stopped.push(error);
        throw error;
      }
    }
  };
}

/** Where funds may be, worst first. */
const worstFirst: readonly Funds[] = ['unknown', 'held', 'in-flight', 'returned', 'delivered', 'untouched'];

/** The batch was stopped by a signal, or because the service no longer answers. */
export class StoppedError extends BaseError {
  override name = 'StoppedError';
  constructor(
    stopped: readonly BaseError[],
    { done, next, lost }: { done: number; next: string | null | undefined; lost: BaseError | undefined },
  ) {
    const runs = stopped.flatMap(({ run }) => (run === undefined ? [] : [run]));
    const funds = worstFirst.find((each) => stopped.some((error) => error.funds === each)) ?? 'untouched';
    super(
      lost ? 'service.unreachable' : 'run.stopped',
      lost ? `The batch was stopped. ${lost.message}` : 'The batch was stopped.',
      {
        facts: [
          ['done', String(done)],
          ...(runs.length > 0 ? [['in progress', runs.join(', ')] as const] : []),
          ...(lost?.facts ?? []),
        ],
        hint:
          next === undefined
            ? lost?.hint
            : 'Run the same command to continue: lines in the ledger are skipped, and transfers already signed are finished.',
        next: next ?? undefined,
        funds,
        cause: lost,
      },
    );
  }
}
