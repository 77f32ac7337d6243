import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as TokenGrant from '../../../../src/core/proof/signature/TokenGrant.js';
import { collect, type Finding } from '../../../../src/core/quote/Finding.js';
import { contracts, facts, named, relayer, solver, usdc, user } from '../../../support/signatures.js';

const other = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';
const now = 1_790_000_000n;

const grant: TokenGrant.Grant = {
  owner: lower(user),
  spender: lower(contracts.approvalProxy),
  amounts: [{ token: lower(usdc), amount: 60_000_000n }],
  validFrom: undefined,
  validUntil: now + 600n,
  nonce: '7',
};

function check(changed: Partial<TokenGrant.Grant>, known: Partial<TokenGrant.Facts> = {}): Finding[] {
  const findings = collect();
  TokenGrant.check(findings, { ...grant, ...changed }, { ...facts, ...known });
  return [...findings.list];
}

function verdict(
  name: string,
  changed: Partial<TokenGrant.Grant>,
  known: Partial<TokenGrant.Facts> = {},
): string | undefined {
  return named(check(changed, known), name)?.verdict;
}

function lower(address: string | undefined): `0x${string}` {
  return String(address).toLowerCase() as `0x${string}`;
}

describe('check', () => {
  test('default', () => {
    expect(check({}).map((finding) => [finding.check, finding.verdict])).toEqual([
      ['signature-owner', 'verified'],
      ['signature-spender', 'verified'],
      ['signature-value', 'verified'],
      ['signature-deadline', 'verified'],
      ['signature-nonce', 'not checked'],
    ]);
  });

  test('behavior: owner', () => {
    expect(verdict('signature-owner', { owner: other })).toBe('mismatch');
    expect(verdict('signature-owner', { owner: undefined })).toBeUndefined();
  });

  test.each([
    ['the depository', contracts.depository, 'verified'],
    ['the approval proxy', contracts.approvalProxy, 'verified'],
    ['the solver', solver, 'verified'],
    ['the relayer', relayer, 'verified'],
    ['the router, which any caller controls', contracts.router, 'mismatch'],
    ['the token', usdc, 'mismatch'],
    ['the user', user, 'mismatch'],
    ['a stranger', other, 'mismatch'],
  ])('behavior: spender: %s', (_, spender, expected) => {
    expect(verdict('signature-spender', { spender: lower(spender) })).toBe(expected);
  });

  test('behavior: an unknown spender cannot be verified if ferry does not know every account', () => {
    expect(verdict('signature-spender', { spender: other }, { solvers: undefined })).toBe('cannot verify');
    expect(verdict('signature-spender', { spender: other }, { contracts: {} })).toBe('cannot verify');
    expect(verdict('signature-spender', { spender: lower(contracts.router) }, { solvers: undefined })).toBe('mismatch');
    expect(verdict('signature-spender', {}, { solvers: undefined })).toBe('verified');
  });

  test('behavior: value', () => {
    const token = lower(usdc);
    const of = (...amounts: TokenGrant.Grant['amounts']): string | undefined => verdict('signature-value', { amounts });
    expect(of({ token, amount: 60_000_001n })).toBe('mismatch');
    expect(of({ token, amount: 59_999_999n })).toBe('mismatch');
    expect(of({ token: other, amount: 60_000_000n })).toBe('mismatch');
    expect(of({ token, amount: 60_000_000n }, { token: other, amount: 0n })).toBe('mismatch');
    expect(of({ token, amount: 60_000_000n }, { token, amount: 1n })).toBe('mismatch');
    expect(of()).toBe('mismatch');
    expect(of({ token, amount: 20_000_000n }, { token, amount: 40_000_000n })).toBe('verified');
  });

  test('behavior: deadline: valid now, and for at most a day', () => {
    const seconds = fc.oneof(fc.bigInt({ min: now - 5n, max: now + 5n }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
    fc.assert(
      fc.property(
        fc.option(seconds, { nil: undefined }),
        fc.oneof(
          seconds,
          seconds.map((s) => s + 86_400n),
        ),
        (validFrom, validUntil) => {
          const holds = (validFrom ?? 0n) <= now && validUntil > now && validUntil <= now + 86_400n;
          expect(verdict('signature-deadline', { validFrom, validUntil })).toBe(holds ? 'verified' : 'mismatch');
        },
      ),
    );
  });

  test('attack: one that is still valid when its order is about to end', () => {
    const until = (validUntil: bigint, payableUntil?: number): string | undefined =>
      verdict('signature-deadline', { validUntil }, { payableUntil });
    const latest = Number(now) + 600;
    expect([until(now + 600n, latest), until(now + 601n, latest)]).toEqual(['verified', 'mismatch']);
    expect(until(now + 86_401n, Number(now) + 7 * 86_400)).toBe('mismatch');
  });

  test('behavior: without a clock, only an empty validity period is a mismatch', () => {
    const validUntil = 1n;
    expect(verdict('signature-deadline', { validUntil }, { nowMs: undefined })).toBe('not checked');
    expect(verdict('signature-deadline', { validUntil, validFrom: 1n }, { nowMs: undefined })).toBe('mismatch');
  });

  test('behavior: times are printed as dates up to the year 9999', () => {
    const found = (validUntil: bigint): string | undefined => named(check({ validUntil }), 'signature-deadline')?.found;
    expect(found(now)).toBe('until 2026-09-21T14:13:20.000Z');
    expect(found(2n ** 256n - 1n)).toBe(`until ${2n ** 256n - 1n}`);
  });
});
