/** Runs jobs concurrently, within a concurrency limit and a rate limit. */
import { BaseError } from '../base/Errors.js';
import * as SettingFormat from '../config/SettingFormat.js';
import type { Clock } from '../ports/Ports.js';

export type Limits = {
  concurrency: number;
  /** The maximum number of jobs to start per second, evenly spaced. */
  perSecond: number;
  /** The maximum number of running jobs of one lane; by default there is no limit but `concurrency`. */
  perLane?: number | undefined;
  /**
   * How many jobs may have been read before their lane has room, or have ended before an earlier one. The more, the better
   * are lanes used whose jobs stand together, and the more is kept in memory.
   */
  ahead?: number | undefined;
};

/** A job; called when there is room for it. Jobs of one lane start in their order. */
export type Job<T> = (() => Promise<T>) & { lane?: string | undefined };

/** The service allows 50 quotes a minute per key: fewer can be sent quickly, more must be spread out. */
const burst = 40;

/** The default pace for a number of quotes: 4 at a time, 5 per second for up to 40 quotes, else 0.8 per second. */
export function usual(quotes: number): Limits {
  return { concurrency: 4, perSecond: quotes <= burst ? 5 : 0.8 };
}

const count = SettingFormat.whole('a whole number from 1 to 32', /^0?[1-9]$|^[1-9]\d$/, 32);

/**
 * Parses the pace from options, with defaults.
 *
 * @throws usage.invalid
 */
export function from(
  typed: { concurrency?: string | undefined; rate?: string | undefined },
  otherwise: Limits,
): Limits {
  const { concurrency = otherwise.concurrency, rate } = typed;
  const running = SettingFormat.option(count, concurrency, '--concurrency');
  if (rate !== undefined && (!/^\d{1,3}(\.\d{1,3})?$/.test(rate) || Number(rate) < 0.001 || Number(rate) > 100))
    throw new BaseError('usage.invalid', '--rate must be a number per second, above 0 and at most 100.', {
      hint: '0.5 means one every two seconds.',
    });
  return { concurrency: running, perSecond: rate === undefined ? otherwise.perSecond : Number(rate) };
}

/** The maximum number of results buffered for ordering, per unit of concurrency, unless `ahead` says otherwise. */
const backlog = 8;

export type PoolSettings = {
  clock: Clock;
  signal: AbortSignal;
  /** Whether to yield results in job order instead of completion order. */
  ordered?: boolean | undefined;
  /**
   * Called once for a job whose result has held back those of later jobs for a while, with its index and the number of
   * results that wait.
   */
  heldUp?: ((index: number, results: number) => void) | undefined;
};

/** How long results wait for an earlier one before that is reported. */
const heldUpMs = 5_000;

/**
 * Starts jobs in order and yields results in completion order, or in job order. Jobs are pulled only when there is
 * room, so memory use is constant. An error in a job stops the run: no further job starts, and the run ends when the running
 * ones have finished. So does the signal. If reading the jobs fails, the results of started jobs are yielded first.
 */
export async function* run<T>(
  jobs: Iterable<Job<T>> | AsyncIterable<Job<T>>,
  { concurrency, perSecond, perLane = concurrency, ahead = concurrency * backlog }: Limits,
  { clock, signal, ordered = false, heldUp }: PoolSettings,
): AsyncGenerator<T, void> {
  const source = toAsync(jobs);
  /** Jobs that were read and have not begun, in their order. */
  const waiting: { index: number; job: Job<T> }[] = [];
  const lanes = createLanes(perLane);
  const running = new Map<number, Promise<Ended<T>>>();
  const results = new Map<number, T>();
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  let read = 0;
  let given = 0;
  let due = clock.now();
  let isDry = false;
  let failure: { error: unknown } | undefined;
  let asked: Promise<undefined> | undefined;
  let timer: Promise<undefined> | undefined;
  let isReporting = false;
  let reported = -1;
  const aborted = abortOf(signal);

  const ask = async (): Promise<undefined> => {
    try {
      const { done, value } = await source.next();
      if (done) isDry = true;
      else waiting.push({ index: read++, job: value });
    } catch (error) {
      isDry = true;
      failure = { error };
    }
    asked = undefined;
  };
  const pause = async (ms: number): Promise<undefined> => {
    await clock.sleep(ms, either);
    timer = undefined;
  };
  /** Reports the job that later results wait for, unless it ends in time. */
  const report = async (index: number): Promise<void> => {
    reported = index;
    isReporting = true;
    await clock.sleep(heldUpMs, either);
    if (given === index && results.size > 0) heldUp?.(index, results.size);
    isReporting = false;
  };
  const begin = (at: number): void => {
    const [{ index, job } = { index: -1, job: undefined }] = waiting.splice(at, 1);
    if (!job) return;
    const { lane } = job;
    lanes.add(lane, 1);
    running.set(index, heeded(job().then((value) => ({ index, lane, value }))));
    // Counted from now, not from the due time, so lost time is not made up for by a burst.
    due = clock.now() + 1000 / perSecond;
  };

  try {
    while (!isDry || waiting.length > 0 || running.size > 0) {
      signal.throwIfAborted();
      // Whatever waits for it, the first job without a result must go on.
      const hasRoom = running.size < concurrency && (results.size < ahead || waiting[0]?.index === given);
      const next = hasRoom ? waiting.findIndex(({ job }) => lanes.hasRoom(job.lane)) : -1;
      const early = due - clock.now();
      if (next >= 0 && early <= 0) {
        begin(next);
        continue;
      }
      if (next >= 0 && early > 0) timer ??= heeded(pause(Math.ceil(early)));
      if (hasRoom && next < 0 && !isDry && waiting.length + results.size < ahead) asked ??= heeded(ask());
      // Not awaited below: while it lasts, it would hold back every result that ends meanwhile.
      if (heldUp && results.size > 0 && reported !== given && !isReporting) void heeded(report(given));
      const others = [asked, timer].filter((each) => each !== undefined);
      const ended = await Promise.race([...running.values(), ...others, aborted.wait()]);
      if (!ended) continue;
      running.delete(ended.index);
      lanes.add(ended.lane, -1);
      if (!ordered) yield ended.value;
      else results.set(ended.index, ended.value);
      for (; results.has(given); given++) {
        const value = results.get(given) as T;
        results.delete(given);
        yield value;
      }
    }
    if (failure) throw failure.error;
  } finally {
    aborted.forget();
    // A pending pause would keep the process alive.
    over.abort();
    await Promise.allSettled(running.values());
    // The source may be waiting for input that never arrives.
    source.return().catch(() => {});
  }
}

/** How many jobs of each lane are running; one without a lane is never held back. */
function createLanes(perLane: number) {
  const counts = new Map<string, number>();
  return {
    hasRoom: (lane: string | undefined): boolean => lane === undefined || (counts.get(lane) ?? 0) < perLane,
    add(lane: string | undefined, jobs: 1 | -1): void {
      if (lane === undefined) return;
      const left = (counts.get(lane) ?? 0) + jobs;
      if (left > 0) counts.set(lane, left);
      else counts.delete(lane);
    },
  };
}

type Ended<T> = { index: number; lane: string | undefined; value: T };

/**
 * Rejects once the signal aborts: neither a job nor the source may ever end by itself. Each wait has a promise of its
 * own, since one that all of them share would keep every result.
 */
function abortOf(signal: AbortSignal): { wait(): Promise<never>; forget(): void } {
  let stop = (): void => {};
  const stopped = (): void => stop();
  signal.addEventListener('abort', stopped);
  return {
    wait: () =>
      heeded(
        new Promise((_, reject) => {
          stop = () => reject(signal.reason);
        }),
      ),
    forget: () => signal.removeEventListener('abort', stopped),
  };
}

/** Avoids an unhandled rejection; the error surfaces when the promise is awaited. */
function heeded<P extends Promise<unknown>>(promise: P): P {
  promise.catch(() => {});
  return promise;
}

async function* toAsync<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* values;
}
