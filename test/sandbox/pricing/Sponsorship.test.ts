import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import { RefusalError } from '../../../src/sandbox/pricing/QuoteRefusal.js';
import * as Sponsorship from '../../../src/sandbox/pricing/Sponsorship.js';
import * as fixture from '../../support/market.js';

const usdc = fixture.token(fixture.alpha, 'USDC');
const keyed = { hasKey: true, isBridge: false };

function terms(options: Partial<QuoteV2.Request>, client = keyed): Sponsorship.Wanted | undefined {
  return Sponsorship.terms(fixture.request(1n, 'alpha/usdc', 'beta/usdt', options), client);
}

function sponsored(options: Partial<QuoteV2.Request>, totals = whole(100n, 200n, 300n, 400n)): Sponsorship.Sponsored {
  const asked = terms({ subsidizeFees: true, ...options });
  if (!asked) throw new Error('nothing is asked');
  return Sponsorship.from(asked, totals, usdc);
}

function whole(execution: bigint, swap: bigint, platform: bigint, app: bigint): Sponsorship.Totals {
  const both = (total: bigint) => ({ total, payable: total });
  return { execution: both(execution), swap: both(swap), platform: both(platform), app: both(app) };
}

describe('terms', () => {
  test('default', () => {
    expect(terms({ subsidizeFees: true })).toEqual({
      selected: new Set(['execution', 'swap', 'platform', 'app']),
      selectsRent: false,
      shareBps: 10_000n,
      hasShare: false,
      maxUsd: undefined,
    });
  });

  test('behavior: undefined without sponsorship', () => {
    expect(terms({})).toBeUndefined();
    expect(terms({ subsidizeFees: false }, { hasKey: false, isBridge: true })).toBeUndefined();
  });

  test("behavior: selected components, the platform's by the service's name or by the specification's", () => {
    for (const word of ['relay', 'platform']) {
      const { selected, selectsRent } = terms({ subsidizeFees: true, sponsoredFeeComponents: [word, 'rent'] }) ?? {};
      expect(selected).toEqual(new Set(['platform']));
      expect(selectsRent).toBe(true);
    }
  });

  test('behavior: components alone are sponsored', () => {
    expect(terms({ sponsoredFeeComponents: ['execution'] })?.selected).toEqual(new Set(['execution']));
  });

  test.each<[Partial<QuoteV2.Request>]>([
    [{ subsidizeFees: false, sponsoredFeeComponents: ['execution'] }],
    [{ subsidizationBps: 0 }],
    [{ maxSubsidizationAmount: '1' }],
    [{ subsidizeRent: true }],
  ])('error: %o without subsidizeFees', (options) => {
    expect(() => terms(options)).toThrow(expect.objectContaining({ status: 400 }));
  });

  test.each(['gas', 'sponsored', ''])('error: "%s" is not a component on the wire', (word) => {
    expect(() => terms({ subsidizeFees: true, sponsoredFeeComponents: [word] })).toThrow(
      expect.objectContaining({
        status: 400,
        message: `sponsoredFeeComponents must name execution, swap, relay, app or rent, not ${word}`,
      }),
    );
  });

  test('error: a share of a bridge', () => {
    const options = { subsidizeFees: true, subsidizationBps: 5_000 };
    expect(() => terms(options, { hasKey: true, isBridge: true })).toThrow(RefusalError);
  });

  test('error: no key', () => {
    expect(() => terms({ subsidizeFees: true }, { hasKey: false, isBridge: false })).toThrow(
      expect.objectContaining({ status: 401, body: expect.objectContaining({ errorCode: 'UNAUTHORIZED' }) }),
    );
  });
});

describe('from', () => {
  test('default', () => {
    expect(sponsored({})).toMatchObject({ amount: 1_000n, usd: 1_000n, isCapped: false });
  });

  test('behavior: selected components only', () => {
    const { amount, parts } = sponsored({ sponsoredFeeComponents: ['execution', 'relay'] });
    expect(amount).toBe(400n);
    expect(parts.swap).toEqual({ total: 200n, sponsored: 0n });
  });

  test('behavior: a share of each', () => {
    expect(sponsored({ subsidizationBps: 2_500 }).amount).toBe(250n);
  });

  test('behavior: no more than the cap', () => {
    const { amount, isCapped, parts } = sponsored({ maxSubsidizationAmount: '350' });
    expect({ amount, isCapped }).toEqual({ amount: 350n, isCapped: true });
    expect(Object.values(parts).map((part) => part.sponsored)).toEqual([100n, 200n, 50n, 0n]);
  });

  test('behavior: only the payable part', () => {
    const totals = { ...whole(100n, 200n, 300n, 400n), swap: { total: 200n, payable: 0n } };
    expect(sponsored({}, totals)).toMatchObject({ amount: 800n, parts: { swap: { total: 200n, sponsored: 0n } } });
  });

  test('behavior: the parts add up, none is above its total, the cap holds', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        amount,
        amount,
        fc.integer({ min: 0, max: 10_000 }),
        (a, b, c, d, cap, bps) => {
          const options = { maxSubsidizationAmount: cap.toString(), subsidizationBps: bps };
          const result = sponsored(options, whole(a, b, c, d));
          const parts = Object.values(result.parts);
          expect(parts.reduce((sum, part) => sum + part.sponsored, 0n)).toBe(result.amount);
          expect(parts.every((part) => part.sponsored <= part.total)).toBe(true);
          expect(result.amount).toBeLessThanOrEqual(cap);
        },
      ),
    );
  });
});
