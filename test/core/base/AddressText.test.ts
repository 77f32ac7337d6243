import { expect, test } from 'vitest';
import * as AddressText from '../../../src/core/base/AddressText.js';

test('default: the case of hexadecimal digits says nothing, in Base58 another case is another address', () => {
  const address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
  expect(AddressText.isEqual(address, address.toLowerCase())).toBe(true);
  expect(AddressText.isEqual(address, `${address.slice(0, -1)}4`)).toBe(false);
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  expect(AddressText.isEqual(mint, mint)).toBe(true);
  expect(AddressText.isEqual(mint, mint.replace('EP', 'Ep'))).toBe(false);
});
