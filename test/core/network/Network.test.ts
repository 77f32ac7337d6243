import { describe, expect, test } from 'vitest';
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

test('token: by symbol or address, including the native asset', () => {
  const alpha = Network.chain(network, 'alpha');
  const usdc = Network.token(alpha, 'usdc');
  expect(usdc?.decimals).toBe(6);
  expect(Network.token(alpha, usdc?.address.toLowerCase() ?? '')).toBe(usdc);
  expect(Network.token(alpha, 'ETH')).toBe(alpha.native);
  expect(Network.token(alpha, 'nope')).toBeUndefined();
});
