import { describe, expect, test } from 'vitest';
import * as CurrenciesV2 from '../../../src/core/api/catalog/CurrenciesV2.js';
import { currenciesOf } from '../../../src/sandbox/service/CatalogAnswers.js';
import * as market from '../../support/market.js';
import * as recorded from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

const chains = [market.alpha, market.beta];

function symbols(request: CurrenciesV2.Request): string[] {
  return currenciesOf(chains, request).map(({ chainId, symbol }) => `${chainId}/${symbol}`);
}

describe('from', () => {
  test('default', () => {
    const answer = currenciesOf(chains, {});
    expect(CurrenciesV2.response.parse(answer)).toEqual(answer);
    expect(answer[0]).toEqual({
      chainId: 313371,
      address: '0x0000000000000000000000000000000000000000',
      symbol: 'ETH',
      name: 'ETH',
      decimals: 18,
      vmType: 'evm',
      metadata: { logoURI: '', verified: true, isNative: true },
    });
    expect(Shape.differences(Shape.from(answer), Shape.from(recorded.read('currencies')))).toEqual([]);
  });

  test('behavior: all filters must match', () => {
    expect(symbols({ term: 'WETH' })).toEqual(['313371/WETH', '313372/WETH']);
    expect(symbols({ term: 'weth', chainIds: [313372] })).toEqual(['313372/WETH']);
    expect(symbols({ term: 'weth', currencyId: 'usdc' })).toEqual([]);
    expect(symbols({ term: market.token(market.beta, 'DAI').address.toUpperCase().replace('0X', '0x') })).toEqual(
      ['313371/DAI', '313372/DAI'].filter((name) => name.startsWith('313372')),
    );
  });

  test('behavior: a deposit address takes what the solver takes for any order, on chains that have addresses', () => {
    const all = currenciesOf([...chains, market.venue], { depositAddressOnly: true });
    expect(all.map(({ chainId, symbol }) => `${chainId}/${symbol}`)).toEqual(
      [313371, 313372].flatMap((id) => [`${id}/ETH`, `${id}/USDC`]),
    );
    expect(symbols({ depositAddressOnly: true, term: 'gull' })).toEqual([]);
  });

  test("behavior: the venue's only currency is found as USDC", () => {
    const [found, ...rest] = currenciesOf([...chains, market.venue], {
      currencyId: 'usdc',
      chainIds: [3586256],
    });
    expect(rest).toEqual([]);
    expect(found).toEqual({
      chainId: 3586256,
      address: '0',
      symbol: 'USDC (Perp)',
      name: 'USD Coin (Perp)',
      decimals: 6,
      vmType: 'lvm',
      metadata: { logoURI: '', verified: true, isNative: true },
    });
  });

  test('behavior: at most 20 by default', () => {
    const many = { ...market.alpha, tokens: Array.from({ length: 30 }, () => market.token(market.alpha, 'DAI')) };
    expect(currenciesOf([many], {})).toHaveLength(20);
    expect(currenciesOf([many], { limit: 25 })).toHaveLength(25);
  });
});
