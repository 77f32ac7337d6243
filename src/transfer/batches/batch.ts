/**
 * Runs a batch: a file with one transfer per line, and one result line for each.
 *
 * A private copy is read twice: first to its end, so that a mistake in any line is found before anything is paid, then to
 * carry it out, whatever has become of the file since it was confirmed. A result waits for those of the lines before it,
 * but its journal has had it all along.
 */

import { BaseError, type Funds } from '../../core/base/Errors.js';
import * as ExitCode from '../../core/base/ExitCode.js';
import { onceEach } from '../../core/base/Once.js';
import * as Announcements from '../../core/batch/Announcements.js';
import type { BatchLedger } from '../../core/batch/BatchLedger.js';
import * as BatchLine from '../../core/batch/BatchLine.js';
import * as BatchMistakes from '../../core/batch/BatchMistakes.js';
import * as BatchResult from '../../core/batch/BatchResult.js';
import * as BatchSummary from '../../core/batch/BatchSummary.js';
import * as JobPool from '../../core/batch/JobPool.js';
import * as PayingAccounts from '../../core/batch/PayingAccounts.js';
import * as ServiceWatch from '../../core/batch/ServiceWatch.js';
import * as TransferEntry from '../../core/batch/TransferEntry.js';
import type { Options } from '../../core/command/Command.js';
import type { Context } from '../../core/command/Context.js';
import * as SettingDefinitions from '../../core/config/SettingDefinitions.js';
import type { CommandEvent } from '../../core/event/DisplayEvent.js';
import type { Event } from '../../core/event/Event.js';
import * as EventLine from '../../core/event/EventLine.js';
import type { Service } from '../../core/ports/Ports.js';
import type { Expected, Rereadable } from '../../core/ports/UserFiles.js';
import * as Currency from '../../core/quote/Currency.js';
import { toBaseError, toJson } from '../../core/text/ErrorReport.js';
import * as Place from '../../core/text/Place.js';
import * as TerminalText from '../../core/text/TerminalText.js';
import { commandLine } from '../journalledRun.js';
import { type BatchOptions, batchFlags } from '../transferOptions.js';

/** The work to do for each line. */
export type Work = {
  command: TransferEntry.Action;
  /** Runs the command for one line, whose own options take precedence over those of the batch. */
  runLine(
    line: BatchLine.BatchLine,
    options: Options,
    context: Context,
  ): Promise<Readonly<Record<string, unknown>> & { funds?: Funds }>;
  /** Throws if a line is inconsistent with an earlier run; called for every line before the first one runs. */
  assert?(line: BatchLine.BatchLine): Promise<void>;
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
  /**
   * The parties of a line that pays; undefined if they are not known before it runs. A line that an earlier process began may
   * need no signature.
   */
  partiesOf?(
    line: BatchLine.BatchLine,
    options: Options,
    context: Context,
  ): Promise<(PayingAccounts.Parties & { isBegun: boolean }) | undefined>;
  /** Called with the id of a line once its result is in the ledger and on disk. */
  recorded?(id: string): Promise<void>;
};

/** How many lines run at the same time unless `--concurrency` is given; at most one an account, if the lines have parties. */
const usualConcurrency = 8;

/** How far lines may run ahead of an earlier one: a file may have its accounts in blocks of hundreds of lines. */
const linesAhead = 1_024;

/** How many contexts of lines are kept, one for each account that lines name, which takes 0.2 ms to make. */
const contextsKept = 1_024;

export const lineFormat: Expected = {
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
  paceOf(options, undefined);
  // Quotes of lines that are piped in begin while they arrive: nothing is paid.
  const isStreamed = batch === '-' && work.command !== 'execute';
  const source = isStreamed
    ? { lines: () => files.lines(batch, lineFormat), close() {} }
    : await files.reread(batch, lineFormat);
  try {
    const given = { options, context, work, ledger, source, contextOf: createLineContexts(options, context) };
    const sum = isStreamed ? undefined : await summarize(given);
    const pace = paceOf(options, sum?.lanes);
    if (work.command === 'execute' && sum && sum.lines > 0)
      await context.confirm(question(sum, pace, batch, context.network));
    await sum?.unlock();
    const startedAt = clock.now();
    const done = yield* runLines(given, pace, sum);
    const seconds = (clock.now() - startedAt) / 1000;
    const before = { succeeded: ledger?.before.succeeded ?? 0, failed: ledger?.before.failed ?? 0 };
    return { batch, out: options.out ?? null, ...done, before, seconds };
  } finally {
    source.close();
  }
}

/** @throws usage.invalid */
function paceOf(options: BatchOptions, lanes: PayingAccounts.Lanes | undefined): JobPool.Limits {
  const concurrency = lanes ? Math.min(usualConcurrency, lanes.size) : usualConcurrency;
  const pace = JobPool.from(options, { concurrency, perSecond: Number.POSITIVE_INFINITY });
  return lanes ? { ...pace, perLane: Math.ceil(pace.concurrency / lanes.size), ahead: linesAhead } : pace;
}

/** A batch that is read, and what is needed to run its lines. */
type BatchRun = {
  options: BatchOptions;
  context: Context;
  work: Work;
  ledger: BatchLedger | undefined;
  source: Pick<Rereadable, 'lines' | 'close'>;
  contextOf: ReturnType<typeof createLineContexts>;
};

/** What the first reading of a batch has found. */
type Reading = BatchSummary.BatchSummary & {
  /** The number of accounts that pay. */
  accounts: number;
  /** Their lanes, if lines of several may run at the same time. */
  lanes: PayingAccounts.Lanes | undefined;
  /**
   * Unlocks the accounts that will sign, one after the other, so that no password is asked for while lines are running.
   */
  unlock(): Promise<void>;
};

/** Runs the lines; `sum` is undefined if they have not been read before. */
async function* runLines(
  given: BatchRun,
  pace: JobPool.Limits,
  sum: Reading | undefined,
): AsyncGenerator<CommandEvent, Pick<BatchResult.Totals, 'succeeded' | 'failed' | 'worst'>> {
  const { options, context, ledger } = given;
  const { clock, signal } = context;
  const startedAt = clock.now();
  /** Lines that have ended, whether or not it is their result's turn, and results that are written. */
  const counts = { ended: { succeeded: 0, failed: 0 }, written: { succeeded: 0, failed: 0 } };
  let worst = ledger?.before.worst ?? null;
  const stopped: BaseError[] = [];
  const ends = new Set<Funds>();
  const beside = Announcements.create<Event>();
  const watch = watchService(context, beside);
  const carry = lineRunner(given, { stopped, ends, watch, ended: () => counts.ended.succeeded + counts.ended.failed });
  const begun = new Map<number, string>();
  const heldUp = (index: number, results: number): void => beside.say(heldUpEvent(begun.get(index) ?? '', results));
  try {
    const jobs = jobsOf(given, sum, { carry, begun, ended: counts.ended });
    const running = JobPool.run(jobs, pace, { clock, signal, ordered: !options.unordered, heldUp });
    for await (const each of beside.among(running)) {
      if ('type' in each) {
        yield each;
        continue;
      }
      const { index, result } = each;
      begun.delete(index);
      const event = { type: 'result', ...result } as const;
      await writeResult(event, given);
      counts.written[result.ok ? 'succeeded' : 'failed']++;
      worst = ExitCode.worse(worst, result.error?.code ?? null);
      yield event;
      const { succeeded, failed } = counts.ended;
      const elapsedMs = clock.now() - startedAt;
      yield { type: 'progress', what: 'lines', done: succeeded + failed, total: sum?.lines, failed, elapsedMs };
    }
    ledger?.sync();
  } catch (error) {
    const isLost = error instanceof BaseError && stopped.includes(error) && !signal.aborted;
    if (!signal.aborted && !isLost) throw brokenOff(error, given, ends);
    throw stoppedError(stopped, given, { written: counts.written, ends, lost: isLost ? error : undefined });
  } finally {
    watch.close();
  }
  return { ...counts.written, worst };
}

type Ended = { index: number; result: BatchResult.Result };

type Count = { succeeded: number; failed: number };

/** The lines as jobs. The ids of those that run are in `begun`. */
async function* jobsOf(
  given: BatchRun,
  sum: Reading | undefined,
  { carry, begun, ended }: { carry: ReturnType<typeof lineRunner>; begun: Map<number, string>; ended: Count },
): AsyncGenerator<JobPool.Job<Ended>, void> {
  let count = 0;
  for await (const line of sum ? pendingLines(given) : checkedLines(given)) {
    given.context.signal.throwIfAborted();
    const index = count++;
    const job = async (): Promise<Ended> => {
      begun.set(index, line.id);
      const result = await carry(line);
      ended[result.ok ? 'succeeded' : 'failed']++;
      return { index, result };
    };
    yield Object.assign(job, { lane: await laneOf(line, given, sum?.lanes) });
  }
}

/** Writes a result to the ledger. That of a payment is on disk before its run is noted. */
async function writeResult(
  result: Extract<Event, { type: 'result' }>,
  { ledger, work, context }: BatchRun,
): Promise<void> {
  if (!ledger) return;
  ledger.append(context.conceal(EventLine.format(result, context.network.name)));
  if (work.command !== 'execute') return;
  ledger.sync();
  await work.recorded?.(result.id);
}

function watchService(
  { clock, signal, config }: Context,
  beside: Announcements.Announcements<Event>,
): ServiceWatch.ServiceWatch {
  const timeoutMs = config.timeoutMs.value;
  return ServiceWatch.create({
    clock,
    signal,
    timeoutMs,
    lost({ message }) {
      const summary = `${message} The batch waits for it for up to ${seconds(timeoutMs)} s, then goes on by itself.`;
      beside.say({ type: 'service', answers: false, summary });
    },
    back(afterMs) {
      const summary = `The service answers again, after ${seconds(afterMs)} s.`;
      beside.say({ type: 'service', answers: true, summary });
    },
  });
}

async function laneOf(
  line: BatchLine.BatchLine,
  { work, contextOf }: BatchRun,
  lanes: PayingAccounts.Lanes | undefined,
): Promise<string | undefined> {
  const { typed, within } = contextOf(line);
  const paying = lanes && (await work.partiesOf?.(line, typed, within));
  return paying && lanes.of(paying.payer);
}

function heldUpEvent(id: string, results: number): Event {
  const waiting = results === 1 ? 'The result of 1 later line waits' : `The results of ${results} later lines wait`;
  const summary = `Line "${id}" takes long. ${waiting} for it, since results are in order; --unordered does not wait.`;
  return { type: 'held-up', id, results, summary };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

/**
 * Reads the whole batch before the first line runs, so a batch with a mistake does nothing at all.
 *
 * @throws batch.*, with every mistake that is known without the service
 */
async function summarize(given: BatchRun): Promise<Reading> {
  const { context, work, contextOf } = given;
  const read = currencyReader(context);
  const accounts = PayingAccounts.create();
  /** By account, the context of a line that it will sign for. */
  const signers = new Map<string, Context>();
  let areKnown = work.partiesOf !== undefined;
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
    if (error || !areKnown) continue;
    const { typed, within } = contextOf(line);
    const paying = await work.partiesOf?.(line, typed, within);
    if (!paying) areKnown = false;
    else {
      accounts.add(paying);
      if (context.interactive && !paying.isBegun) signers.set(paying.payer, within);
    }
  }
  BatchMistakes.assertNone(mistakes);
  const lanes = areKnown ? accounts.lanes() : undefined;
  const hasSeveral = lanes !== undefined && lanes.size > 1;
  return {
    ...sum,
    accounts: accounts.size,
    lanes: hasSeveral ? lanes : undefined,
    async unlock() {
      if (hasSeveral) for (const within of signers.values()) await unlock(within);
    },
  };
}

/** Unlocks an account. A failure is the result of its lines. @throws prompt.declined */
async function unlock({ account }: Context): Promise<void> {
  try {
    await account();
  } catch (error) {
    if (error instanceof BaseError && error.code.startsWith('prompt.')) throw error;
  }
}

/** The lines of a batch that is read only once. @throws batch.* at the first mistake */
async function* checkedLines(given: BatchRun): AsyncGenerator<BatchLine.BatchLine, void> {
  const read = currencyReader(given.context);
  for await (const line of pendingLines(given)) {
    const error = await mistakeIn(line, given, read);
    if (error) throw BatchMistakes.invalidLine({ number: line.number, id: line.id, error });
    yield line;
  }
}

/** @throws chain.* if a token cannot be read from its contract */
async function mistakeIn(
  line: BatchLine.BatchLine,
  { work, contextOf }: BatchRun,
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

/** Reads each currency once, however many lines have it; one that could not be read, again. */
export function currencyReader({ network, chain }: Context): (text: string) => Promise<Currency.Currency> {
  return onceEach(async (text: string) => Currency.read(Currency.parse(text, network), chain), 1_000);
}

function question(
  { accounts, lanes, ...sum }: Reading,
  { concurrency }: JobPool.Limits,
  batch: string,
  network: Place.Place,
): string {
  const place = batch === '-' ? 'standard input' : TerminalText.escape(batch);
  const atOnce = Math.min(concurrency, lanes?.size ?? 1);
  const several = atOnce > 1 ? `, by ${accounts} accounts, ${atOnce} at a time` : '';
  return `On ${Place.inWords(network)}: execute ${BatchSummary.format(sum)}${several}, from ${place}?`;
}

/**
 * The lines that are not in the ledger.
 *
 * @param note called for a line that cannot be read; without it, such a line is an error
 * @throws batch.*
 */
async function* pendingLines(
  { options, context, work, ledger, source }: BatchRun,
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
    if (known === 'other') throw BatchResult.otherTransfer(line);
    if (known === 'other-untouched')
      throw BatchResult.otherTransfer(line).with({
        hint: 'That transfer failed and moved nothing: with --retry-failed, the line is tried as it is now.',
        next: commandLine(work.command, { ...options, retryFailed: true }, context) ?? undefined,
      });
    if (known === 'same') continue;
    await work.assert?.(line);
    yield line;
  }
}

/** Returns a function that gives the options of a line as typed, and its context, which similar lines share. */
export function createLineContexts(
  options: BatchOptions,
  context: Context,
): (line: Omit<BatchLine.BatchLine, 'number' | 'digest'>) => { typed: Options; within: Context } {
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
    if (contexts.size >= contextsKept) contexts.clear();
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
  /** Where the funds of the lines are that have ended. A quote has none. */
  ends: Set<Funds>;
  watch: ServiceWatch.ServiceWatch;
  /** The number of results so far. */
  ended(): number;
};

/** Returns a function that runs a line and returns its result. It throws only if the batch is stopped. */
function lineRunner(
  { context, work, contextOf }: BatchRun,
  { stopped, ends, watch, ended }: Shared,
): (line: BatchLine.BatchLine) => Promise<BatchResult.Result> {
  const { command, runLine } = work;
  let watched: Promise<Service> | undefined;
  const service = (): Promise<Service> => {
    watched ??= context.service().then(watch.watched);
    return watched;
  };
  /** What becomes of a line that failed: its result, another attempt, which its journal makes safe, or the end of the batch. */
  const afterFailure = async (error: BaseError, endedBefore: number): Promise<'result' | 'again' | 'stop'> => {
    // The account was in use by other lines of this batch for longer than a line waits for its turn.
    if (error.code === 'submit.busy') return ended() > endedBefore ? 'again' : 'result';
    // If the service is silent, only it could have said where the money is.
    const isOpen = error.funds === 'in-flight' || error.funds === 'unknown';
    if (!ServiceWatch.isSilence(error) && !isOpen) return 'result';
    const looking = context.service().then((answering) => watch.outage(answering));
    const by = { lost: 'stop', over: 'again', alive: 'result' } as const;
    return by[await looking.catch(() => 'lost' as const)];
  };

  return async (line) => {
    const { id, digest } = line;
    const known = { command, id, digest };
    for (;;) {
      const endedBefore = ended();
      try {
        const { typed, within } = contextOf(line);
        const document = await runLine(line, typed, { ...within, service });
        ends.add(document.funds ?? 'untouched');
        return { ...known, ok: true, data: context.pick(document), error: null };
      } catch (thrown) {
        const error = toBaseError(thrown);
        const next = context.signal.aborted ? 'stop' : await afterFailure(error, endedBefore);
        if (next === 'again') continue;
        if (next === 'stop' || context.signal.aborted) {
          stopped.push(error);
          throw error;
        }
        ends.add(error.funds);
        return { ...known, ok: false, data: null, error: toJson(error) };
      }
    }
  };
}

/** Where funds may be, worst first. */
const worstFirst: readonly Funds[] = ['unknown', 'held', 'in-flight', 'returned', 'delivered', 'untouched'];

function repeated(options: BatchOptions): string {
  return 'again' in options && options.again ? 'Run the same command without --again' : 'Run the same command';
}

/** An error that ends the batch, such as a full disk, says nothing of the lines that have ended before. */
function brokenOff(error: unknown, { options, context, work }: BatchRun, ends: ReadonlySet<Funds>): unknown {
  const funds = worstFirst.find((each) => ends.has(each)) ?? 'untouched';
  if (!(error instanceof BaseError) || error.funds !== 'untouched' || funds === 'untouched') return error;
  const hint = `${repeated(options)} to continue: what its lines have paid is in their journals, and is not paid again.`;
  return error.with({ funds, hint, next: commandLine(work.command, options, context) ?? undefined });
}

/** The batch was stopped by a signal, or because the service no longer answers. */
function stoppedError(
  stopped: readonly BaseError[],
  { options, context, work, ledger }: BatchRun,
  { written, ends, lost }: { written: Count; ends: ReadonlySet<Funds>; lost: BaseError | undefined },
): BaseError {
  const next = ledger && commandLine(work.command, options, context);
  const runs = stopped.flatMap(({ run }) => (run === undefined ? [] : [run]));
  const funds = worstFirst.find((each) => ends.has(each) || stopped.some((error) => error.funds === each));
  return new BaseError(
    lost ? 'service.unreachable' : 'run.stopped',
    lost ? `The batch was stopped. ${lost.message}` : 'The batch was stopped.',
    {
      facts: [
        ['done', String(written.succeeded + written.failed)],
        ...(runs.length > 0 ? [['in progress', runs.join(', ')] as const] : []),
        ...(lost?.facts ?? []),
      ],
      hint: !ledger
        ? lost?.hint
        : `${repeated(options)} to continue: lines in the ledger are skipped, and transfers already signed are finished.`,
      next: next ?? undefined,
      funds,
      cause: lost,
    },
  );
}
