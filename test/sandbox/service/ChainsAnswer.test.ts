import { describe, expect, test } from 'vitest';
import * as Chains from '../../../src/core/api/catalog/Chains.js';
import { chainsOf } from '../../../src/sandbox/service/CatalogAnswers.js';
import { svmDescription } from '../../../src/sandbox/svm/svmDescription.js';
import * as market from '../../support/market.js';
import * as published from '../../support/published.js';
import * as recorded from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

const chains = [market.alpha, market.beta].map((chain) => ({
  ...chain,
  rpcUrl: 'http://127.0.0.1:1',
  solver: market.solver,
}));

describe('from', () => {
  test('default', () => {
    const answer = chainsOf(chains);
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
    expect(chainsOf(chains, '313372, 1').chains.map((chain) => chain.name)).toEqual(['beta']);
    expect(chainsOf(chains, '1').chains).toEqual([]);
  });
});

describe('the shape', () => {
  const shape = Shape.from(chainsOf(chains));

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
