import { describe, expect, test } from 'vitest';
import { type Judge, type Retry, retryAfterMs, withRetries } from '../../src/io/retry.js';

/** Retries that note the pauses they would make. */
function noting(extra: Partial<Retry> = {}): { retry: Retry; pauses: number[] } {
  const pauses: number[] = [];
  const clock = {
    now: () => 0,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
    },
  };
  return { retry: { attempts: 4, baseMs: 100, maxWaitMs: 5_000, clock, random: () => 1, ...extra }, pauses };
}

/** Fails that many times, then gives the number of the attempt. */
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
  test('default', async () => {
    const { retry, pauses } = noting();
    expect(await withRetries(retry, always, failing(3))).toBe(4);
    expect(pauses).toEqual([100, 200, 400]);
  });

  test('behavior: no pause before a success', async () => {
    const { retry, pauses } = noting();
    expect(await withRetries(retry, always, failing(0))).toBe(1);
    expect(pauses).toEqual([]);
  });

  test('behavior: chance shortens a pause by half at most', async () => {
    const { retry, pauses } = noting({ random: () => 0 });
    await withRetries(retry, always, failing(3));
    expect(pauses).toEqual([50, 100, 200]);
  });

  test('behavior: waits as long as the other side asks', async () => {
    const { retry, pauses } = noting();
    await withRetries(retry, () => ({ again: true, waitMs: 3_000 }), failing(1));
    expect(pauses).toEqual([3_000]);
  });

  test('error: the last failure, when the attempts are used up', async () => {
    const { retry, pauses } = noting();
    await expect(withRetries(retry, always, failing(9))).rejects.toThrow('failure 4');
    expect(pauses).toHaveLength(3);
  });

  test('error: at once, when the judge says no', async () => {
    const { retry, pauses } = noting();
    await expect(withRetries(retry, () => ({ again: false }), failing(1))).rejects.toThrow('failure 1');
    expect(pauses).toEqual([]);
  });

  test('error: at once, when the other side asks for too long a wait', async () => {
    const { retry, pauses } = noting();
    await expect(withRetries(retry, () => ({ again: true, waitMs: 5_001 }), failing(1))).rejects.toThrow('failure 1');
    expect(pauses).toEqual([]);
  });

  test('error: nothing is tried again after an abort', async () => {
    const { retry, pauses } = noting({ signal: AbortSignal.abort(new Error('Ctrl-C')) });
    await expect(withRetries(retry, always, failing(1))).rejects.toThrow('failure 1');
    expect(pauses).toEqual([]);
  });
});

describe('retryAfterMs', () => {
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
  ])('behavior: %j', (header, ms) => {
    expect(retryAfterMs(header, nowMs)).toBe(ms);
  });
});
