import { describe, expect, test } from 'vitest';
import * as CurrenciesV2 from '../../../src/core/api/catalog/CurrenciesV2.js';
import { chainsOf, currenciesOf } from '../../../src/sandbox/service/CatalogAnswers.js';
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

/** As in a quote, so that a client may compare both as texts. */
test('behavior: addresses in lower case', () => {
  const { contracts } = market.alpha;
  const named = { ...contracts, router: market.other, approvalProxy: market.other, depository: market.other };
  const tokens = [{ ...market.token(market.alpha, 'USDC'), address: market.other }];
  const chain = { ...market.alpha, rpcUrl: '', solver: market.solver, contracts: named, tokens };
  const answers = JSON.stringify([chainsOf([chain]), currenciesOf([chain], {})]);
  const addresses = answers.match(/0x[0-9a-fA-F]{40}/g) ?? [];
  expect(addresses).toContain(market.other.toLowerCase());
  expect(addresses).toEqual(addresses.map((address) => address.toLowerCase()));
});

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

  test('behavior: at most 20 by default', () => {
    const many = { ...market.alpha, tokens: Array.from({ length: 30 }, () => market.token(market.alpha, 'DAI')) };
    expect(currenciesOf([many], {})).toHaveLength(20);
    expect(currenciesOf([many], { limit: 25 })).toHaveLength(25);
  });
});
