import { describe, expect, test } from 'vitest';
import * as TokenDetails from '../../../../src/core/api/foreign/TokenDetails.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { read } from '../../../support/recorded.js';

const [currency] = read('currencies') as [Record<string, unknown>];

describe('response', () => {
  test('default: a currency with its price, and whatever else the service knows', () => {
    const known = withUnknownFields({ ...currency, price: 0.99, marketCap: '1' });
    expect(decode(TokenDetails.response, known)).toEqual(known);
    expect(decode(TokenDetails.response, currency)).toEqual(currency);
  });

  test('error: no decimals, a price that is a text', () => {
    expect(problems(TokenDetails.response, { ...currency, decimals: undefined, price: '1' })).toEqual([
      'decimals: missing, expected a number',
      'price: expected a number',
    ]);
  });
});

describe('parameters', () => {
  test('default', () => {
    expect(problems(TokenDetails.parameters, { chainId: 1, address: '0x1' })).toEqual([]);
    expect(problems(TokenDetails.parameters, { chainId: 1.5, address: '0x1' })).toHaveLength(1);
  });
});
