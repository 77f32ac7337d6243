import { expect, test } from 'vitest';
import * as TokenDetails from '../../../src/core/api/foreign/TokenDetails.js';
import { native } from '../../../src/core/base/Address.js';
import * as TokenAnswer from '../../../src/sandbox/service/TokenAnswer.js';
import * as market from '../../support/market.js';

const chains = [market.alpha, market.beta, market.venue];

test.each([
  [market.alpha.id, native, { symbol: 'ETH', decimals: 18, vmType: 'evm', price: 2500, metadata: { isNative: true } }],
  [market.venue.id, '0', { symbol: 'USDC (Perp)', decimals: 6, vmType: 'lvm', price: 1 }],
])('default: chain %i, %s', (chainId, address, expected) => {
  const token = TokenAnswer.from(chains, { chainId, address });
  expect(TokenDetails.response.parse(token)).toEqual(token);
  expect(token).toMatchObject({ chainId, address, ...expected });
});

test('error: an unknown chain, an unknown currency', () => {
  expect(TokenAnswer.from(chains, { chainId: 1, address: native })).toBe(undefined);
  expect(TokenAnswer.from(chains, { chainId: market.alpha.id, address: market.user })).toBe(undefined);
});
