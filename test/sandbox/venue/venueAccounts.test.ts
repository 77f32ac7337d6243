import { keccak256 } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { accounts as dev } from '../../../src/sandbox/values/devAccounts.js';
import { accounts, apiKeys, privateKeyOf, publicKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import * as Schnorr from '../../../src/venue/Schnorr.js';
import { hex } from '../../support/venueVectors.js';

type Owner = keyof typeof publicKeys;

describe('publicKeys', () => {
  test.each(Object.keys(publicKeys) as Owner[])("behavior: %s's is derived from its private key", (owner) => {
    expect(publicKeys[owner]).toBe(hex(Schnorr.publicKey(privateKeyOf(dev[owner]))));
  });
});

describe('apiKeys', () => {
  test('behavior: every account with a key has it at index 4', () => {
    const owners = Object.keys(publicKeys) as Owner[];
    const expected = accounts.flatMap(({ index, l1Address }) =>
      owners
        .filter((owner) => dev[owner].address === l1Address)
        .map((owner) => ({ accountIndex: index, apiKeyIndex: 4, publicKey: publicKeys[owner] })),
    );
    expect(apiKeys).toEqual(expected);
    expect(apiKeys).toHaveLength(7);
  });
});

describe('accounts', () => {
  test("behavior: dev1 has two, dev5 none, and dev6's was never credited", () => {
    const of = (owner: keyof typeof dev) => accounts.filter(({ l1Address }) => l1Address === dev[owner].address);
    expect(of('dev1').map(({ index }) => index)).toEqual([101, 281474976710654]);
    expect(of('dev5')).toEqual([]);
    expect(of('dev6')).toEqual([{ index: 106, l1Address: dev.dev6.address, usdc: 0n, isActive: false }]);
  });
});

test('privateKeyOf', () => {
  const once = keccak256(dev.dev0.privateKey);
  const digits = (once + keccak256(once).slice(2)).slice(2, 82);
  expect(Buffer.from(privateKeyOf(dev.dev0)).toString('hex')).toBe(digits);
});
