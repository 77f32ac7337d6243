import { describe, expect, test } from 'vitest';
import * as TransactionsIndex from '../../../src/core/api/TransactionsIndex.js';
import { decode, problems } from '../../support/problems.js';

const request = { chainId: '313371', txHash: `0x${'ab'.repeat(32)}` };

describe('request', () => {
  test('default', () => {
    expect(decode(TransactionsIndex.request, request)).toEqual(request);
    expect(problems(TransactionsIndex.request, { ...request, requestId: '0x1' })).toEqual([]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ chainId: 313371 }, 'chainId: expected a string'],
    [{ chainId: 'alpha' }, 'chainId: expected a string of digits'],
    [{ txHash: undefined }, 'txHash: missing, expected a string'],
    [{ hash: '0x' }, 'hash: unknown field'],
  ])('error: %j', (change, problem) => {
    expect(problems(TransactionsIndex.request, { ...request, ...change })).toEqual([problem]);
  });
});

describe('response', () => {
  test('default', () => {
    expect(decode(TransactionsIndex.response, { message: 'indexed' })).toEqual({ message: 'indexed' });
  });
});
