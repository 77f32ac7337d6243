import { describe, expect, test } from 'vitest';
import { type Judge, type Retry, retryAfterMs, withRetries } from '../../../src/io/http/retry.js';

/** Retry options that record the pauses. */
function noting(extra: Partial<Retry> = {}): { retry: Retry; pauses: number[] } {
  const pauses: number[] = [];
  const clock = {
    now: () => 0,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
    },
  };
  return {
    retry: { attempts: 4, baseMs: 100, maxWaitMs: 5_000, overallMs: 60_000, clock, random: () => 1, ...extra },
    pauses,
  };
}

/** Retry options with a clock that the test and each pause advance. */
function ticking(): { retry: Retry; clock: { nowMs: number } } {
  const clock = { nowMs: 0 };
  const sleep = async (ms: number) => {
    clock.nowMs += ms;
  };
  return { retry: { ...noting().retry, clock: { now: () => clock.nowMs, sleep } }, clock };
}

/** Fails that many times, then returns the number of the attempt. */
function failing(times: number): () => Promise<number> {
  let made = 0;
  return async () => {
    made++;
    if (made <= times) throw new Error(`failure ${made}`);
    return made;
  };
}

const always: Judge = () => ({ again: true });

describe('withRetries', () => {
  test.each<[string, Partial<Retry>, Judge, number[]]>([
    ['twice as long each time', {}, always, [100, 200, 400]],
    ['by jitter half as long at least', { random: () => 0 }, always, [50, 100, 200]],
    ['as long as the server asks', {}, () => ({ again: true, waitMs: 3_000 }), [3_000, 3_000, 3_000]],
  ])('behavior: pauses %s', async (_, own, judge, expected) => {
    const { retry, pauses } = noting(own);
    expect(await withRetries(retry, judge, failing(3))).toBe(4);
    expect(pauses).toEqual(expected);
  });

  test.each([
    ['the judge rejects a retry', { again: false }, {}],
    ['the server asks for too long a wait', { again: true, waitMs: 5_001 }, {}],
    ['the signal was aborted', { again: true }, { signal: AbortSignal.abort(new Error('Ctrl-C')) }],
  ])('error: throws at once if %s', async (_, judgement, extra) => {
    const { retry, pauses } = noting(extra);
    await expect(withRetries(retry, () => judgement, failing(1))).rejects.toThrow('failure 1');
    expect(pauses).toEqual([]);
  });

  test.each([
    ['behavior: each attempt receives the time left', 4_000, [10_000, 5_900, 1_700]],
    ['error: throws the last failure if a pause would use up the time', 9_900, [10_000]],
    ['behavior: setting the clock back does not extend the limit', -3_600_000, [10_000, 10_000, 10_000, 10_000]],
  ])('%s', async (_, passesMs, expected) => {
    const { retry, clock } = ticking();
    const left: number[] = [];
    const attempt = async (leftMs: number): Promise<never> => {
      left.push(leftMs);
      clock.nowMs += passesMs;
      throw new Error('late');
    };
    await expect(withRetries({ ...retry, overallMs: 10_000 }, always, attempt)).rejects.toThrow('late');
    expect(left).toEqual(expected);
  });
});

const nowMs = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');

test.each([
  [null, undefined],
  ['7', 7_000],
  [' 0 ', 0],
  ['Wed, 21 Oct 2026 07:28:30 GMT', 30_000],
  ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
  ['-3', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['', undefined],
])('retryAfterMs: behavior: %j', (header, ms) => {
  expect(retryAfterMs(header, nowMs)).toBe(ms);
});
