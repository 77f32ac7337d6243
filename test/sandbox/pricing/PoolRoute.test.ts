import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as PoolRoute from '../../../src/sandbox/pricing/PoolRoute.js';
import * as fixture from '../../support/market.js';

const { alpha } = fixture;

function route(from: string, to: string): PoolRoute.Route | undefined {
  return PoolRoute.find(alpha, fixture.token(alpha, from), fixture.token(alpha, to));
}

function symbolsOf(found: PoolRoute.Route | undefined): readonly (readonly string[])[] | undefined {
  const symbol = (address: string) =>
    alpha.tokens.find((token) => token.address === address && token.symbol !== 'ETH')?.symbol ?? '?';
  return found?.map((hop) => [symbol(hop.tokenIn), symbol(hop.tokenOut)]);
}

describe('find', () => {
  test('default', () => {
    expect(symbolsOf(route('USDC', 'GULL'))).toEqual([['USDC', 'GULL']]);
  });

  test('behavior: through USDC if there is no direct pool', () => {
    expect(symbolsOf(route('USDT', 'DAI'))).toEqual([
      ['USDT', 'USDC'],
      ['USDC', 'DAI'],
    ]);
  });

  test('behavior: native currency uses the wrapped token’s pools', () => {
    expect(symbolsOf(route('ETH', 'USDC'))).toEqual([['WETH', 'USDC']]);
  });

  test('behavior: no hops for a wrap or the same currency', () => {
    expect(route('ETH', 'WETH')).toEqual([]);
    expect(route('DAI', 'DAI')).toEqual([]);
  });

  test('error: no pools', () => {
    const empty = { ...alpha, pools: [] };
    expect(PoolRoute.find(empty, fixture.token(alpha, 'USDC'), fixture.token(alpha, 'DAI'))).toBeUndefined();
  });
});

describe('outputOf', () => {
  test('default', () => {
    // 1 ETH less 5 basis points into 2,000 ETH and 5,000,000 USDC.
    expect(PoolRoute.outputOf(route('ETH', 'USDC') ?? [], 10n ** 18n)).toBe(2_497_501_873n);
  });

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

describe('pathOf', () => {
  const pathOf = (from: string, to: string) => {
    const path = PoolRoute.pathOf({ origin: fixture.side(from), destination: fixture.side(to) });
    return path && [path.chain.slug, path.from.symbol, path.to.symbol, path.route.length];
  };

  test('default: through the destination', () => {
    expect(pathOf('alpha/eth', 'beta/usdc')).toEqual(['beta', 'ETH', 'USDC', 1]);
    expect(pathOf('lighter/usdc', 'beta/eth')).toEqual(['beta', 'USDC', 'ETH', 1]);
    expect(pathOf('lighter/usdc', 'beta/usdc')).toEqual(['beta', 'USDC', 'USDC', 0]);
  });

  test('behavior: through the origin if the destination is the venue', () => {
    expect(pathOf('alpha/eth', 'lighter/usdc')).toEqual(['alpha', 'ETH', 'USDC', 1]);
    expect(pathOf('beta/usdc', 'lighter/usdc')).toEqual(['beta', 'USDC', 'USDC', 0]);
  });

  test('error: none within the venue', () => {
    expect(pathOf('lighter/usdc', 'lighter/usdc')).toBeUndefined();
  });
});
