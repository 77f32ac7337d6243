/** Many jobs at once, within a rate and a number of them under way. */
import { BaseError } from '../base/Errors.js';
import type { Clock } from '../ports/Ports.js';

export type Pace = {
  /** How many may be under way. */
  concurrency: number;
  /** How many may begin within a second; they begin evenly spread. */
  perSecond: number;
};

/** A thing to do, begun when there is room for it. */
export type Job<T> = () => Promise<T>;

/** The service lets a key ask for 50 quotes a minute: fewer than that may go quickly, more have to be spread. */
const burst = 40;

/** What suits so many quotes: 5 a second for up to 40 of them, 0.8 for more, 4 at a time. */
export function usual(quotes: number): Pace {
  return { concurrency: 4, perSecond: quotes <= burst ? 5 : 0.8 };
}

/**
 * The pace as typed, and otherwise as usual.
 *
 * @throws usage.invalid
 */
export function from(typed: { concurrency?: string | undefined; rate?: string | undefined }, otherwise: Pace): Pace {
  const { concurrency = String(otherwise.concurrency), rate } = typed;
  if (!/^\d{1,2}$/.test(concurrency) || Number(concurrency) < 1 || Number(concurrency) > 32)
    throw new BaseError('usage.invalid', '--concurrency must be a whole number from 1 to 32.');
  if (rate !== undefined && (!/^\d{1,3}(\.\d{1,3})?$/.test(rate) || Number(rate) < 0.001 || Number(rate) > 100))
    throw new BaseError('usage.invalid', '--rate must be a number per second, above 0 and at most 100.', {
      hint: '0.5 is one every two seconds.',
    });
  return { concurrency: Number(concurrency), perSecond: rate === undefined ? otherwise.perSecond : Number(rate) };
}

/** Results that wait for an earlier one are kept up to that many for each job that may be under way. */
const backlog = 8;

export type Surroundings = {
  clock: Clock;
  signal: AbortSignal;
  /** Whether results come in the order of their jobs, and not as they are had. */
  ordered?: boolean | undefined;
};

/**
 * Runs the jobs in their order and gives each result as it comes, or in the order of the jobs. Jobs are asked for when
 * there is room for them, so that any number of them takes the same memory. What a job throws ends the run: no further
 * one begins, and the run ends when those under way have. So does the signal. Where the jobs cannot be read any further,
 * the results of those that were begun come first.
 */
export async function* run<T>(
  jobs: Iterable<Job<T>> | AsyncIterable<Job<T>>,
  { concurrency, perSecond }: Pace,
  { clock, signal, ordered = false }: Surroundings,
): AsyncGenerator<T, void> {
  const source = toAsync(jobs);
  const running = new Map<number, Promise<Ended<T>>>();
  const results = new Map<number, T>();
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  let begun = 0;
  let given = 0;
  let due = clock.now();
  let isDry = false;
  let failure: { error: unknown } | undefined;
  let ready: Job<T> | undefined;
  let asked: Promise<undefined> | undefined;
  let timer: Promise<undefined> | undefined;

  const ask = async (): Promise<undefined> => {
    try {
      const { done, value } = await source.next();
      if (done) isDry = true;
      else ready = value;
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
  const begin = (job: Job<T>): void => {
    const index = begun++;
    running.set(index, heeded(job().then((value) => ({ index, value }))));
    ready = undefined;
    // From now and not from when it was due: time that was lost is not made up for by a burst.
    due = clock.now() + 1000 / perSecond;
  };

  try {
    while (!isDry || ready || running.size > 0) {
      signal.throwIfAborted();
      const hasRoom = running.size < concurrency && results.size < concurrency * backlog;
      const early = due - clock.now();
      if (hasRoom && ready && early <= 0) begin(ready);
      if (hasRoom && !ready && !isDry) asked ??= heeded(ask());
      if (hasRoom && ready && early > 0) timer ??= heeded(pause(Math.ceil(early)));
      const others = [asked, timer].filter((each) => each !== undefined);
      const ended = await Promise.race([...running.values(), ...others]);
      if (!ended) continue;
      running.delete(ended.index);
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
    // A pause that nobody waits for would keep the process.
    end.abort();
    await Promise.allSettled(running.values());
    // It may wait for somebody who has nothing to say.
    source.return().catch(() => {});
  }
}

type Ended<T> = { index: number; value: T };

/** What it throws is heard when it is waited for, however late that is. */
function heeded<P extends Promise<unknown>>(promise: P): P {
  promise.catch(() => {});
  return promise;
}

async function* toAsync<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
  yield* values;
}
