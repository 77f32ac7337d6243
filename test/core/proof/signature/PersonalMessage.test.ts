import { describe, expect, test } from 'vitest';
import * as PersonalMessage from '../../../../src/core/proof/signature/PersonalMessage.js';
import { collect } from '../../../../src/core/quote/Finding.js';
import { facts, orderId, requestId } from '../../../support/signatures.js';

const of = (message: string) => ({ signatureKind: 'eip191' as const, message });

describe('check', () => {
  const upper = `0x${orderId.slice(2).toUpperCase()}`;

  test.each([
    [orderId, 'verified', `the order id ${orderId}`],
    [upper, 'verified', `the order id ${upper}`],
    // Chosen by the service: it may be the hash of a transaction of a contract wallet that the key owns.
    [requestId, 'cannot verify', `the hash ${requestId}`],
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

  test('behavior: an unknown id cannot be verified', () => {
    const findings = collect();
    PersonalMessage.check(findings, of(orderId), { contracts: {} });
    expect(findings.list[0]?.verdict).toBe('cannot verify');
  });
});
