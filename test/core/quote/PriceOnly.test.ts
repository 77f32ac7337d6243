import { keccak256, stringToBytes } from 'viem';
import { expect, test } from 'vitest';
import * as Address from '../../../src/core/base/Address.js';
import * as PriceOnly from '../../../src/core/quote/PriceOnly.js';
import { failure } from '../../support/workbench.js';

const somebody = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const parties: PriceOnly.Parties = { user: somebody, recipient: somebody, refundTo: somebody, appFees: [] };

const withNobody: [string, Partial<PriceOnly.Parties>][] = [
  ['user', { user: PriceOnly.nobody }],
  ['recipient', { recipient: PriceOnly.nobody.toLowerCase() }],
  ['refund address', { refundTo: PriceOnly.nobody }],
  ['app fee recipient', { appFees: [{ recipient: somebody }, { recipient: PriceOnly.nobody }] }],
];

test('nobody: the hash of a sentence, and so of no key', () => {
  const hash = keccak256(stringToBytes('nobody owns this address: ferry prices transfers with it'));
  expect(PriceOnly.nobody).toBe(Address.from(`0x${hash.slice(-40)}`));
});

test('isPriceOnly: behavior: an address that somebody owns, and an account of the venue', () => {
  expect(PriceOnly.isPriceOnly(parties)).toBe(false);
  expect(PriceOnly.isPriceOnly({ ...parties, user: '100' })).toBe(false);
});

test.each(withNobody)('assertPayable: error: nobody as the %s', async (_, part) => {
  await failure('request.unsupported', () => PriceOnly.assertPayable({ ...parties, ...part }));
});
