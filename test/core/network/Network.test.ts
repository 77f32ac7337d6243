import { describe, expect, test } from 'vitest';
import { network as mainnet } from '../../../src/core/network/mainnet.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';

test('chain: by name in any case, or by id; a suggestion for an unknown one', () => {
  expect(Network.chain(network, 'ALPHA').id).toBe(313371);
  expect(Network.chain(network, '313372').name).toBe('beta');
  const error = expect.objectContaining({ name: 'UnknownChainError', hint: 'Did you mean alpha?' });
  expect(() => Network.chain(network, 'alhpa')).toThrowError(error);
});

test('token: by symbol or address, including the native asset', () => {
  const alpha = Network.chain(network, 'alpha');
  const usdc = Network.token(alpha, 'usdc');
  expect(usdc?.decimals).toBe(6);
  expect(Network.token(alpha, usdc?.address.toLowerCase() ?? '')).toBe(usdc);
  expect(Network.token(alpha, 'ETH')).toBe(alpha.native);
  expect(Network.token(alpha, 'nope')).toBeUndefined();
});

describe('tokenAt', () => {
  test.each([
    ['alpha', 'ETH', 'ETH'],
    ['alpha', 'WETH', 'ETH'],
    ['beta', 'DAI', Network.dollar],
    ['beta', 'KELP', undefined],
    ['lighter', 'USDC', Network.dollar],
  ])('default: %s %s', (name, symbol, asset) => {
    const chain = Network.chain(network, name);
    expect(
      Network.tokenAt(chain, Network.token(chain, symbol)?.address.toUpperCase().replace('0X', '0x') ?? '')?.asset,
    ).toBe(asset);
  });

  test('behavior: of every shipped feed the address is one of a contract, on a chain that has the asset or can tell it', () => {
    const feeds = mainnet.chains.flatMap((chain) => Object.entries(chain.feeds ?? {}));
    expect(feeds.length).toBeGreaterThan(50);
    const assets = new Set(
      mainnet.chains.flatMap((chain) => [chain.native, ...chain.tokens].map((each) => each.asset)),
    );
    for (const [asset, { address, decimals, heartbeat }] of feeds) {
      expect(assets).toContain(asset);
      expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
      expect([decimals, heartbeat >= 1200 && heartbeat <= 86_400]).toEqual([8, true]);
    }
  });
});
