import { keccak256 } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { accounts as dev } from '../../../src/sandbox/values/devAccounts.js';
import type { Account } from '../../../src/sandbox/venue/Venue.js';
import { activationFee, privateKeyOf, publicKeys, transferFee } from '../../../src/sandbox/venue/venueAccounts.js';
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

const account = (index: number, l1Address: Account['l1Address'] = '0xAb', isActive = true): Account => ({
  index,
  l1Address,
  usdc: 0n,
  isActive,
});

describe('transferFee', () => {
  test('default: 3 USDC between owners', () => {
    expect(transferFee(account(100), account(101, '0xcd'))).toBe(3_000_000n);
  });

  test('behavior: free within one owner, whatever the case of the address', () => {
    expect(transferFee(account(100), account(101, '0xaB'))).toBe(0n);
  });

  test('behavior: free for the relayer', () => {
    expect(transferFee(account(7), account(101, '0xcd'))).toBe(0n);
    expect(transferFee(account(101, '0xcd'), account(7))).toBe(3_000_000n);
  });
});

describe('activationFee', () => {
  test('default: 1 USDC, once', () => {
    expect(activationFee(account(106, '0xab', false))).toBe(1_000_000n);
    expect(activationFee(account(106))).toBe(0n);
  });
});
