import { describe, expect, test } from 'vitest';
import * as CurrencyAmount from '../../../../src/core/api/schema/CurrencyAmount.js';
import { decode, problems, without } from '../../../support/problems.js';

const currency = {
  chainId: 313371,
  address: '0xa27bc320252d51eeaa24bccf6cc003979e485860',
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  metadata: { logoURI: 'https://logos.example/usdc.svg', verified: true },
};

const amount = {
  currency,
  amount: '100000000',
  amountFormatted: '100.0',
  amountUsd: '100.000000',
  minimumAmount: '100000000',
};

describe('schema', () => {
  test('default', () => {
    expect(decode(CurrencyAmount.schema, amount)).toEqual(amount);
  });

  test('behavior: metadata may be absent or null', () => {
    expect(problems(CurrencyAmount.schema, { ...amount, currency: without(currency, 'metadata') })).toEqual([]);
    expect(problems(CurrencyAmount.schema, { ...amount, currency: { ...currency, metadata: null } })).toEqual([]);
  });

  test('behavior: the venue’s currency has the address 0', () => {
    expect(problems(CurrencyAmount.schema, { ...amount, currency: { ...currency, address: '0' } })).toEqual([]);
  });

  test.each(['currency', 'amount', 'amountFormatted', 'amountUsd', 'minimumAmount'] as const)('error: no %s', (key) => {
    expect(problems(CurrencyAmount.schema, without(amount, key))).toHaveLength(1);
  });

  test('error: money as a number', () => {
    expect(problems(CurrencyAmount.schema, { ...amount, amount: 100000000, amountUsd: 100 })).toEqual([
      'amount: expected a string',
      'amountUsd: expected a string',
    ]);
  });
});

describe('brief', () => {
  test('behavior: every field is optional, but must have the right type', () => {
    expect(problems(CurrencyAmount.brief, {})).toEqual([]);
    expect(problems(CurrencyAmount.brief, { amount: '1', currency: { chainId: 1, symbol: 'X', decimals: 2 } })).toEqual(
      [],
    );
    expect(problems(CurrencyAmount.brief, { amount: 1 })).toEqual(['amount: expected a string']);
  });
});
