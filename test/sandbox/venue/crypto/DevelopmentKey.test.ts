import { keccak256 } from 'viem/utils';
import { expect, test } from 'vitest';
import { accounts } from '../../../../src/sandbox/values/devAccounts.js';
import * as DevelopmentKey from '../../../../src/sandbox/venue/crypto/DevelopmentKey.js';

test('default', () => {
  const once = keccak256(accounts.dev0.privateKey);
  const digits = (once + keccak256(once).slice(2)).slice(2, 82);
  const littleEndian = BigInt(`0x${Buffer.from(digits, 'hex').reverse().toString('hex')}`);
  const n = 1067993516717146951041484916571792702745057740581727230159139685185762082554198619328292418486241n;
  expect(DevelopmentKey.secretOf(accounts.dev0)).toBe(littleEndian % n);
});
