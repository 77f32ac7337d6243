import { describe, expect, test } from 'vitest';
import { network } from '../../../src/core/network/sandbox.js';
import { hasKey, isKey } from '../../../src/sandbox/http/apiKey.js';

function request(headers: Record<string, string>): Request {
  return new Request('http://localhost/', { headers });
}

describe('hasKey', () => {
  test('default: the key shipped with the client', () => {
    expect(hasKey(request({ 'X-Api-Key': network.apiKey ?? '' }))).toBe(true);
    expect(hasKey(request({ 'x-api-key': 'other' }))).toBe(false);
    expect(hasKey(request({}))).toBe(false);
  });
});

describe('isKey', () => {
  test('behavior: a missing key is not a key', () => {
    expect([undefined, null, '', 'sandbox-key'].map(isKey)).toEqual([false, false, false, true]);
  });
});
