import { describe, expect, test } from 'vitest';
import * as TokenPrice from '../../../../src/core/api/catalog/TokenPrice.js';
import { decode, problems } from '../../../support/problems.js';

const address = '0x0000000000000000000000000000000000000000';

describe('query', () => {
  test('default', () => {
    expect(decode(TokenPrice.query, { chainId: '1', address })).toEqual({ chainId: 1, address });
    expect(problems(TokenPrice.query, { chainId: 'one', address })).not.toEqual([]);
    expect(problems(TokenPrice.query, { chainId: '1', address, fresh: 'true' })).toEqual(['fresh: unknown field']);
  });
});

describe('toParams', () => {
  test('default: what the query reads', () => {
    const params = TokenPrice.toParams({ chainId: 8453, address });
    expect(decode(TokenPrice.query, Object.fromEntries(params))).toEqual({ chainId: 8453, address });
  });
});

describe('response', () => {
  test('default: a price, and none', () => {
    expect(decode(TokenPrice.response, { price: 2500.5 })).toEqual({ price: 2500.5 });
    expect(problems(TokenPrice.response, { price: null })).toEqual([]);
    expect(problems(TokenPrice.response, {})).toEqual([]);
    expect(problems(TokenPrice.response, { price: '2500.5' })).not.toEqual([]);
  });
});
