/** What a quote costs, in its parts, and what of it a sponsor pays. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as Charges from '../../../src/sandbox/pricing/Charges.js';
import * as Fees from '../../../src/sandbox/pricing/Fees.js';
import * as Pricing from '../../../src/sandbox/pricing/Pricing.js';
import { RefusalError } from '../../../src/sandbox/pricing/QuoteRefusal.js';
import * as QuoteTerms from '../../../src/sandbox/pricing/QuoteTerms.js';
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

const eth = 10n ** 18n;
const usd = 10n ** 6n;

function priced(request: QuoteV2.Request): { fees: Fees.Fees; transfer: Fees.Transfer } {
  const terms = QuoteTerms.from(request, fixture.market, { sponsorBalanceUsd: 10n ** 12n });
  const pricing = Pricing.from(terms);
  const transfer = {
    currency: terms.payment.token,
    input: { token: terms.origin.token, amount: pricing.input },
    output: { token: terms.destination.token, amount: pricing.output },
  };
  return { fees: Fees.from(terms, pricing), transfer };
}

function sum(fees: Fees.Fees): bigint {
  return Object.values(fees).reduce((total, fee) => total + fee.usd, 0n);
}

describe('Fees: from', () => {
  test('behavior: the components sum to the loss of the transfer', () => {
    const route = fc.constantFrom(
      ['alpha/usdc', 'beta/usdc', usd] as const,
      ['alpha/usdt', 'beta/gull', usd] as const,
      ['alpha/eth', 'alpha/dai', eth / 2_500n] as const,
      ['alpha/gull', 'beta/eth', 4n * eth] as const,
    );
    const options = fc.constantFrom<Partial<QuoteV2.Request>>(
      {},
      { appFees: [{ recipient: fixture.other, fee: '25' }] },
      { subsidizeFees: true },
      { subsidizeFees: true, sponsoredFeeComponents: ['execution', 'relay'], maxSubsidizationAmount: '30000' },
    );
    fc.assert(
      fc.property(route, options, fc.integer({ min: 1, max: 100_000 }), ([from, to, unit], rest, size) => {
        const { fees, transfer } = priced(fixture.request(unit * BigInt(size), from, to, rest));
        expect(sum(fees)).toBe(Fees.totalUsd(transfer));
      }),
    );
  });
});

const payment = fixture.token(fixture.alpha, 'USDC');
const keyed = { hasKey: true, isBridge: false };

function wanted(options: Partial<QuoteV2.Request>, client = keyed): Sponsorship.Wanted | undefined {
  return Sponsorship.terms(fixture.request(1n, 'alpha/usdc', 'beta/usdt', options), client);
}

function sponsored(options: Partial<QuoteV2.Request>, totals = whole(100n, 200n, 300n, 400n)): Sponsorship.Sponsored {
  const asked = wanted({ subsidizeFees: true, ...options });
  if (!asked) throw new Error('nothing is asked');
  return Sponsorship.from(asked, totals, payment);
}

function whole(execution: bigint, swap: bigint, platform: bigint, app: bigint): Sponsorship.Totals {
  const both = (total: bigint) => ({ total, payable: total });
  return { execution: both(execution), swap: both(swap), platform: both(platform), app: both(app) };
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

describe('Sponsorship: from', () => {
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
