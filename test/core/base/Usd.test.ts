import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Usd from '../../../src/core/base/Usd.js';

describe('from', () => {
  test.each([
    ['24.997525', 24_997_525n],
    ['-0.02294', -22_940n],
    ['0', 0n],
    ['1.', 1_000_000n],
    ['-0.0000005', -1n],
    ['0.00000049', 0n],
    ['99.9999995', 100_000_000n],
  ])('default: %s', (text, expected) => {
    expect(Usd.from(text)).toBe(expected);
  });

  test.each(['', '-', 'NaN', '1e-7', '--1', '1.2.3', 'N/A'])('behavior: %j is not an amount', (text) => {
    expect(Usd.from(text)).toBeUndefined();
  });

  test('behavior: reads what formatWire prints', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), (usd) => {
        expect(Usd.from(Usd.formatWire(usd))).toBe(usd);
      }),
    );
  });
});

test.each([
  [-22_940n, '-$0.0229'],
  [0n, '$0.00'],
  [100_000_000n, '$100.00'],
  [1_005_000n, '$1.01'],
  [-49n, '$0.0000'],
  [999_999n, '$1.0000'],
])('format: %s', (usd, expected) => {
  expect(Usd.format(usd)).toBe(expected);
});

test('formatBps: basis points with one decimal; undefined if the whole is zero', () => {
  expect(Usd.formatBps(-22_940n, 100_000_000n)).toBe('-2.3');
  expect(Usd.formatBps(10_000n, 100_000_000n)).toBe('1.0');
  expect(Usd.formatBps(1n, 0n)).toBeUndefined();
});
