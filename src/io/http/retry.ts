/** Trying again, for what may be asked twice: reads and quotes. Nothing that moves money comes through here. */
import type { Clock } from '../../core/ports/Ports.js';

export type Retry = {
  /** How often to try in all. */
  attempts: number;
  /** The first pause; each further one is twice as long. */
  baseMs: number;
  /** A pause that the other side asks for is kept up to here; a longer one is not waited for at all. */
  maxWaitMs: number;
  /** All attempts with the pauses between them. */
  overallMs: number;
  clock: Clock;
  /** From 0 up to 1. */
  random: () => number;
  signal?: AbortSignal | undefined;
};

/** Whether a failure may pass by itself, and how long the other side asks to wait, if it says so. */
export type Judge = (error: unknown) => { again: boolean; waitMs?: number | undefined };

/**
 * Runs an attempt until it succeeds, the judge says no, or the attempts or the time are used up; then throws the last
 * error. Each attempt is told how much of the time is left.
 */
export async function withRetries<T>(retry: Retry, judge: Judge, attempt: (leftMs: number) => Promise<T>): Promise<T> {
  const untilMs = retry.clock.now() + retry.overallMs;
  // A clock that is put back gives nobody more time.
  const left = (): number => Math.min(retry.overallMs, untilMs - retry.clock.now());
  for (let made = 1; ; made++) {
    try {
      return await attempt(left());
    } catch (error) {
      const { again, waitMs } = judge(error);
      if (!again || made >= retry.attempts || retry.signal?.aborted) throw error;
      if (waitMs !== undefined && waitMs > retry.maxWaitMs) throw error;
      // Between half and all of the pause, so that many clients stopped at once do not come back at once.
      const backoffMs = retry.baseMs * 2 ** (made - 1) * (0.5 + retry.random() / 2);
      const pauseMs = Math.max(backoffMs, waitMs ?? 0);
      if (pauseMs >= left()) throw error;
      await retry.clock.sleep(pauseMs, retry.signal);
    }
  }
}

/** Milliseconds to wait by a `Retry-After` header, in seconds or as a date; undefined where it says nothing usable. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /^[A-Za-z]{3},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
