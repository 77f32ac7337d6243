import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as ClockSkew from '../../../src/core/checks/ClockSkew.js';

describe('fromSecond', () => {
  test('behavior: two clocks that agree never show a skew', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), fc.nat(5_000), fc.nat(5_000), (askedAt, there, back) => {
        const told = Math.floor((askedAt + there) / 1000) * 1000;
        expect(ClockSkew.least(ClockSkew.fromSecond(told, { askedAt, answeredAt: askedAt + there + back }))).toBe(0);
      }),
    );
  });

  test('behavior: the skew is accurate to within its margin', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), fc.integer({ min: -100_000, max: 100_000 }), fc.nat(5_000), (now, ahead, rtt) => {
        const told = Math.floor(now / 1000) * 1000;
        const asked = { askedAt: now + ahead - rtt / 2, answeredAt: now + ahead + rtt / 2 };
        const { aheadMs, marginMs } = ClockSkew.fromSecond(told, asked);
        expect(Math.abs(aheadMs - ahead)).toBeLessThanOrEqual(marginMs + 1);
      }),
    );
  });
});

test('fromBlock: a block from the future shows that the clock is behind, an old one shows nothing', () => {
  expect(ClockSkew.fromBlock(100, 40_000)).toEqual({ aheadMs: -60_000, marginMs: 0 });
  expect(ClockSkew.fromBlock(100, 100_000)).toBeUndefined();
});

test.each([
  [400, '0.4 s ahead'],
  [-9_940, '9.9 s behind'],
  [61_000, '61 s ahead'],
  [-600_000, '10 min behind'],
  [86_400_000, '24 h ahead'],
])('format: %d', (aheadMs, text) => {
  expect(ClockSkew.format({ aheadMs, marginMs: 0 })).toBe(text);
});

describe('assertFit', () => {
  const behind = { aheadMs: -900_000, marginMs: 500 };

  test('error: a clock that is off, with what to do', () => {
    expect(() => ClockSkew.assertFit(behind)).toThrow(
      expect.objectContaining({
        code: 'system.clock',
        funds: 'untouched',
        message: expect.stringContaining('15 min behind the service’s'),
      }),
    );
  });

  test.each([
    ['within the margin', { aheadMs: 31_000, marginMs: 2_000 }],
    ['not known', undefined],
  ] as const)('default: %s', (_, skew) => {
    expect(() => ClockSkew.assertFit(skew)).not.toThrow();
  });
});
