import { describe, expect, test } from 'vitest';
import * as RateLimit from '../../../src/core/network/RateLimit.js';
import { createKeyBudget } from '../../../src/io/http/keyBudget.js';

const path = '/quote/v2';

/** A budget whose state is kept here, at a time that stands still. */
function budget(limits: RateLimit.Limits | undefined) {
  let state = RateLimit.fresh;
  let opened = 0;
  const open = async () => {
    opened++;
    return {
      now: () => 1_000,
      written: async () => state,
      change: async <T extends { state: RateLimit.State }>(by: (before: RateLimit.State) => T): Promise<T> => {
        const changed = by(state);
        state = changed.state;
        return changed;
      },
    };
  };
  const made = createKeyBudget({ apiKey: 'k', limits, open, now: () => 1_000, random: () => 0 });
  return { ...made, opened: () => opened };
}

describe('createKeyBudget', () => {
  test('default: tells when the key may have room again, once it has been refused a place', async () => {
    const { take, freeAtMs } = budget({ quote: 5 });
    expect(await take(path, 0)).toMatchObject({ isGranted: true, waitMs: 0 });
    expect(freeAtMs(path)).toBe(0);
    expect(await take(path, 0)).toMatchObject({ isGranted: false, waitMs: 12_400 });
    expect([freeAtMs(path), freeAtMs('/requests')]).toEqual([13_400, 0]);
  });

  test('behavior: a refusal of the service holds it back', async () => {
    const { take, hold, isStanding } = budget({ all: 60 });
    const place = await take(path, 0);
    expect(await isStanding(path, place)).toBe(true);
    await hold(path, { status: 429, headers: { get: () => '7' }, text: async () => '' });
    expect(await isStanding(path, place)).toBe(false);
    expect((await take(path, 0)).waitMs).toBe(7_000);
  });

  test('behavior: without limits nothing is shared', async () => {
    const { take, freeAtMs, opened } = budget(undefined);
    for (let n = 0; n < 100; n++) expect((await take(path, 0)).waitMs).toBe(0);
    expect([freeAtMs(path), opened()]).toEqual([0, 0]);
  });
});
