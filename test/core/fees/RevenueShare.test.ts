import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as RevenueShare from '../../../src/core/fees/RevenueShare.js';

const dollars = (text: string): bigint => RevenueShare.volumeFrom(text);
const types = ['bridge', 'wrap', 'stablecoin', 'major', 'minor'] as const;

test.each([
  ['0', 'none'],
  ['10000000', 'none'],
  ['10000000.000001', 'lower'],
  ['100M', 'lower'],
  ['100000000.000001', 'upper'],
  ['1B', 'upper'],
  ['1000000000.000001', 'unpublished'],
])('tierOf: %s is %s', (volume, tier) => {
  expect(RevenueShare.tierOf(dollars(volume))).toBe(tier);
});

test.each([
  ['none', [0n, 0n, 0n, 0n, 0n]],
  ['lower', [0n, 0n, 3_400n, 2_500n, 3_333n]],
  ['upper', [0n, 0n, 6_700n, 5_000n, 6_667n]],
  ['unpublished', [undefined, undefined, undefined, undefined, undefined]],
] as const)('shareOf: %s', (tier, shares) => {
  expect(types.map((type) => RevenueShare.shareOf(tier, type))).toEqual(shares);
});

test('standingOf: all four conditions are needed', () => {
  const all = { apiKey: 'holds', verified: 'holds', volume: 'holds', payoutWallet: 'holds' } as const;
  expect(RevenueShare.standingOf(all)).toBe('holds');
  for (const key of Object.keys(all)) {
    expect(RevenueShare.standingOf({ ...all, [key]: 'unknown' })).toBe('unknown');
    expect(RevenueShare.standingOf({ ...all, verified: 'unknown', [key]: 'fails' })).toBe('fails');
  }
});

describe('payout', () => {
  test('default: the share of the fee of each type', () => {
    const mix = RevenueShare.mixFrom('bridge=20,stablecoin=30,major=40,minor=10');
    const found = RevenueShare.payout(dollars('25M'), mix);
    // 25M: 7.5M at 1 bp and 34%, 10M at 6 bps and 25%, 2.5M at 15 bps and 33.33%.
    expect(found?.lines.map(({ type }) => type)).toEqual(['bridge', 'stablecoin', 'major', 'minor']);
    expect(found?.lines.map(({ payout }) => payout)).toEqual([0n, 255_000_000n, 1_500_000_000n, 1_249_875_000n]);
    expect(found?.total).toBe(3_004_875_000n);
    expect(found?.lines[2]).toMatchObject({ volume: dollars('10M'), platformFee: dollars('6000') });
  });
  test('behavior: the upper tier, nothing at the floor, unknown above the table', () => {
    expect(RevenueShare.payout(dollars('1B'), { minor: 10_000n })?.total).toBe(dollars('1000050'));
    expect(RevenueShare.payout(dollars('10M'), { minor: 10_000n })?.total).toBe(0n);
    expect(RevenueShare.payout(dollars('1000000000.000001'), { minor: 10_000n })).toBeUndefined();
  });
  test('behavior: never more than the fee, and rounding loses at most a millionth per type', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), fc.bigInt(0n, 10_000n), (volume, part) => {
        const split = RevenueShare.payout(volume, { major: part, minor: 10_000n - part });
        const fees = split?.lines.reduce((sum, line) => sum + line.platformFee, 0n) ?? 0n;
        expect((split?.total ?? 0n) <= fees).toBe(true);
      }),
    );
  });
});

describe('volumeFrom', () => {
  test.each([
    ['25000000', 25_000_000_000_000n],
    ['$1.5k', 1_500_000_000n],
    ['0.000001', 1n],
    ['2b', 2_000_000_000_000_000n],
  ])('default: %s', (text, usd) => {
    expect(RevenueShare.volumeFrom(text)).toBe(usd);
  });
  test.each(['', '-1', '1e9', '10 M', '1,000', 'M', '1.0000001', '5T'])('error: %j', (text) => {
    expect(() => RevenueShare.volumeFrom(text)).toThrow('is not a volume');
  });
});

describe('mixFrom', () => {
  test('default: percentages with up to two decimals', () => {
    expect(RevenueShare.mixFrom('major=33.33%, minor=66.67')).toEqual({ major: 3_333n, minor: 6_667n });
  });
  test.each(['', 'major', 'major=99', 'major=50,major=50', 'other=100', 'major=100.001', 'major=101', 'major=-1'])(
    'error: %j',
    (text) => {
      expect(() => RevenueShare.mixFrom(text)).toThrow('is not a mix of volume');
    },
  );
});
