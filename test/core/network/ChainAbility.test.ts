import { expect, test } from 'vitest';
import * as ChainAbility from '../../../src/core/network/ChainAbility.js';
import { network as mainnet } from '../../../src/core/network/mainnet.js';
import * as Network from '../../../src/core/network/Network.js';

const can = (name: string) => ChainAbility.of(Network.chain(mainnet, name));

test('default: an EVM chain is paid from, to, and without gas, the venue from and to', () => {
  expect(can('base')).toEqual(['send', 'receive', 'gasless', 'call', 'deposit address']);
  expect(can('lighter')).toEqual(['send', 'receive']);
});

test.each(['solana', 'bitcoin', 'tron', 'ton', 'hyperliquid'])('behavior: %s is receive only', (name) => {
  expect(can(name)).toEqual(['receive']);
});
