import { describe, expect, test } from 'vitest';
import * as Market from '../../../src/sandbox/values/Market.js';
import * as fixture from '../../support/market.js';

const { alpha, beta, market } = fixture;
const [eth, weth, usdc] = ['ETH', 'WETH', 'USDC'].map((symbol) => fixture.token(alpha, symbol));
if (!eth || !weth || !usdc) throw new Error('a token is missing');

describe('chainById', () => {
  test('default', () => {
    expect(Market.chainById(market, 313372)).toBe(beta);
    expect(Market.chainById(market, 3586256)).toBeUndefined();
  });
});

describe('tokenAt', () => {
  test('default', () => {
    expect(Market.tokenAt(alpha, usdc.address.toUpperCase().replace('0X', '0x'))).toBe(usdc);
    expect(Market.tokenAt(beta, usdc.address)).toBeUndefined();
  });
});

describe('nativeOf', () => {
  test('default', () => {
    expect(Market.nativeOf(alpha)).toBe(eth);
  });

  test('error: none', () => {
    expect(() => Market.nativeOf({ ...alpha, tokens: [usdc] })).toThrow('no native token');
  });
});

describe('counterpart', () => {
  test('default', () => {
    expect(Market.counterpart(beta, usdc)).toBe(fixture.token(beta, 'USDC'));
    expect(Market.counterpart(beta, { ...usdc, symbol: 'TERN' })).toBeUndefined();
  });
});

describe('assetOf', () => {
  test('default: the same on every chain', () => {
    const [onVenue] = fixture.venue.tokens;
    if (!onVenue) throw new Error('no token');
    expect(Market.assetOf(onVenue)).toBe('USDC');
    expect(Market.counterpart(alpha, onVenue)).toBe(usdc);
    expect(Market.counterpart(fixture.venue, usdc)).toBe(onVenue);
    expect(Market.nativeOf(fixture.venue)).toBe(onVenue);
  });
});

describe('accountAt', () => {
  test('default', () => {
    expect(Market.accountAt(fixture.venue, '106')?.activationFee).toBe(1_000_000n);
    expect(Market.accountAt(fixture.venue, '4711')).toBeUndefined();
  });
});

describe('isWrapPair', () => {
  test('default', () => {
    expect(Market.isWrapPair(alpha, eth, weth)).toBe(true);
    expect(Market.isWrapPair(alpha, weth, eth)).toBe(true);
    expect(Market.isWrapPair(alpha, eth, eth)).toBe(false);
    expect(Market.isWrapPair(alpha, weth, usdc)).toBe(false);
  });
});

describe('poolAddress', () => {
  test('default', () => {
    expect(Market.poolAddress(alpha, eth)).toBe(weth.address);
    expect(Market.poolAddress(alpha, usdc)).toBe(usdc.address);
  });
});
