import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as Charges from '../../../src/sandbox/pricing/Charges.js';
import * as PoolRoute from '../../../src/sandbox/pricing/PoolRoute.js';
import * as Pricing from '../../../src/sandbox/pricing/Pricing.js';
import { RefusalError } from '../../../src/sandbox/pricing/QuoteRefusal.js';
import * as QuoteTerms from '../../../src/sandbox/pricing/QuoteTerms.js';
import type { Market } from '../../../src/sandbox/values/Market.js';
import * as fixture from '../../support/market.js';
import { thrownBy } from '../../support/thrown.js';

const eth = 10n ** 18n;
const usd = 10n ** 6n;

function price(request: QuoteV2.Request, market: Market = fixture.market): Pricing.Pricing {
  return Pricing.from(QuoteTerms.from(request, market, undefined));
}

const codeOf = (act: () => unknown) => thrownBy(RefusalError, act)?.body.errorCode;

/** Every kind of route, with an input of about the given value in dollars. */
const routes = [
  ['alpha/usdc', 'beta/usdc', usd],
  ['alpha/eth', 'beta/weth', eth / 2_500n],
  ['alpha/usdt', 'beta/dai', usd],
  ['alpha/eth', 'beta/usdc', eth / 2_500n],
  ['alpha/usdc', 'beta/eth', usd],
  ['alpha/gull', 'beta/eth', 4n * eth],
  ['alpha/usdc', 'alpha/usdt', usd],
  ['alpha/dai', 'alpha/eth', eth],
  ['alpha/eth', 'alpha/gull', eth / 2_500n],
] as const;

const anyRoute = fc.constantFrom(...routes);
const dollars = fc.integer({ min: 1, max: 100_000 });

describe('from', () => {
  test('behavior: a bridge to a token with other decimals', () => {
    const tokens = fixture.beta.tokens.map((token) => (token.symbol === 'USDC' ? { ...token, decimals: 18 } : token));
    const market = { ...fixture.market, chains: [fixture.alpha, { ...fixture.beta, tokens, pools: [] }] };
    const { input, output, charges } = price(fixture.request(100n * usd, 'alpha/usdc', 'beta/usdc'), market);
    expect(output).toBe((input - Charges.total(charges)) * 10n ** 12n);
    const back = fixture.request(100n * eth, 'beta/usdc', 'alpha/usdc');
    const returned = price(back, market);
    expect(returned.output).toBe((returned.input - Charges.total(returned.charges)) / 10n ** 12n);
  });

  test('behavior: more input never gives less output', () => {
    fc.assert(
      fc.property(anyRoute, dollars, fc.bigInt({ min: 0n, max: 10n ** 6n }), ([from, to, unit], size, more) => {
        const less = price(fixture.request(unit * BigInt(size), from, to));
        const greater = price(fixture.request(unit * BigInt(size) + more, from, to));
        expect(greater.output).toBeGreaterThanOrEqual(less.output);
      }),
    );
  });

  test('behavior: finds the smallest input that reaches an output', () => {
    fc.assert(
      fc.property(anyRoute, dollars, fc.bigInt({ min: 0n, max: 999_999n }), ([from, to, unit], size, offset) => {
        const forward = price(fixture.request(unit * BigInt(size), from, to));
        const wanted = forward.output > offset ? forward.output - offset : forward.output;
        const back = price(fixture.request(wanted, from, to, { tradeType: 'EXPECTED_OUTPUT' }));
        const outputFor = (input: bigint) => {
          const asked = () => price(fixture.request(input, from, to, { overridePriceImpact: true })).output;
          return codeOf(asked) ? 0n : asked();
        };
        expect(back.output).toBeGreaterThanOrEqual(wanted);
        expect(outputFor(back.input)).toBe(back.output);
        expect(outputFor(back.input - 1n)).toBeLessThan(wanted);
      }),
    );
  });

  test.each([
    ['fees above the input', fixture.request(20_000n, 'alpha/usdc', 'beta/usdc'), 'AMOUNT_TOO_LOW'],
    ['a swap of less than five cents', fixture.request(49_999n, 'alpha/usdc', 'alpha/usdt'), 'AMOUNT_TOO_LOW'],
    [
      'more than the pool holds',
      fixture.request(5_000_000n * usd, 'alpha/eth', 'beta/usdc', { tradeType: 'EXACT_OUTPUT' }),
      'INSUFFICIENT_LIQUIDITY',
    ],
    ['a loss of half in the pools', fixture.request(2_100n * eth, 'alpha/eth', 'alpha/usdc'), 'SWAP_IMPACT_TOO_HIGH'],
    [
      'other swap sources',
      fixture.request(eth, 'alpha/eth', 'alpha/usdc', { includedSwapSources: ['uniswap'] }),
      'NO_SWAP_ROUTES_FOUND',
    ],
    [
      'no swap sources',
      fixture.request(eth, 'alpha/eth', 'alpha/usdc', { excludedSwapSources: ['sandbox-pools'] }),
      'NO_SWAP_ROUTES_FOUND',
    ],
  ])('error: %s', (_, asked, code) => {
    expect(codeOf(() => price(asked))).toBe(code);
  });

  test('behavior: a sponsor pays fees that exceed the input', () => {
    const asked = fixture.request(1_000n, 'alpha/usdc', 'beta/usdc', { subsidizeFees: true });
    const terms = QuoteTerms.from(asked, fixture.market, { sponsorBalanceUsd: usd });
    expect(Pricing.from(terms)).toMatchObject({ output: 1_000n, sponsored: { amount: 20_325n } });
  });

  test('error: no pools', () => {
    const market = { ...fixture.market, chains: [fixture.alpha, { ...fixture.beta, pools: [] }] };
    const asked = fixture.request(eth, 'alpha/eth', 'beta/usdc');
    expect(codeOf(() => price(asked, market))).toBe('NO_SWAP_ROUTES_FOUND');
  });

  test('behavior: overridePriceImpact allows a large pool loss', () => {
    const asked = fixture.request(2_100n * eth, 'alpha/eth', 'alpha/usdc', { overridePriceImpact: true });
    expect(price(asked).output).toBeGreaterThan(0n);
  });
});

describe('from: the venue', () => {
  const priced = (...asked: Parameters<typeof fixture.request>) => price(fixture.request(...asked), fixture.whole);

  test('behavior: a sponsor also pays the activation fee', () => {
    const asked = fixture.request(100n * usd, 'alpha/usdc', 'lighter/usdc', { recipient: '106', subsidizeFees: true });
    const { output, sponsored } = Pricing.from(
      QuoteTerms.from(asked, fixture.whole, { sponsorBalanceUsd: 1_000n * usd }),
    );
    expect(output).toBe(100n * usd);
    expect(sponsored?.parts.swap).toEqual({ total: 1_010_000n, sponsored: 1_010_000n });
  });

  test.each([
    ['a deposit below the minimum transfer', 1_040_000n, 'alpha/usdc', 'lighter/usdc', {}, 'AMOUNT_TOO_LOW'],
    ['a withdrawal below it', 999_999n, 'lighter/usdc', 'beta/usdc', {}, 'AMOUNT_TOO_LOW'],
    ['less than the activation fee', 900_000n, 'alpha/usdc', 'lighter/usdc', { recipient: '106' }, 'AMOUNT_TOO_LOW'],
    ["more than the relayer's balance", 2n * 10n ** 14n, 'alpha/usdc', 'lighter/usdc', {}, 'INSUFFICIENT_LIQUIDITY'],
    ['more than a safe integer', 10n ** 16n, 'lighter/usdc', 'beta/usdc', {}, 'INSUFFICIENT_LIQUIDITY'],
  ] as const)('error: %s', (_, amount, from, to, rest, code) => {
    expect(codeOf(() => priced(amount, from, to, rest))).toBe(code);
  });
});

const { alpha } = fixture;

function route(from: string, to: string): PoolRoute.Route | undefined {
  return PoolRoute.find(alpha, fixture.token(alpha, from), fixture.token(alpha, to));
}

describe('PoolRoute: outputOf', () => {
  test('behavior: monotonic, below the reserve, and no gain on a round trip', () => {
    const there = route('GULL', 'ETH') ?? [];
    const back = route('ETH', 'GULL') ?? [];
    const limit = PoolRoute.limitOf(there) ?? 0n;
    const amount = fc.bigInt({ min: 0n, max: 10n ** 26n });
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const output = PoolRoute.outputOf(there, more);
        expect(PoolRoute.outputOf(there, less)).toBeLessThanOrEqual(output);
        expect(output).toBeLessThan(limit);
        expect(PoolRoute.outputOf(back, output)).toBeLessThanOrEqual(more);
      }),
    );
  });
});
