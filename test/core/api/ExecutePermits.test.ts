import { describe, expect, test } from 'vitest';
import * as ExecutePermits from '../../../src/core/api/ExecutePermits.js';
import { decode, problems } from '../../support/problems.js';
import { read } from '../../support/recorded.js';

describe('request', () => {
  test.each([
    [{ kind: 'eip3009', requestId: '0x1', api: 'bridge' }],
    [{ kind: 'permit2', requestId: '0x1', api: 'user-swap' }],
    [{ kind: 'claim', requestId: '0x1' }],
  ])('default: %j', (request) => {
    expect(decode(ExecutePermits.request, request)).toEqual(request);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ requestId: '0x1' }, 'kind: missing, expected a string'],
    [{ kind: 'claim' }, 'requestId: missing, expected a string'],
    [{ kind: 'claim', requestId: '0x1', api: 'x' }, 'api: expected one of bridge, swap, user-swap'],
    [{ kind: 'claim', requestId: '0x1', signature: '0x' }, 'signature: unknown field'],
  ])('error: %j', (request, problem) => {
    expect(problems(ExecutePermits.request, request)).toEqual([problem]);
  });
});

describe('submission', () => {
  test('default: with or without a referrer', () => {
    for (const body of [
      { kind: 'claim', requestId: '0x1' },
      { kind: 'claim', requestId: '0x1', referrer: 'wallet' },
    ])
      expect(decode(ExecutePermits.submission, body)).toEqual(body);
    expect(problems(ExecutePermits.submission, { kind: 'claim', requestId: '0x1', other: 1 })).toHaveLength(1);
  });
});

describe('query', () => {
  test('default', () => {
    expect(problems(ExecutePermits.query, { signature: `0x${'1b'.repeat(65)}` })).toEqual([]);
    expect(problems(ExecutePermits.query, { signature: 'abc' })).toHaveLength(1);
    expect(problems(ExecutePermits.query, {})).toEqual(['signature: missing, expected a string']);
  });
});

describe('response', () => {
  test('behavior: may carry further steps', () => {
    const decoded = decode(ExecutePermits.response, read('execute-permits'));
    expect(decoded).toEqual(read('execute-permits'));
    expect(decoded.steps?.map(({ id }) => id)).toEqual(['authorize2']);
  });

  test('behavior: may carry no steps', () => {
    expect(decode(ExecutePermits.response, { message: 'ok' })).toEqual({ message: 'ok' });
  });
});

describe('error', () => {
  test('default', () => {
    expect(decode(ExecutePermits.error, { message: 'no' })).toEqual({ message: 'no' });
  });
});
