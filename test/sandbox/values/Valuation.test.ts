import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Valuation from '../../../src/sandbox/values/Valuation.js';
import * as fixture from '../../support/market.js';

const usdc = fixture.token(fixture.alpha, 'USDC');
const eth = fixture.token(fixture.alpha, 'ETH');
const gull = fixture.token(fixture.alpha, 'GULL');
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });

describe('toUsd', () => {
  test('default', () => {
    expect(Valuation.toUsd(10n ** 18n, eth)).toBe(2_500_000_000n);
    expect(Valuation.toUsd(20_000n, usdc)).toBe(20_000n);
  });

  test('behavior: half a millionth is rounded up', () => {
    expect(Valuation.toUsd(2n * 10n ** 12n, gull)).toBe(1n);
    expect(Valuation.toUsd(2n * 10n ** 12n - 1n, gull)).toBe(0n);
  });
});

describe('fromUsd', () => {
  test('default', () => {
    expect(Valuation.fromUsd(20_000n, eth)).toBe(8_000_000_000_000n);
  });

  test('behavior: the smallest amount of at least that value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.constantFrom(usdc, eth, gull), (usd, token) => {
        const found = Valuation.fromUsd(usd, token);
        const unit = 10n ** BigInt(token.decimals);
        expect(found * token.priceUsd).toBeGreaterThanOrEqual(usd * unit);
        expect((found - 1n) * token.priceUsd).toBeLessThan(usd * unit);
      }),
    );
  });
});

describe('convert', () => {
  test('default', () => {
    expect(Valuation.convert(10n ** 18n, eth, usdc)).toBe(2_500_000_000n);
    expect(Valuation.convert(1n, eth, usdc)).toBe(0n);
    expect(Valuation.convertUp(1n, eth, usdc)).toBe(1n);
  });

  test('behavior: rounding up and rounding down are at most a unit apart', () => {
    fc.assert(
      fc.property(amount, (value) => {
        const difference = Valuation.convertUp(value, gull, usdc) - Valuation.convert(value, gull, usdc);
        expect(difference === 0n || difference === 1n).toBe(true);
      }),
    );
  });
});

describe('share', () => {
  test('default', () => {
    expect(Valuation.share(2_500_000_000n, 6n)).toBe(1_500_000n);
    expect(Valuation.share(5_000n, 1n)).toBe(1n);
  });
});

describe('rescale', () => {
  test('default', () => {
    expect(Valuation.rescale(1_500_000n, 6, 18)).toBe(1_500_000_000_000_000_000n);
    expect(Valuation.rescale(1_999_999_999_999n, 18, 6)).toBe(1n);
    expect(Valuation.rescale(7n, 6, 6)).toBe(7n);
  });
});

describe('formatRatio', () => {
  test.each([
    [-4n, 1_000n, 4, '-0.0040'],
    [-100n, 250n, 2, '-0.40'],
    [1n, 3n, 4, '0.3333'],
    [2n, 3n, 4, '0.6667'],
    [-1n, 1_000_000n, 2, '0.00'],
    [5n, 0n, 2, '0.00'],
    [5n, 2n, 0, '3'],
  ])('behavior: %s of %s with %s decimals is %s', (part, whole, decimals, text) => {
    expect(Valuation.formatRatio(part, whole, decimals)).toBe(text);
  });
});
