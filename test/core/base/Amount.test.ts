import fc from 'fast-check';
import { parseUnits } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Amount from '../../../src/core/base/Amount.js';

describe('from', () => {
  test.each([
    ['1.5', 6, 1_500_000n],
    ['0.000001', 6, 1n],
    ['100', 18, 100n * 10n ** 18n],
    ['007', 0, 7n],
    ['0', 6, 0n],
    ['1.5000000', 6, 1_500_000n],
    ['2.00', 0, 2n],
    ['0.100000000000000000', 1, 1n],
  ])('default: %s with %i decimals', (text, decimals, expected) => {
    expect(Amount.from(text, decimals)).toBe(expected);
  });

  test.each(['', '-1', '+1', '.5', '1.', '1e3', '1,5', '0x10', ' 1', '1 ', 'max', '１', '1'.repeat(90)])(
    'error: %j is not an amount',
    (text) => {
      expect(() => Amount.from(text, 18)).toThrow(Amount.InvalidAmountError);
    },
  );

  test.each([
    ['1.5\u200b', /invisible character, U\+200B/],
    ['\ufeff1', /U\+FEFF/],
    ['1\u00a0000', /U\+00A0/],
    ['１.５', /digits are not 0 to 9/],
    ['٥', /digits are not 0 to 9/],
    ['1,5', /comma may mean a point or thousands/],
    ["1'000", /^Leave out what separates thousands/],
    ['1’000', /^Leave out what separates thousands/],
    ['1_000', /^Leave out what separates thousands/],
    ['1 000', /^Leave out what separates thousands/],
    ['1.5 ', /^Write digits/],
  ])('error: %j, and why', (text, why) => {
    expect(() => Amount.from(text, 6)).toThrow(expect.objectContaining({ hint: expect.stringMatching(why) }));
  });

  test('error: rejects more decimals than the token has, never rounds', () => {
    expect(() => Amount.from('1.0000005', 6)).toThrow('has more decimals than the token');
    expect(parseUnits('1.0000005', 6)).toBe(1_000_001n);
  });

  test('behavior: agrees with viem whenever viem does not round', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 200n), fc.integer({ min: 0, max: 30 }), (amount, decimals) => {
        const text = Amount.format(amount, decimals);
        expect(Amount.from(text, decimals)).toBe(amount);
        expect(parseUnits(text, decimals)).toBe(amount);
      }),
    );
  });
});

test.each([
  [1_500_000n, 6, '1.5'],
  [1n, 18, '0.000000000000000001'],
  [0n, 6, '0'],
  [-2_500_000n, 6, '-2.5'],
  [42n, 0, '42'],
])('format: %s with %i decimals', (amount, decimals, expected) => {
  expect(Amount.format(amount, decimals)).toBe(expected);
});

test.each([
  ['1', '1', true],
  ['1.0', '1.00', true],
  ['10', '9', true],
  ['0.1', '0.09', true],
  ['1', '1.000000000000000000000001', false],
  ['9', '10', false],
])('isAtLeast: %s is at least %s: %s', (text, least, expected) => {
  expect(Amount.isAtLeast(text, least)).toBe(expected);
});

test('formatWire: always has a decimal point', () => {
  expect(Amount.formatWire(25_000_000n, 6)).toBe('25.0');
  expect(Amount.formatWire(25_390n, 6)).toBe('0.02539');
});

test('bps and divideUp: rounded down, and up', () => {
  expect(Amount.bps(9_999n, 1n)).toBe(0n);
  expect(Amount.bps(25_000_000n, 30n)).toBe(75_000n);
  expect([Amount.divideUp(6n, 3n), Amount.divideUp(7n, 3n), Amount.divideUp(0n, 3n)]).toEqual([2n, 3n, 0n]);
});

test('greatest and least: of any order, and of one', () => {
  expect([Amount.greatest([3n, 10n, 9n]), Amount.greatest([7n]), Amount.greatest([])]).toEqual([10n, 7n, 0n]);
  expect([Amount.least([10n, 3n, 9n]), Amount.least([7n]), Amount.least([])]).toEqual([3n, 7n, 0n]);
});

test.each([
  ['9919.363549878934837054', '9919.363549'],
  ['0.000000166022510785', '0.000000166'],
  ['0.99969675', '0.999696'],
  ['1.000000000000000001', '1'],
  ['-20.160000', '-20.16'],
  ['100', '100'],
])('shorten: %s', (text, expected) => {
  expect(Amount.shorten(text)).toBe(expected);
});
