import { describe, expect, test } from 'vitest';
import { network as mainnet } from '../../../src/core/network/mainnet.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';

describe('chain', () => {
  test('default: by name in any case, or by id', () => {
    expect(Network.chain(network, 'ALPHA').id).toBe(313371);
    expect(Network.chain(network, '313372').name).toBe('beta');
  });
  test('error: an unknown chain, with a suggestion', () => {
    expect(() => Network.chain(network, 'alhpa')).toThrow(Network.UnknownChainError);
    expect(() => Network.chain(network, 'alhpa')).toThrowError(
      expect.objectContaining({ hint: 'Did you mean alpha?' }),
    );
  });
});

describe('chainById', () => {
  test('default', () => {
    expect(Network.chainById(network, 313371)?.name).toBe('alpha');
    expect(Network.chainById(network, 1)).toBeUndefined();
  });
});

describe('token', () => {
  test('default: by symbol or address, including the native asset', () => {
    const alpha = Network.chain(network, 'alpha');
    const usdc = Network.token(alpha, 'usdc');
    expect(usdc?.decimals).toBe(6);
    expect(Network.token(alpha, usdc?.address.toLowerCase() ?? '')).toBe(usdc);
    expect(Network.token(alpha, 'ETH')).toBe(alpha.native);
    expect(Network.token(alpha, 'nope')).toBeUndefined();
  });
});

describe('transactionUrl', () => {
  test('default: the page in the explorer, if there is one', () => {
    const [chain] = mainnet.chains;
    expect(chain && Network.transactionUrl(chain, '0xab')).toBe('https://etherscan.io/tx/0xab');
    expect(Network.transactionUrl({ explorerUrl: undefined }, '0xab')).toBeUndefined();
  });
});
