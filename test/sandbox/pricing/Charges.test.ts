import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as Charges from '../../../src/sandbox/pricing/Charges.js';
import * as Pricing from '../../../src/sandbox/pricing/Pricing.js';
import * as QuoteTerms from '../../../src/sandbox/pricing/QuoteTerms.js';
import * as GasLimits from '../../../src/sandbox/values/GasLimits.js';
import * as fixture from '../../support/market.js';

function ratesOf(request: ReturnType<typeof fixture.request>): Charges.Rates {
  const terms = QuoteTerms.from(request, fixture.market, undefined);
  return Charges.rates(terms, Pricing.from(terms).path.route);
}

describe('rates', () => {
  test('default', () => {
    expect(ratesOf(fixture.request(100_000_000n, 'alpha/usdc', 'beta/usdc'))).toEqual({
      flat: 20_000n,
      // 65,000 units of gas at 2,000,000 wei, at 2,500 dollars an ether.
      gas: 325n,
      platformBps: 0n,
      rebalancingBps: 1n,
      appBps: [],
    });
  });

  test('behavior: a same-chain swap has no fill', () => {
    expect(ratesOf(fixture.request(100_000_000n, 'alpha/usdc', 'alpha/usdt'))).toMatchObject({
      flat: 20_000n,
      gas: 0n,
      platformBps: 1n,
      rebalancingBps: 0n,
    });
  });

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

  test('behavior: adds the gas of a gasless origin', () => {
    const asked = fixture.request(100_000_000n, 'alpha/usdc', 'beta/usdc', { originGasOverhead: 80_000 });
    // An approval, a deposit and the overhead: 225,000 units at 1,500,000 wei.
    expect(ratesOf(asked).gas).toBe(325n + 844n);
  });
});

describe('originGas', () => {
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

  test('behavior: native currency needs no approval; a swap costs more than a deposit', () => {
    const eth = { amount: (10n ** 17n).toString(), originGasOverhead: 1 };
    expect(of('alpha/eth', 'beta/eth', eth)).toBe(GasLimits.deposit(fixture.token(fixture.alpha, 'ETH')) + 1n);
    expect(of('alpha/usdc', 'alpha/dai', { originGasOverhead: 1 })).toBeGreaterThan(
      of('alpha/usdc', 'beta/dai', { originGasOverhead: 1 }),
    );
  });
});

describe('from', () => {
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

describe('fillGas', () => {
  test.each([
    ['alpha/eth', 'beta/eth', 30_000n],
    ['alpha/usdc', 'beta/usdc', 65_000n],
    ['alpha/eth', 'beta/weth', 150_000n],
    ['alpha/usdc', 'beta/usdt', 320_000n],
    ['alpha/usdc', 'beta/eth', 360_000n],
    // Swapped before the deposit.
    ['alpha/gull', 'beta/eth', 30_000n],
  ])('behavior: %s to %s', (from, to, gas) => {
    const terms = QuoteTerms.from(fixture.request(10n ** 18n, from, to), fixture.market, undefined);
    const route = Pricing.from({ ...terms, ignoresImpact: true }).path.route;
    expect(Charges.fillGas(terms, route)).toBe(gas);
  });
});
