import { describe, expect, test } from 'vitest';
import type { Finding, Verdict } from '../../../src/core/quote/Finding.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as ProofText from '../../../src/core/view/ProofText.js';

const finding = (check: string, verdict: Verdict, subject?: string): Finding => ({
  check,
  subject,
  verdict,
  expected: 'this',
  found: 'that\u001b[2J',
});

const all = [
  finding('recipient', 'verified'),
  finding('order-id', 'mismatch'),
  finding('contract', 'cannot verify', 'deposit'),
  finding('effect', 'not checked'),
];

describe('summary', () => {
  test.each([
    [all, '✗ 1 of 4 checks failed: ferry would refuse to sign it'],
    [
      all.filter(({ verdict }) => verdict !== 'mismatch'),
      '? 1 of 3 checks cannot be verified: ferry would refuse to sign it',
    ],
    [[all[0], all[3]] as Finding[], '✓ 1 checks passed: it does what was asked (not checked: effect)'],
    [
      [all[0], finding('amount', 'not checked')] as Finding[],
      '✓ 1 checks passed: its parts agree, but with what was asked it was not compared\n  (not checked: amount)',
    ],
  ])('default', (proof, expected) => {
    expect(ProofText.summary(proof, plain)).toBe(expected);
  });

  test('behavior: what the user accepts is named, and is no refusal', () => {
    const accepted = all.filter(({ verdict }) => verdict !== 'mismatch');
    expect(ProofText.summary(accepted, plain, { allow: ['contract'] })).toBe(
      '✓ 1 checks passed, and you accept without proof: contract (not checked: effect)',
    );
    expect(ProofText.summary(all, plain, { allow: ['order-id', 'contract'] })).toContain('refuse');
  });

  test('behavior: of a price: what cannot be verified is one, what is wrong is none', () => {
    const open = all.filter(({ verdict }) => verdict !== 'mismatch');
    expect(ProofText.summary(open, plain, { isPrice: true })).toBe(
      '? 1 of 3 checks cannot be verified: it is a price, and not proved to be safe to sign',
    );
    expect(ProofText.summary(all, plain, { isPrice: true })).toContain('refuse to sign');
  });
});

test('objections: the findings that prevent signing, escaped', () => {
  expect(ProofText.objections(all, plain)).toBe(
    '  ✗ order-id: expected this, found that\\x1b[2J\n  ? contract of deposit: expected this, found that\\x1b[2J',
  );
});
