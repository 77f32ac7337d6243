import { keccak256, stringToBytes } from 'viem';
import { expect, test } from 'vitest';
import * as Address from '../../../src/core/base/Address.js';
import * as PriceOnly from '../../../src/core/quote/PriceOnly.js';

const somebody = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const parties: PriceOnly.Parties = { user: somebody, recipient: somebody, refundTo: somebody, appFees: [] };

test('nobody: the hash of a sentence, and so of no key', () => {
  const hash = keccak256(stringToBytes('nobody owns this address: ferry prices transfers with it'));
  expect(PriceOnly.nobody).toBe(Address.from(`0x${hash.slice(-40)}`));
});

test('isPriceOnly: default: nobody among those who get app fees; behavior: accounts that somebody owns', () => {
  const appFees = [{ recipient: somebody }, { recipient: PriceOnly.nobody }];
  expect(PriceOnly.isPriceOnly({ ...parties, appFees })).toBe(true);
  expect(PriceOnly.isPriceOnly(parties)).toBe(false);
  expect(PriceOnly.isPriceOnly({ ...parties, user: '100' })).toBe(false);
});
