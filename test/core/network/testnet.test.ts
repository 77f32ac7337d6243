import { describe, expect, test } from 'vitest';
import * as Address from '../../../src/core/base/Address.js';
import { network } from '../../../src/core/network/testnet.js';
import { describeTable } from '../../support/networkTable.js';
import { describePublished, read } from '../../support/published.js';

describeTable(network);

describe('network', () => {
  test('default', () => {
    expect(network).toMatchObject({ name: 'testnet', baseUrl: 'https://api.testnets.relay.link', realMoney: false });
    expect(network.chains.map((chain) => [chain.id, chain.name])).toEqual([
      [11155111, 'sepolia'],
      [84532, 'base-sepolia'],
    ]);
  });

  test('behavior: claims no venue, which the test deployment does not serve', () => {
    expect(network.venue).toBeUndefined();
    expect(network.chains.filter(({ vm }) => vm !== 'evm')).toEqual([]);
  });
});

describePublished('the chains of the protocol', () => {
  type Oracle = { id: string; depository: string; vmType: string; hubChainId: string }[];

  test('behavior: are those of the table, by slug, id and depository', () => {
    const oracle = read('live/protocol-chains-testnets.json') as Oracle;
    expect(oracle.map(({ id }) => id).sort()).toEqual(network.chains.map(({ slug }) => slug).sort());
    for (const { id, hubChainId, depository, vmType } of oracle) {
      const chain = network.chains.find(({ slug }) => slug === id);
      expect([vmType, chain?.id]).toEqual(['ethereum-vm', Number(hubChainId)]);
      expect(Address.isEqual(chain?.contracts.depository ?? '', depository)).toBe(true);
    }
  });
});
