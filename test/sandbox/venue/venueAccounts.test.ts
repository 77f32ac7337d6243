import { keccak256 } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { accounts as dev } from '../../../src/sandbox/values/devAccounts.js';
import { privateKeyOf, publicKeys } from '../../../src/sandbox/venue/venueAccounts.js';
import * as Schnorr from '../../../src/venue/Schnorr.js';
import { hex } from '../../support/venueVectors.js';

type Owner = keyof typeof publicKeys;

describe('publicKeys', () => {
  test.each(Object.keys(publicKeys) as Owner[])("behavior: %s's is derived from its private key", (owner) => {
    expect(publicKeys[owner]).toBe(hex(Schnorr.publicKey(privateKeyOf(dev[owner]))));
  });
});

test('privateKeyOf', () => {
  const once = keccak256(dev.dev0.privateKey);
  const digits = (once + keccak256(once).slice(2)).slice(2, 82);
  expect(Buffer.from(privateKeyOf(dev.dev0)).toString('hex')).toBe(digits);
});
