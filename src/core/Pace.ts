/** Many jobs at once, within a rate and a number of them under way. */
import { BaseError } from './Errors.js';
import type { Clock } from './Ports.js';

export type Pace = {
  /** How many may be under way. */
  concurrency: number;
  /** How many may begin within a second; they begin evenly spread. */
  perSecond: number;
};

/** The service lets a key ask for 50 quotes a minute: fewer than that may go quickly, more have to be spread. */
const burst = 40;
const quick = 5;
const sustained = 0.8;

/**
 * The pace for so many quotes, as typed or by default: 5 a second for up to 40 quotes, 0.8 for more, 4 at a time.
 *
 * @throws usage.invalid
 */
export function from(typed: { concurrency?: string | undefined; rate?: string | undefined }, quotes: number): Pace {
  const { concurrency = '4', rate = String(quotes <= burst ? quick : sustained) } = typed;
  if (!/^\d{1,2}$/.test(concurrency) || Number(concurrency) < 1 || Number(concurrency) > 32)
    throw new BaseError('usage.invalid', '--concurrency must be a whole number from 1 to 32.');
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(rate) || Number(rate) < 0.001 || Number(rate) > 100)
    throw new BaseError('usage.invalid', '--rate must be a number of quotes per second, above 0 and at most 100.', {
      hint: '0.5 is one every two seconds.',
    });
  return { concurrency: Number(concurrency), perSecond: Number(rate) };
}

/** Milliseconds from one beginning to the next. */
function intervalMs({ perSecond }: Pace): number {
  return 1000 / perSecond;
}

/**
 * Runs the jobs in their order and gives each result as it comes. What a job throws ends the run: no further one
 * begins. So does the signal.
 */
export async function* run<T>(
  jobs: readonly (() => Promise<T>)[],
  pace: Pace,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): AsyncGenerator<T, void> {
  const running = new Map<number, Promise<{ index: number; value: T }>>();
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  let begun = 0;
  let due = clock.now();
  let timer: Promise<undefined> | undefined;

  try {
    while (begun < jobs.length || running.size > 0) {
      signal.throwIfAborted();
      const job = running.size < pace.concurrency ? jobs[begun] : undefined;
      const early = due - clock.now();
      if (job && early <= 0) {
        const index = begun++;
        const ended = job().then((value) => ({ index, value }));
        running.set(index, ended);
        // From now and not from when it was due: time that was lost is not made up for by a burst.
        due = clock.now() + intervalMs(pace);
        continue;
      }
      if (job) timer ??= clock.sleep(Math.ceil(early), either).then(() => undefined);
      const ended = await Promise.race(timer === undefined ? running.values() : [...running.values(), timer]);
      if (ended) {
        running.delete(ended.index);
        yield ended.value;
      } else timer = undefined;
    }
  } finally {
    // A pause that nobody waits for would keep the process.
    end.abort();
  }
}
