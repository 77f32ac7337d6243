import { describe, expect, test } from 'vitest';
import type { Chain, Token } from '../../../src/sandbox/values/Market.js';
import * as TransactionType from '../../../src/sandbox/values/TransactionType.js';
import * as fixture from '../../support/market.js';

describe('classify', () => {
  test.each([
    ['alpha/usdc', 'beta/usdc', 'bridge', 0n],
    ['alpha/gull', 'beta/gull', 'bridge', 0n],
    ['alpha/eth', 'beta/eth', 'bridge', 0n],
    ['alpha/usdc', 'alpha/usdc', 'bridge', 0n],
    ['alpha/eth', 'alpha/weth', 'wrap', 0n],
    ['alpha/weth', 'alpha/eth', 'wrap', 0n],
    ['alpha/usdc', 'alpha/dai', 'stablecoin', 1n],
    ['alpha/usdt', 'beta/usdc', 'stablecoin', 1n],
    ['alpha/eth', 'beta/weth', 'major', 6n],
    ['alpha/weth', 'beta/eth', 'major', 6n],
    ['alpha/eth', 'alpha/usdc', 'major', 6n],
    ['alpha/dai', 'beta/weth', 'major', 6n],
    ['alpha/gull', 'alpha/usdc', 'minor', 15n],
    ['alpha/eth', 'beta/gull', 'minor', 15n],
    ['alpha/usdc', 'lighter/usdc', 'bridge', 0n],
    ['lighter/usdc', 'beta/usdt', 'stablecoin', 1n],
    ['alpha/eth', 'lighter/usdc', 'major', 6n],
    ['lighter/usdc', 'alpha/gull', 'minor', 15n],
  ] as const)('behavior: %s to %s is %s', (from, to, type, bps) => {
    expect(TransactionType.classify(fixture.side(from), fixture.side(to))).toBe(type);
    expect(TransactionType.platformBps(type)).toBe(bps);
  });

  test.each([
    ['USDC.e', 'PlumeUSD', 'stablecoin'],
    ['mUSD', 'USDm', 'stablecoin'],
    // Symbols are case-sensitive.
    ['MUSD', 'USDC', 'minor'],
    ['BTC', 'SOL', 'major'],
    ['PLUME', 'USDe', 'major'],
    ['GULL', 'TERN', 'minor'],
  ] as const)('behavior: %s to %s by the lists is %s', (from, to, type) => {
    expect(TransactionType.classify(named(fixture.alpha, from), named(fixture.beta, to))).toBe(type);
  });
});

function named(chain: Chain, symbol: string): { chain: Chain; token: Token } {
  return { chain, token: { ...fixture.token(chain, 'DAI'), symbol } };
}
