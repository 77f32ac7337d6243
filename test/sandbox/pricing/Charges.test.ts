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
import * as GasLimits from '../../../src/sandbox/values/GasLimits.js';
import * as fixture from '../../support/market.js';

function ratesOf(request: ReturnType<typeof fixture.request>): Charges.Rates {
  const terms = QuoteTerms.from(request, fixture.market, undefined);
  return Charges.rates(terms, Pricing.from(terms).path.route);
}

describe('Charges: rates', () => {
  test('behavior: the solver fills it on request', () => {
    const asked = fixture.request(100_000_000n, 'alpha/usdc', 'alpha/usdt', { forceSolverExecution: true });
    expect(ratesOf(asked)).toMatchObject({ flat: 20_000n, gas: 1_200n, rebalancingBps: 0n });
  });

  test('behavior: of a wrap only the app takes a fee', () => {
    const appFees = [{ recipient: fixture.other, fee: '30' }];
    const free = { flat: 0n, gas: 0n, platformBps: 0n, rebalancingBps: 0n };
    expect(ratesOf(fixture.request(10n ** 18n, 'alpha/eth', 'alpha/weth', { appFees }))).toEqual({
      ...free,
      appBps: [30n],
    });
  });
});

describe('Charges: originGas', () => {
  const usdc = fixture.token(fixture.alpha, 'USDC');
  const of = (from: string, to: string, rest: Partial<QuoteV2.Request>) => {
    const terms = QuoteTerms.from(fixture.request(100_000_000n, from, to, rest), fixture.market, undefined);
    const { path, originSwap } = Pricing.from(terms);
    return Charges.originGas(terms, path.route, originSwap?.path.route);
  };

  test("default: the relayer's transaction", () => {
    expect(of('alpha/usdc', 'beta/usdc', { originGasOverhead: 80_000 })).toBe(
      GasLimits.approve + GasLimits.deposit(fixture.token(fixture.alpha, 'USDC')) + 80_000n,
    );
    expect(of('alpha/usdc', 'beta/usdc', { usePermit: true })).toBe(GasLimits.permit);
  });

  test('behavior: a swap before the deposit', () => {
    expect(of('alpha/usdt', 'beta/usdc', { originGasOverhead: 80_000 })).toBe(
      GasLimits.approve + GasLimits.swapDeposit({ from: usdc, to: usdc, hops: 1 }) + 80_000n,
    );
  });

  test('behavior: 0 if the user sends it', () => {
    expect(of('alpha/usdc', 'beta/usdc', {})).toBe(0n);
    expect(of('alpha/usdc', 'beta/usdc', { originGasOverhead: 0 })).toBe(0n);
  });
});

describe('Charges: from', () => {
  test('default', () => {
    const rates = { flat: 20_000n, gas: 325n, platformBps: 6n, rebalancingBps: 1n, appBps: [30n, 5n] };
    const charges = Charges.from(rates, 25_000_000n);
    expect(charges).toEqual({
      flat: 20_000n,
      gas: 325n,
      app: [75_000n, 12_500n],
      platform: 15_000n,
      rebalancing: 2_500n,
    });
    expect(Charges.serviceTotal(charges)).toBe(37_825n);
    expect(Charges.appTotal(charges)).toBe(87_500n);
    expect(Charges.total(charges)).toBe(125_325n);
    expect(Charges.components(charges)).toEqual({ execution: 20_325n, platform: 15_000n, app: 87_500n });
  });

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
  test('default', () => {
    const { fees } = priced(fixture.request(eth, 'alpha/eth', 'beta/usdc'));
    expect(fees).toEqual({
      execution: { usd: -21_800n, amount: 8_720_000_000_000n },
      // One basis point for rebalancing, five for the pool, plus price impact.
      swap: { usd: -2_745_473n, amount: 1_098_189_200_000_000n },
      platform: { usd: -1_500_000n, amount: 600_000_000_000_000n },
      app: { usd: 0n, amount: 0n },
      sponsored: { usd: 0n, amount: 0n },
    });
  });

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

  test('behavior: with full sponsorship the user loses nothing', () => {
    const { fees, transfer } = priced(fixture.request(100n * usd, 'alpha/usdc', 'beta/usdt', { subsidizeFees: true }));
    expect(fees.sponsored.usd).toBe(52_595n);
    expect(Fees.totalUsd(transfer)).toBe(-7n);
  });
});

describe('Fees: withOutput', () => {
  test('default', () => {
    const { fees, transfer } = priced(fixture.request(eth, 'alpha/eth', 'beta/usdc'));
    const more = { ...transfer, output: { ...transfer.output, amount: transfer.output.amount + 3n * usd } };
    const actual = Fees.withOutput(fees, more);
    expect(actual.swap).toEqual({ usd: 254_527n, amount: 101_810_800_000_000n });
    expect(sum(actual)).toBe(Fees.totalUsd(more));
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
  test('default', () => {
    expect(wanted({ subsidizeFees: true })).toEqual({
      selected: new Set(['execution', 'swap', 'platform', 'app']),
      selectsRent: false,
      shareBps: 10_000n,
      hasShare: false,
      maxUsd: undefined,
    });
  });

  test('behavior: undefined without sponsorship', () => {
    expect(wanted({})).toBeUndefined();
    expect(wanted({ subsidizeFees: false }, { hasKey: false, isBridge: true })).toBeUndefined();
  });

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
