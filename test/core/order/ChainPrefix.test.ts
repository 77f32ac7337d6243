import { expect, test } from 'vitest';
import { network } from '../../../src/core/network/mainnet.js';
import * as Network from '../../../src/core/network/Network.js';
import * as ChainPrefix from '../../../src/core/order/ChainPrefix.js';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const strip = (text: string, chain: string) => ChainPrefix.strip(text, Network.chain(network, chain), 'recipient');

test.each([
  [address, 'base'],
  [`base:${address}`, 'base'],
  [`eth:${address}`, 'ethereum'],
  [`arb1:${address}`, 'arbitrum'],
  [`arbitrum:${address}`, 'arbitrum'],
  [`eip155:8453:${address}`, 'base'],
])('default: %s on %s', (text, chain) => {
  expect(strip(text, chain)).toBe(address);
});

test.each(['ada', 'someone.eth', 'base:ada', ''])('behavior: %j is left as it is', (text) => {
  expect(strip(text, 'base')).toBe(text);
});

test.each([`eth:${address}`, `arb1:${address}`, `nowhere:${address}`, `eip155:1:${address}`])(
  'error: %s is not on Base',
  (text) => {
    expect(() => strip(text, 'base')).toThrow('is marked as on');
    expect(() => strip(text, 'base')).toThrow('and it is needed on Base.');
  },
);
