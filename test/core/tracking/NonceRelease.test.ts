import { describe, expect, test } from 'vitest';
import * as NonceRelease from '../../../src/core/tracking/NonceRelease.js';
import { quickClock } from '../../support/quickClock.js';

function ports() {
  let released = 0;
  const release = () => {
    released += 1;
  };
  return { ...quickClock(), turn: { ...NonceRelease.none, release }, released: () => released };
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
