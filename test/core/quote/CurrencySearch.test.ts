import { expect, test } from 'vitest';
import { network } from '../../../src/core/network/sandbox.js';
import * as CurrencySearch from '../../../src/core/quote/CurrencySearch.js';

const all = CurrencySearch.from(network);
const typed = (term: string): string[] => CurrencySearch.matching(all, term).map((each) => each.typed);

test('matching: every word in any order, prefix matches first, also the address and the chain id', () => {
  expect(typed('usdc')).toEqual(expect.arrayContaining(['alpha/usdc', 'beta/usdc']));
  expect(typed('usdc beta')).toEqual(['beta/usdc']);
  expect(typed('beta/us')[0]).toMatch(/^beta\/usd/);
  const usdc = all.find((each) => each.typed === 'alpha/usdc');
  expect(typed(usdc?.token.address.toLowerCase() ?? '')).toContain('alpha/usdc');
  expect(typed('313372').every((each) => each.startsWith('beta/'))).toBe(true);
});

test('inWords: with the balance if it is known', () => {
  const usdc = all.find((each) => each.typed === 'alpha/usdc');
  if (!usdc) throw new Error('no such currency');
  expect(CurrencySearch.inWords(usdc, 1_500_000n)).toBe('alpha/usdc  1.5 USDC');
  expect(CurrencySearch.inWords(usdc, 12_345_500_000n)).toBe('alpha/usdc  12,345.5 USDC');
  expect(CurrencySearch.inWords(usdc, undefined)).toBe('alpha/usdc');
});
