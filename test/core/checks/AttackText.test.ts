import { describe, expect, test } from 'vitest';
import type { Attacked } from '../../../src/core/checks/AttackReport.js';
import * as AttackText from '../../../src/core/checks/AttackText.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';

const attacked: Attacked = {
  ...{ liar: 'node', lie: 'says that gas is dear', witness: 'the quote', ends: 'refused', isHeldOff: true },
  steps: [{ said: 'verify.cap', funds: 'untouched' }],
  checks: [],
  balance: { amount: '1000', currency: 'alpha/usdc' },
  changes: [],
};

describe('format', () => {
  test('default: who lied, who showed it, and the balance', () => {
    expect(AttackText.format(attacked, plain).split('\n')).toEqual([
      '✓ The node says that gas is dear',
      '  refused  verify.cap, shown by the quote',
      '  balance  1000 alpha/usdc, unchanged',
    ]);
  });

  test('error: an attack that succeeds', () => {
    const lines = AttackText.format({ ...attacked, isHeldOff: false }, plain).split('\n');
    expect(lines.slice(0, 2)).toEqual([
      '✗ The node says that gas is dear',
      '  missed   verify.cap, shown by the quote',
    ]);
  });
});

test('summary: error: an attack that succeeds', () => {
  expect(AttackText.summary({ attacks: [attacked], heldOff: 0, account: '0x01' }, plain)).toBe(
    '\n1 of 1 attacks were not held off: this is a bug in ferry.',
  );
});
