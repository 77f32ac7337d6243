import { describe, expect, test } from 'vitest';
import * as CurrenciesV2 from '../../../../src/core/api/catalog/CurrenciesV2.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { read } from '../../../support/recorded.js';

const every = {
  defaultList: true,
  chainIds: [313371],
  term: 'usd',
  address: '0x1',
  currencyId: 'usdc',
  tokens: ['313371:0x1'],
  verified: true,
  limit: 100,
  includeAllChains: false,
  useExternalSearch: false,
  depositAddressOnly: false,
};

describe('request', () => {
  test('default', () => {
    expect(decode(CurrenciesV2.request, every)).toEqual(every);
    expect(decode(CurrenciesV2.request, {})).toEqual({});
  });

  test.each<[Record<string, unknown>, string]>([
    [{ limit: 101 }, 'limit: expected at most 100'],
    [{ limit: 0 }, 'limit: expected at least 1'],
    [{ chainIds: ['1'] }, 'chainIds[0]: expected a number'],
    [{ chainId: 1 }, 'chainId: unknown field'],
  ])('error: %j', (change, problem) => {
    expect(problems(CurrenciesV2.request, change)).toEqual([problem]);
  });
});

describe('response', () => {
  test('default', () => {
    expect(decode(CurrenciesV2.response, read('currencies'))).toEqual(read('currencies'));
  });

  test('behavior: keeps unknown fields', () => {
    const later = withUnknownFields(read('currencies'));
    expect(decode(CurrenciesV2.response, later)).toEqual(later);
  });

  test('error: no decimals', () => {
    expect(problems(CurrenciesV2.response, [{ chainId: 1, address: '0x1', symbol: 'X', name: 'X' }])).toEqual([
      '[0].decimals: missing, expected a number',
    ]);
  });
});
