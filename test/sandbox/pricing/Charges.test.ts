/** What a quote costs, in its parts, and what of it a sponsor pays. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as Charges from '../../../src/sandbox/pricing/Charges.js';
import { RefusalError } from '../../../src/sandbox/pricing/QuoteRefusal.js';
import * as Sponsorship from '../../../src/sandbox/pricing/Sponsorship.js';
import * as fixture from '../../support/market.js';

describe('Charges: from', () => {
  test('behavior: grows by at most one unit per unit of input; each share is exact to a unit', () => {
    const bps = fc.bigInt({ min: 0n, max: 2_000n });
    fc.assert(
      fc.property(bps, bps, bps, fc.bigInt({ min: 0n, max: 10n ** 24n }), (platformBps, rebalancingBps, app, input) => {
        const rates = { flat: 7n, gas: 11n, platformBps, rebalancingBps, appBps: [app, app] };
        const charges = Charges.from(rates, input);
        const step = Charges.total(Charges.from(rates, input + 1n)) - Charges.total(charges);
        expect(step === 0n || step === 1n).toBe(true);
        const shares = [
          [charges.app[0], app],
          [charges.app[1], app],
          [charges.platform, platformBps],
          [charges.rebalancing, rebalancingBps],
        ] as const;
        for (const [charged = -1n, share] of shares) {
          const exact = (input * share) / 10_000n;
          expect(charged === exact || charged === exact + 1n).toBe(true);
        }
      }),
    );
  });
});

const keyed = { hasKey: true, isBridge: false };

function wanted(options: Partial<QuoteV2.Request>, client = keyed): Sponsorship.Wanted | undefined {
  return Sponsorship.terms(fixture.request(1n, 'alpha/usdc', 'beta/usdt', options), client);
}

describe('Sponsorship: terms', () => {
  test("behavior: selected components, the platform's by the service's name or by the specification's", () => {
    for (const word of ['relay', 'platform']) {
      const { selected, selectsRent } = wanted({ subsidizeFees: true, sponsoredFeeComponents: [word, 'rent'] }) ?? {};
      expect(selected).toEqual(new Set(['platform']));
      expect(selectsRent).toBe(true);
    }
  });

  test.each<[Partial<QuoteV2.Request>]>([
    [{ subsidizeFees: false, sponsoredFeeComponents: ['execution'] }],
    [{ subsidizationBps: 0 }],
    [{ maxSubsidizationAmount: '1' }],
    [{ subsidizeRent: true }],
  ])('error: %o without subsidizeFees', (options) => {
    expect(() => wanted(options)).toThrow(expect.objectContaining({ status: 400 }));
  });

  test.each(['gas', 'sponsored', ''])('error: "%s" is not a component on the wire', (word) => {
    expect(() => wanted({ subsidizeFees: true, sponsoredFeeComponents: [word] })).toThrow(
      expect.objectContaining({
        status: 400,
        message: `sponsoredFeeComponents must name execution, swap, relay, app or rent, not ${word}`,
      }),
    );
  });

  test('error: a share of a bridge', () => {
    const options = { subsidizeFees: true, subsidizationBps: 5_000 };
    expect(() => wanted(options, { hasKey: true, isBridge: true })).toThrow(RefusalError);
  });

  test('error: no key', () => {
    expect(() => wanted({ subsidizeFees: true }, { hasKey: false, isBridge: false })).toThrow(
      expect.objectContaining({ status: 401, body: expect.objectContaining({ errorCode: 'UNAUTHORIZED' }) }),
    );
  });
});
