import { mnemonicToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { publicKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import { apiKeyOf } from '../../support/venue.js';

const mnemonic = 'test test test test test test test test test test test junk';

test('addresses', () => {
  const derived = Array.from({ length: 20 }, (_, i) => mnemonicToAccount(mnemonic, { addressIndex: i }).address);
  expect(DevelopmentAccount.addresses).toEqual(derived);
});

test('index', () => {
  const names = ['dev0', 'dev9', 'dev10', 'dev', 'DEV1', 'main'];
  expect(names.map(DevelopmentAccount.index)).toEqual([0, 9, undefined, undefined, undefined, undefined]);
});

test('indexOf: those that have a name, in any case', () => {
  const at = (index: number) => mnemonicToAccount(mnemonic, { addressIndex: index }).address;
  expect(DevelopmentAccount.indexOf(at(3).toLowerCase() as `0x${string}`)).toBe(3);
  expect([DevelopmentAccount.indexOf(at(9)), DevelopmentAccount.indexOf(at(10))]).toEqual([9, undefined]);
});

test('venueKey: the key registered on the sandbox’s venue', () => {
  for (const [index, name] of (['dev0', 'dev1', 'dev2', 'dev3', 'dev4'] as const).entries())
    expect(apiKeyOf(index).publicKey).toBe(publicKeys[name]);
  expect(DevelopmentAccount.venueKey(0)).toMatch(/^0x[0-9a-f]{80}$/);
});
