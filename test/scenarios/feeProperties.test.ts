/** Properties of every price, for arbitrary amounts, pools, prices and gas. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import * as Charges from '../../src/sandbox/pricing/Charges.js';
import * as Fees from '../../src/sandbox/pricing/Fees.js';
import * as Pricing from '../../src/sandbox/pricing/Pricing.js';
import { RefusalError } from '../../src/sandbox/pricing/QuoteRefusal.js';
import * as QuoteTerms from '../../src/sandbox/pricing/QuoteTerms.js';
import { sponsorshipOf } from '../../src/sandbox/quote/QuoteAnswer.js';
import type { EvmChain, Market } from '../../src/sandbox/values/Market.js';
import * as fixture from '../support/market.js';

const ether = 10n ** 18n;
const routes = [
  ['alpha/usdc', 'beta/usdc', 10n ** 6n],
  ['alpha/eth', 'beta/weth', ether / 2_500n],
  ['alpha/usdt', 'beta/dai', 10n ** 6n],
  ['alpha/gull', 'beta/eth', 4n * ether],
  ['alpha/usdc', 'alpha/usdt', 10n ** 6n],
  ['alpha/dai', 'alpha/eth', ether],
  ['alpha/eth', 'alpha/weth', ether / 2_500n],
  ['alpha/usdc', 'lighter/usdc', 10n ** 6n],
  ['beta/eth', 'lighter/usdc', ether / 2_500n],
  ['lighter/usdc', 'beta/eth', 10n ** 6n],
] as const;

/** Per mille of the fixture market's values. */
const factor = fc.bigInt({ min: 800n, max: 1_250n });
const ports = fc.record({ reserve0: factor, reserve1: factor, eth: factor, gull: factor, gas: factor });

const bps = (max: number) => fc.integer({ min: 0, max }).map(String);
const sponsorship = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      subsidizeFees: fc.constant(true),
      sponsoredFeeComponents: fc.subarray(['execution', 'swap', 'relay', 'app', 'rent'], { minLength: 1 }),
      subsidizationBps: fc.integer({ min: 0, max: 10_000 }),
      maxSubsidizationAmount: fc.bigInt({ min: 0n, max: 2_000_000n }).map(String),
    },
    { requiredKeys: ['subsidizeFees'] },
  ),
);
const asked = fc.record({
  route: fc.constantFrom(...routes),
  size: fc.integer({ min: 1, max: 50_000 }),
  dust: fc.bigInt({ min: 0n, max: 999_999n }),
  slippageTolerance: bps(10_000),
  appFees: fc.array(bps(400), { maxLength: 3 }),
  originGasOverhead: fc.constantFrom(0, 80_000),
  sponsorship,
});

function marketOf(change: { reserve0: bigint; reserve1: bigint; eth: bigint; gull: bigint; gas: bigint }): Market {
  const chains = [fixture.alpha, fixture.beta].map((chain): EvmChain => {
    const prices: Record<string, bigint> = { ETH: change.eth, WETH: change.eth, GULL: change.gull };
    return {
      ...chain,
      gasPriceWei: (chain.gasPriceWei * change.gas * change.gas) / 1_000n,
      tokens: chain.tokens.map((token) => ({
        ...token,
        priceUsd: (token.priceUsd * (prices[token.symbol] ?? 1_000n)) / 1_000n,
      })),
      pools: chain.pools.map((pool) => ({
        ...pool,
        reserve0: (pool.reserve0 * change.reserve0) / 1_000n,
        reserve1: (pool.reserve1 * change.reserve1) / 1_000n,
      })),
    };
  });
  return { ...fixture.market, chains: [...chains, fixture.venue] };
}

type Priced = { terms: QuoteTerms.PricedRequest; pricing: Pricing.Pricing };

/** Undefined if the service refuses, which is allowed. */
function priced(request: QuoteV2.Request, market: Market): Priced | undefined {
  try {
    const terms = QuoteTerms.from(request, market, { sponsorBalanceUsd: 10n ** 15n });
    return { terms, pricing: Pricing.from(terms) };
  } catch (error) {
    if (error instanceof RefusalError) return undefined;
    throw error;
  }
}

function forEveryPrice(holds: (priced: Priced, request: QuoteV2.Request) => void): void {
  fc.assert(
    fc.property(ports, asked, (change, { route, size, dust, appFees, originGasOverhead, sponsorship, ...rest }) => {
      const [from, to, unit] = route;
      const request = fixture.request(unit * BigInt(size) + dust, from, to, {
        ...rest,
        ...sponsorship,
        ...(from.startsWith('lighter') ? {} : { originGasOverhead }),
        appFees: appFees.map((fee) => ({ recipient: fixture.other, fee })),
      });
      const found = priced(request, marketOf(change));
      fc.pre(found !== undefined);
      holds(found, request);
    }),
    { numRuns: 300 },
  );
}

describe('every price', () => {
  test("behavior: the components sum to the output's value minus the input's", () => {
    forEveryPrice(({ terms, pricing }) => {
      const { origin, destination } = terms;
      const sum = Object.values(Fees.from(terms, pricing)).reduce((total, { usd }) => total + usd, 0n);
      const transfer = {
        input: { token: origin.token, amount: pricing.input },
        output: { token: destination.token, amount: pricing.output },
      };
      expect(sum).toBe(Fees.totalUsd(transfer));
    });
  });

  test('behavior: the minimum is the output less slippage, rounded up', () => {
    forEveryPrice(({ pricing: { output, minimumOutput } }, { slippageTolerance }) => {
      const exact = output * (10_000n - BigInt(slippageTolerance ?? 0));
      expect(minimumOutput * 10_000n >= exact && minimumOutput * 10_000n < exact + 10_000n).toBe(true);
    });
  });

  test('behavior: sponsors at most the whole of selected components, nothing of others, within the cap', () => {
    forEveryPrice(({ terms, pricing: { sponsored } }, { maxSubsidizationAmount }) => {
      if (!sponsored) return;
      for (const [name, part] of Object.entries(sponsored.parts)) {
        const isSelected = sponsored.terms.selected.has(name as never);
        expect(part.sponsored >= 0n && part.sponsored <= (isSelected ? part.total : 0n)).toBe(true);
      }
      expect(Object.values(sponsored.parts).reduce((sum, part) => sum + part.sponsored, 0n)).toBe(sponsored.amount);
      expect(sponsored.terms).toBe(terms.sponsorship);
      if (maxSubsidizationAmount !== undefined)
        expect(sponsored.usd).toBeLessThanOrEqual(BigInt(maxSubsidizationAmount));
    });
  });

  test('behavior: the user pays the charges less the sponsored amount', () => {
    forEveryPrice(({ terms, pricing }) => {
      const { charges, basis, pathAmount, path, sponsored } = pricing;
      const { decimals } = terms.payment.token;
      if (path.from.decimals === decimals)
        expect(basis - pathAmount).toBe(Charges.total(charges) - (sponsored?.amount ?? 0n));
      if (!sponsored) return;
      const fees = Fees.from(terms, pricing);
      const phase = sponsorshipOf(terms.payment, sponsored, fees);
      // One figure of the swap in both places.
      const { swap, ...others } = sponsored.parts;
      const cost = fees.swap.usd > 0n ? 0n : fees.swap.amount;
      const least = cost > swap.sponsored ? cost : swap.sponsored;
      expect(phase.components.swap?.total.amount).toBe(String(least));
      const total = Object.values(others).reduce((sum, part) => sum + part.total, least);
      expect(phase.sponsoredTotal.amount).toBe(sponsored.amount.toString());
      expect(phase.userPaysTotal.amount).toBe((total - sponsored.amount).toString());
    });
  });
});
