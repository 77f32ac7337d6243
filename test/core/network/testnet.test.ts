import { expect, test } from 'vitest';
import * as Address from '../../../src/core/base/Address.js';
import { network } from '../../../src/core/network/testnet.js';
import { describeTable } from '../../support/networkTable.js';
import { describePublished, read } from '../../support/published.js';

describeTable(network);

test('network: behavior: claims no venue, which the test deployment does not serve', () => {
  expect(network.venue).toBeUndefined();
  expect(network.chains.filter(({ vm }) => vm !== 'evm')).toEqual([]);
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
