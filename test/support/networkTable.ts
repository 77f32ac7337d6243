/** Assertions for every shipped network table. */
import * as viemChains from 'viem/chains';
import { getAddress } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { native } from '../../src/core/base/Address.js';
import type { Network } from '../../src/core/network/Network.js';
import { readData } from '../build/networks.mjs';

/** The suite for a table whose EVM chains are public ones. */
export function describeTable(network: Network): void {
  const evm = network.chains.filter((chain) => chain.vm === 'evm');
  const { mainnet, testnet, sources, code } = readData();
  const rows = new Map([...mainnet, ...testnet].map((row) => [row.id, row]));

  describe('chains', () => {
    test('default', () => {
      for (const each of ['id', 'name', 'slug'] as const)
        expect(new Set(network.chains.map((chain) => chain[each])).size).toBe(network.chains.length);
      expect(network.chains.filter((chain) => !/^[a-z][a-z0-9_-]*$/.test(chain.name))).toEqual([]);
    });

    test.each(evm)('behavior: $name is the public chain of that id', (chain) => {
      const known = Object.values(viemChains).filter((each) => each.id === chain.id);
      const row = rows.get(chain.id);
      const stated = row?.native && { symbol: row.native[0], decimals: row.native[2] };
      const native18 = { symbol: chain.native.symbol, decimals: chain.native.decimals };
      expect([...known.map((each) => each.nativeCurrency), stated]).toContainEqual(expect.objectContaining(native18));
      const nodes = [row?.node ?? [], ...known.flatMap((each) => each.rpcUrls.default.http)].flat();
      expect(nodes.map((url) => url.replace(/\/$/, ''))).toContain(chain.rpcUrl);
      expect(chain.native.address).toBe(native);
      for (const url of [chain.rpcUrl, chain.explorerUrl]) expect(url).toMatch(/^https:\/\/[^/]+(\/.*[^/])?$/);
    });

    test.each(evm)('behavior: each address of $name has a source that is not the service', (chain) => {
      const row = rows.get(chain.id);
      const named = [
        ...(row?.tokens ?? []).map(([, , , , said]) => said),
        ...Object.keys({ ...row?.depository, ...row?.router }),
        row?.viem ? 'viem' : (row?.by ?? ''),
        ...Object.values(code[chain.name] ?? {}).map(([, said]) => said),
      ].map((said) => said.split(' '));
      expect(named.flat().filter((source) => !Object.hasOwn(sources, source))).toEqual([]);
      expect(named.every((said) => said.length > 0)).toBe(true);
      expect(chain.tokens.map(({ address }) => address)).toEqual(row?.tokens.map(([, , address]) => address));
    });
  });

  describe('contracts', () => {
    test.each(evm)('behavior: accounts of $name may be delegated to the documented code', (chain) => {
      expect(chain.contracts.batchExecutor).toBe('0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00');
    });

    test('behavior: nothing else may be delegated to', () => {
      const others = network.chains.filter((chain) => chain.vm !== 'evm');
      expect(others.filter((chain) => chain.contracts.batchExecutor !== undefined)).toEqual([]);
    });
  });

  describe('tokens', () => {
    test.each(evm)('behavior: those of $name have right checksums and their own symbols', (chain) => {
      const addresses = [...chain.tokens.map((token) => token.address), ...Object.values(chain.contracts)];
      expect(addresses.map((address) => getAddress(String(address).toLowerCase()))).toEqual(addresses);
      const symbols = [chain.native, ...chain.tokens].map((token) => token.symbol.toLowerCase());
      expect(new Set(symbols).size).toBe(symbols.length);
      expect(new Set(chain.tokens.map((token) => token.address)).size).toBe(chain.tokens.length);
    });

    test.each(evm)('behavior: the wrapped token of $name is one of them, as fine as the native one', (chain) => {
      const { wrapped } = chain.contracts;
      if (wrapped === undefined) return expect(chain.tokens.map((token) => token.symbol)).not.toContain('WETH');
      expect(chain.tokens.find((token) => token.address === wrapped)?.decimals).toBe(chain.native.decimals);
    });
  });
}
