import { describe, expect, test } from 'vitest';
import * as FeeSchedule from '../../../src/core/fees/FeeSchedule.js';

test('platformFee: a cost, rounded half up', () => {
  expect(FeeSchedule.platformFee('major', 2_317_921_203n)).toBe(-1_390_753n);
  expect(FeeSchedule.platformFee('stablecoin', 5_000n)).toBe(-1n);
  expect(FeeSchedule.platformFee('stablecoin', 4_999n)).toBe(0n);
  expect(FeeSchedule.platformFee('bridge', 10n ** 12n)).toBe(0n);
});

describe('compare', () => {
  const of = { inputUsd: 99_983_200n, input: 100_000_000n };
  test('default: a rounding difference is on schedule, coarser for a token with few decimals', () => {
    expect(FeeSchedule.compare('stablecoin', -9_997n, of)).toMatchObject({ predicted: -9_998n, isOnSchedule: true });
    expect(FeeSchedule.compare('stablecoin', -9_994n, of).isOnSchedule).toBe(false);
    const cents = { inputUsd: 99_990_000n, input: 9_999n };
    expect(FeeSchedule.compare('stablecoin', 0n, cents).isOnSchedule).toBe(true);
    expect(FeeSchedule.compare('stablecoin', 0n, { ...cents, input: undefined }).isOnSchedule).toBe(false);
  });
});
