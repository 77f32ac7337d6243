import { describe, expect, test } from 'vitest';
import * as SignatureSubmission from '../../../../src/core/proof/signature/SignatureSubmission.js';
import { collect } from '../../../../src/core/quote/Finding.js';
import { requestId } from '../../../support/signatures.js';

const body = { kind: 'permit2', requestId, api: 'swap' };
const post = { endpoint: '/execute/permits', method: 'POST', body };
const expected = { requestId, bodyKinds: ['permit2'], otherBodyKinds: ['eip3009', 'claim'] };

function verdict(changed: Parameters<typeof SignatureSubmission.check>[1], known = {}): string | undefined {
  const findings = collect();
  SignatureSubmission.check(findings, changed, { ...expected, ...known });
  expect(findings.list).toHaveLength(1);
  return findings.list[0]?.verdict;
}

describe('check', () => {
  test('default', () => {
    expect(verdict(post)).toBe('verified');
    expect(verdict({ ...post, method: 'post' })).toBe('verified');
    expect(verdict({ ...post, body: { kind: 'permit2', requestId } })).toBe('verified');
  });

  test.each([
    'https://api.example/execute/permits',
    '//api.example/execute/permits',
    '/execute/permits?to=api.example',
    '/execute/permits/',
    'execute/permits',
    '/authorize',
    '',
  ])('behavior: the endpoint %j is a mismatch', (endpoint) => {
    expect(verdict({ ...post, endpoint })).toBe('mismatch');
  });

  test.each([
    ['another method', { ...post, method: 'GET' }],
    ['another request', { ...post, body: { ...body, requestId: `0x${'ee'.repeat(32)}` } }],
    ['an invalid request', { ...post, body: { ...body, requestId: { toString: 1 } } }],
    ['no request', { ...post, body: { kind: 'permit2' } }],
    ['another kind', { ...post, body: { ...body, kind: 'eip3009' } }],
    ['no body', { endpoint: post.endpoint, method: post.method }],
    ['no post', undefined],
  ])('behavior: %s is a mismatch', (_, changed) => {
    expect(verdict(changed)).toBe('mismatch');
  });

  test.each([
    ['an undocumented kind', { ...body, kind: 'permit3' }],
    ['no kind', { requestId }],
    ['an unknown field', { ...body, recipient: requestId }],
    ['another value of `api`', { ...body, api: 'claim' }],
  ])('behavior: %s cannot be verified', (_, changed) => {
    expect(verdict({ ...post, body: changed })).toBe('cannot verify');
  });

  test('behavior: unknown values are not checked', () => {
    expect(verdict(post, { requestId: undefined })).toBe('not checked');
    expect(verdict(post, { bodyKinds: [], otherBodyKinds: [] })).toBe('verified');
    expect(verdict({ ...post, endpoint: '/x' }, { requestId: undefined })).toBe('mismatch');
  });
});
