import { describe, expect, test } from 'vitest';
import type { ReceiptDocument } from '../../../src/core/receipt/ReceiptDocument.js';
import * as ReceiptText from '../../../src/core/receipt/ReceiptText.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';

const side = (chain: string) => ({ chain, chainId: 1, symbol: 'USDC', name: 'USD Coin', address: '0x01', decimals: 6 });
const receipt: ReceiptDocument = {
  ...{ run: '1', requestId: '0x1', orderId: '0xbe', payer: '0xaa', recipient: '0xbb' },
  ...{ origin: side('alpha'), destination: side('beta'), order: {}, orderSignature: null },
  paid: { amount: '100', formatted: '100' },
  minimum: { amount: '98', formatted: '98' },
  received: { amount: '99', formatted: '99' },
  deposit: { chainId: 1, txHash: '0x0d', blockNumber: '7', logs: [] },
  fills: [{ chainId: 2, txHash: '0x0f', blockNumber: null, logs: [] }],
  witnesses: [
    { fact: 'deposit', witnesses: ['a node of alpha'] },
    { fact: 'delivered', witnesses: ['a node of beta'] },
    { fact: 'events', witnesses: ['a node of beta'] },
  ],
};

describe('format', () => {
  test('default: who paid what, by which transactions, and who showed it', () => {
    const lines = ReceiptText.format(receipt, plain).split('\n');
    expect(lines.map((line) => line.trim().replace(/ +/g, ' '))).toEqual([
      '✓ Receipt for 0xbb',
      'Paid 100 USDC on alpha by 0xaa',
      'Received 99 USDC on beta',
      'Deposit 0x0d in block 7',
      'Fill 0x0f',
      'Order 0xbe',
      'Shown by a node of alpha, a node of beta',
    ]);
  });

  test('behavior: text of somebody else is no command for the terminal', () => {
    const hostile = { ...receipt, payer: '\u001b[2Jx' };
    expect(ReceiptText.format(hostile, plain)).not.toContain('\u001b');
  });
});

const arrived = { payer: '0xaa', received: '99', currency: 'beta/usdc', recipient: '0xbb' };
const finding = (verdict: 'verified' | 'mismatch' | 'cannot verify' | 'not checked', check = 'delivered') => ({
  check,
  verdict,
});

test.each([
  [[finding('verified')], [], '✓ 1 checks passed: 99 beta/usdc arrived at 0xbb, paid by 0xaa'],
  [
    [finding('verified'), finding('not checked')],
    [],
    '✓ 1 checks passed: 99 beta/usdc arrived at 0xbb, paid by 0xaa (1 not checked)',
  ],
  [[finding('verified'), finding('mismatch')], ['delivered'], '✗ 1 of 2 checks failed: it does not show a payment'],
  [[finding('cannot verify')], [], '? 1 of 1 checks cannot be verified: it is not shown yet'],
  [
    [finding('verified'), finding('cannot verify', 'fill-order')],
    ['fill-order'],
    '✓ 1 checks passed: 99 beta/usdc arrived at 0xbb, paid by 0xaa',
  ],
])('summary: %j, allowing %j', (proof, allow, expected) => {
  expect(ReceiptText.summary(proof, arrived, plain, { allow })).toBe(expected);
});
