import { describe, expect, test } from 'vitest';
import * as TransactionsSingle from '../../../src/core/api/TransactionsSingle.js';
import { decode, problems } from '../../support/problems.js';

const request = { requestId: '0x1', chainId: '313371', tx: '{"txHash":"0x2"}' };

describe('request', () => {
  test('default', () => {
    expect(decode(TransactionsSingle.request, request)).toEqual(request);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ requestId: undefined }, 'requestId: missing, expected a string'],
    [{ chainId: undefined }, 'chainId: missing, expected a string'],
    [{ tx: undefined }, 'tx: missing, expected a string'],
    [{ tx: { txHash: '0x2' } }, 'tx: expected a string'],
    [{ chainId: '1a' }, 'chainId: expected a string of digits'],
    [{ txHash: '0x2' }, 'txHash: unknown field'],
  ])('error: %j', (change, problem) => {
    expect(problems(TransactionsSingle.request, { ...request, ...change })).toEqual([problem]);
  });
});

describe('response', () => {
  test('default', () => {
    expect(decode(TransactionsSingle.response, { message: 'indexed' })).toEqual({ message: 'indexed' });
  });
});
