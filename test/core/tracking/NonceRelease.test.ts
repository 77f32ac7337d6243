import { describe, expect, test } from 'vitest';
import * as NonceRelease from '../../../src/core/tracking/NonceRelease.js';

/** A world whose clock sleeps at once. */
function ports(signal: AbortSignal = new AbortController().signal) {
  let now = 0;
  let released = 0;
  return {
    signal,
    clock: {
      now: () => now,
      sleep: async (ms: number) => {
        signal.throwIfAborted();
        now += ms;
      },
    },
    turn: {
      ...NonceRelease.none,
      release: () => {
        released += 1;
      },
    },
    released: () => released,
  };
}

describe('releaseOnceUsed', () => {
  test('default: not before the chain shows it', async () => {
    const { turn, released, ...around } = ports();
    let looks = 0;
    const isUsed = async () => {
      expect(released()).toBe(0);
      looks += 1;
      if (looks === 2) throw new Error('away');
      return looks === 4;
    };
    await NonceRelease.releaseOnceUsed(turn, isUsed, around);
    expect([looks, released()]).toEqual([4, 1]);
  });

  test('behavior: gives up after a while', async () => {
    const { turn, released, ...around } = ports();
    await NonceRelease.releaseOnceUsed(turn, async () => false, around);
    expect(released()).toBe(1);
    expect(around.clock.now()).toBeLessThan(17_000);
  });
});
