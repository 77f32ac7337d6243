import { describe, expect, test } from 'vitest';
import * as Chains from '../../../src/core/api/catalog/Chains.js';
import * as CurrenciesV2 from '../../../src/core/api/catalog/CurrenciesV2.js';
import { chainsOf, currenciesOf } from '../../../src/sandbox/service/CatalogAnswers.js';
import { svmDescription } from '../../../src/sandbox/svm/svmDescription.js';
import * as market from '../../support/market.js';
import * as published from '../../support/published.js';
import * as recorded from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

const served = [market.alpha, market.beta].map((chain) => ({
  ...chain,
  rpcUrl: 'http://127.0.0.1:1',
  solver: market.solver,
}));

describe('chainsOf', () => {
  test('default', () => {
    const answer = chainsOf(served);
    expect(Chains.response.parse(answer)).toEqual(answer);
    expect(answer.chains[0]).toMatchObject({
      id: 313371,
      name: 'alpha',
      wsRpcUrl: 'ws://127.0.0.1:1',
      currency: { symbol: 'ETH', decimals: 18, supportsBridging: true },
      solverAddresses: [market.solver],
      protocol: { v2: { chainId: 'alpha', depository: market.alpha.contracts.depository } },
    });
    const permits = answer.chains[0]?.erc20Currencies?.filter((currency) => currency.supportsPermit);
    expect(permits?.map((currency) => currency.symbol)).toEqual(['USDC']);
  });

  test('behavior: the venue, with an account and without a node', () => {
    const answer = chainsOf([market.venue]);
    expect(Chains.response.parse(answer)).toEqual(answer);
    expect(answer.chains).toMatchObject([
      {
        id: 3586256,
        name: 'lighter',
        vmType: 'lvm',
        httpRpcUrl: '',
        currency: { id: 'usdc', symbol: 'USDC (Perp)', address: '0', decimals: 6, supportsBridging: true },
        erc20Currencies: [],
        solverAddresses: ['7'],
        protocol: { v2: { chainId: 'lighter', depository: '7' } },
      },
    ]);
  });

  test('behavior: the chain of Solana’s kind, whose node has no WebSocket', () => {
    const answer = chainsOf([{ ...svmDescription, rpcUrl: 'http://127.0.0.1:1', solver: 'somebody' }]);
    expect(Chains.response.parse(answer)).toEqual(answer);
    expect(answer.chains).toMatchObject([
      { name: 'svm', vmType: 'svm', httpRpcUrl: 'http://127.0.0.1:1', wsRpcUrl: '', depositEnabled: false },
    ]);
  });

  test('behavior: comma-separated ids', () => {
    expect(chainsOf(served, '313372, 1').chains.map((chain) => chain.name)).toEqual(['beta']);
    expect(chainsOf(served, '1').chains).toEqual([]);
  });
});

describe('chainsOf, its shape', () => {
  const shape = Shape.from(chainsOf(served));

  /** The sandbox's tokens and chains have no logos and no explorer. */
  test('behavior: all fields of the recorded one', () => {
    expect(Shape.differences(shape, Shape.from(recorded.read('chains')))).toEqual([]);
  });

  published.describePublished('against the published chains', () => {
    test('behavior: all fields of the live ones', () => {
      expect(Shape.differences(shape, Shape.from(published.read('chains.json')))).toEqual([]);
    });
  });
});

const chains = [market.alpha, market.beta];

describe('currenciesOf', () => {
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
