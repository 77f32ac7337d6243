import { pbkdf2Sync } from 'node:crypto';
import { HDKey, hdKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import * as DevelopmentAccount from '../../../src/core/network/DevelopmentAccount.js';
import { publicKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import { apiKeyOf } from '../../support/venue.js';

/** The seed of the words by BIP-39, made once. */
const words = 'test test test test test test test test test test test junk';
const root = HDKey.fromMasterSeed(pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512'));
const derived = Array.from({ length: 20 }, (_, addressIndex) => hdKeyToAccount(root, { addressIndex }).address);

test('addresses', () => {
  expect(DevelopmentAccount.addresses).toEqual(derived);
});

test('index and indexOf: those that have a name, in any case', () => {
  const names = ['dev0', 'dev9', 'dev10', 'dev', 'DEV1', 'main'];
  expect(names.map(DevelopmentAccount.index)).toEqual([0, 9, undefined, undefined, undefined, undefined]);
  const lower = DevelopmentAccount.address(3).toLowerCase() as `0x${string}`;
  expect([lower, ...derived.slice(9, 11)].map(DevelopmentAccount.indexOf)).toEqual([3, 9, undefined]);
});

test('venueKey: the key registered on the sandbox’s venue', () => {
  for (const [index, name] of (['dev0', 'dev1', 'dev2', 'dev3', 'dev4'] as const).entries())
    expect(apiKeyOf(index).publicKey).toBe(publicKeys[name]);
  expect(DevelopmentAccount.venueKey(0)).toMatch(/^0x[0-9a-f]{80}$/);
});
