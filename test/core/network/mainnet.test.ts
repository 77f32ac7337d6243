import { describe, expect, test } from 'vitest';
import { network } from '../../../src/core/network/mainnet.js';
import { describeTable } from '../../support/networkTable.js';
import { describePublished, read } from '../../support/published.js';

describeTable(network);

describe('network', () => {
  test('default', () => {
    expect(network).toMatchObject({ name: 'mainnet', baseUrl: 'https://api.relay.link', realMoney: true });
  });

  test('behavior: contains the major chains', () => {
    expect(network.chains.map((chain) => chain.name)).toEqual(
      expect.arrayContaining(['ethereum', 'optimism', 'base', 'arbitrum', 'polygon', 'bnb', 'avalanche', 'lighter']),
    );
  });

  test('behavior: chains without transient storage have different contracts', () => {
    const apart = network.chains.filter((chain) => chain.contracts.depository?.startsWith('0x59916DA8'));
    expect(apart.map((chain) => chain.name)).toEqual(['linea', 'mantle', 'cronos', 'metis']);
    for (const chain of apart)
      expect(chain.contracts).toMatchObject({
        router: '0x9EF6d3c2F60d7b9008D74CAb1FC0F899c957C819',
        approvalProxy: '0x8754Bc615047de01228a7527B712806A71A8dc9a',
      });
  });

  test('behavior: the venue settles in its USDC and has no contracts', () => {
    expect(network.chains.find((chain) => chain.id === 3586256)).toMatchObject({
      name: 'lighter',
      vm: 'lvm',
      native: { symbol: 'USDC', address: '0', decimals: 6 },
      contracts: {},
      tokens: [],
    });
  });

  test('behavior: stablecoins on BNB Chain have 18 decimals', () => {
    const bnb = network.chains.find((chain) => chain.name === 'bnb');
    expect(bnb?.tokens.filter((token) => /^USD/.test(token.symbol)).map((token) => token.decimals)).toEqual([18, 18]);
  });
});

describePublished('the published chains', () => {
  type Published = {
    chains: { id: number; name: string; erc20Currencies: { symbol: string; address: string; decimals: number }[] }[];
  };

  test('behavior: agrees with the table', () => {
    for (const { id, name, erc20Currencies } of (read('chains.json') as Published).chains) {
      const chain = network.chains.find((each) => each.id === id);
      expect(chain?.name).toBe(name);
      for (const { symbol, address, decimals } of erc20Currencies)
        expect(chain?.tokens.find((token) => token.symbol === symbol)).toMatchObject({
          address: expect.stringMatching(new RegExp(`^${address}$`, 'i')),
          decimals,
        });
    }
  });
});
