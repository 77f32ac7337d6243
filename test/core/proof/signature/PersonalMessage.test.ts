import { describe, expect, test } from 'vitest';
import * as PersonalMessage from '../../../../src/core/proof/signature/PersonalMessage.js';
import { collect } from '../../../../src/core/quote/Finding.js';
import { facts, orderId, requestId } from '../../../support/signatures.js';

const of = (message: string) => ({ signatureKind: 'eip191' as const, message });

describe('signable', () => {
  test('default', () => {
    expect(PersonalMessage.signable(of(orderId))).toEqual({ raw: orderId });
    expect(PersonalMessage.signable(of('hello'))).toBe('hello');
    expect(PersonalMessage.signable(of(`${orderId}00`))).toBe(`${orderId}00`);
    expect(PersonalMessage.signable(of(orderId.slice(2)))).toBe(orderId.slice(2));
  });
});

describe('check', () => {
  const upper = `0x${requestId.slice(2).toUpperCase()}`;

  test.each([
    [requestId, 'verified', `the request id ${requestId}`],
    [upper, 'verified', `the request id ${upper}`],
    [orderId, 'verified', `the order id ${orderId}`],
    [`0x${'ee'.repeat(32)}`, 'cannot verify', `the hash 0x${'ee'.repeat(32)}`],
    [`${requestId}00`, 'cannot verify', `the text "${requestId}00"`],
    ['', 'cannot verify', 'the text ""'],
  ])('default: %s', (message, verdict, found) => {
    const findings = collect();
    PersonalMessage.check(findings, of(message), facts);
    expect(findings.list).toMatchObject([
      { check: 'signature-message', verdict, found },
      { check: 'order-binding', verdict: 'cannot verify' },
    ]);
  });

  test('behavior: unknown ids cannot be verified', () => {
    const findings = collect();
    PersonalMessage.check(findings, of(requestId), { contracts: {} });
    expect(findings.list[0]?.verdict).toBe('cannot verify');
  });
});
