import { describe, expect, test } from 'vitest';
import { network } from '../../../src/core/network/sandbox.js';
import { keyNameOf, nameOf } from '../../../src/sandbox/http/apiKey.js';

function request(headers: Record<string, string>): Request {
  return new Request('http://localhost/', { headers });
}

describe('keyNameOf', () => {
  test('default: the key shipped with the client', () => {
    expect(keyNameOf(request({ 'X-Api-Key': network.apiKey ?? '' }))).toBe('sandbox');
    expect(keyNameOf(request({ 'x-api-key': 'other' }))).toBeUndefined();
    expect(keyNameOf(request({}))).toBeUndefined();
  });
});

describe('nameOf', () => {
  test('behavior: a missing key is not a key, and there are some for those who use several', () => {
    expect([undefined, null, '', 'sandbox-key'].map(nameOf)).toEqual([undefined, undefined, undefined, 'sandbox']);
    expect(['sandbox-key-2', 'sandbox-key-3'].map(nameOf)).toEqual(['sandbox-2', 'sandbox-3']);
  });
});
