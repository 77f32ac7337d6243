import { describe, expect, test } from 'vitest';
import { network } from '../../../src/core/network/testnet.js';
import { describeTable } from '../../support/networkTable.js';

describeTable(network);

describe('network', () => {
  test('default', () => {
    expect(network).toMatchObject({ name: 'testnet', baseUrl: 'https://api.testnets.relay.link', realMoney: false });
    expect(network.chains.map((chain) => [chain.id, chain.name])).toEqual([
      [11155111, 'sepolia'],
      [84532, 'base-sepolia'],
    ]);
  });
});
