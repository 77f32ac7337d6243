/** Retries for requests that are safe to repeat: reads and quotes. Nothing that moves money is retried here. */
import type { Clock } from '../../core/ports/Ports.js';

export type Retry = {
  attempts: number;
  /** The first pause; each further pause doubles. */
  baseMs: number;
  /** The longest `Retry-After` to wait for. A longer one ends the retries. */
  maxWaitMs: number;
  /** Time limit for all attempts, including the pauses between them. */
  overallMs: number;
  clock: Clock;
  /** A random number in [0, 1). */
  random: () => number;
  signal?: AbortSignal | undefined;
};

/** How a read of the service or the venue is repeated. */
export const ofReads = { attempts: 3, baseMs: 250, maxWaitMs: 10_000, overallMs: 60_000 } as const;

/** Whether a failure may be transient, and how long the server asks to wait, if it does. */
export type Judge = (error: unknown) => { again: boolean; waitMs?: number | undefined };

/**
 * Runs an attempt until it succeeds, the judge rejects a retry, or attempts or time run out; then throws the last
 * error. Each attempt receives the time left.
 */
export async function withRetries<T>(retry: Retry, judge: Judge, attempt: (leftMs: number) => Promise<T>): Promise<T> {
  const untilMs = retry.clock.now() + retry.overallMs;
  // Setting the clock back must not extend the limit.
  const left = (): number => Math.min(retry.overallMs, untilMs - retry.clock.now());
  for (let made = 1; ; made++) {
    try {
      return await attempt(left());
    } catch (error) {
      const { again, waitMs } = judge(error);
      if (!again || made >= retry.attempts || retry.signal?.aborted) throw error;
      if (waitMs !== undefined && waitMs > retry.maxWaitMs) throw error;
      // Jitter between half and all of the pause, so that many clients refused at once do not return at once.
      const backoffMs = retry.baseMs * 2 ** (made - 1) * (0.5 + retry.random() / 2);
      const pauseMs = Math.max(backoffMs, waitMs ?? 0);
      if (pauseMs >= left()) throw error;
      await retry.clock.sleep(pauseMs, retry.signal);
    }
  }
}

/** The wait in a `Retry-After` header of seconds or a date, in milliseconds; undefined if it is unusable. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Za-z]{3},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
