import { expect, test } from 'vitest';
import type { OutcomeDocument } from '../../../src/core/execution/OutcomeDocument.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as OutcomeText from '../../../src/core/view/OutcomeText.js';

const amount = (formatted: string, currency: string) => ({ amount: '1', formatted, currency });

const delivered: OutcomeDocument = {
  run: null,
  requestId: '0x01',
  status: 'success',
  funds: 'delivered',
  user: '0xaa',
  recipient: '0xbb',
  calls: [],
  refundTo: '0xaa',
  spent: amount('100', 'alpha/usdc'),
  received: amount('99.969675', 'beta/usdc'),
  witnesses: ['the service', 'the node of beta'],
  minimum: amount('97.970282', 'beta/usdc'),
  gas: amount('0.00000145', 'alpha/eth'),
  maxGas: null,
  recommended: { swapImpact: '-0.022700', providerFee: '-1.000000', appFee: '0.000000' },
  depositAddress: null,
  gasTopup: null,
  transactions: [{ action: 'deposit', chainId: 1, txHash: '0xd1', gasUsed: '1', url: 'https://scan.example/tx/0xd1' }],
  fills: [{ chainId: 2, txHash: '0xf1', url: null }],
  elapsedMs: 1_234,
  plan: [],
};

test('default: delivered', () => {
  expect(OutcomeText.format(delivered, plain)).toMatchInlineSnapshot(`
      "✓ Delivered in 1.2 s to 0xbb
        Spent     100 alpha/usdc
        Received  99.969675 beta/usdc  read from the chain
        Gas       0.00000145 alpha/eth
        Deposit   0xd1
        Fill      0xf1
        Paid by   0xaa
        Request   0x01"
    `);
});
test('behavior: what was canceled is neither sent nor expected', () => {
  const canceled = { ...delivered, status: 'cancelled', funds: 'untouched', spent: null, received: null, fills: [] };
  expect(OutcomeText.format(canceled as OutcomeDocument, plain, undefined, false)).toMatchInlineSnapshot(`
      "✓ Canceled: nothing but gas was paid.
        Gas      0.00000145 alpha/eth
        Deposit  0xd1
        Paid by  0xaa
        Request  0x01"
    `);
});
test('behavior: a plan says its fees as the service recommends, who is paid, and who gets a refund', () => {
  const text = OutcomeText.format({ ...delivered, status: 'planned' }, plain);
  expect(text).toContain('\n  In short: execution and swap -$0.0227, provider fee -$1.00.\n');
  expect(OutcomeText.format({ ...delivered, status: 'planned', recommended: null }, plain)).not.toContain('In short');
  const other = OutcomeText.format({ ...delivered, status: 'planned', refundTo: '0xcc' }, plain);
  expect(other).toContain('\n  Paid to 0xbb.\n  Refunded, if it fails, to 0xcc.\n');
});
test('behavior: calls on arrival are paid, and not the recipient', () => {
  const calls = [
    { to: '0xc1', data: '0x', value: '5' },
    { to: '0xc2', data: '0x12345678', value: '0' },
  ];
  const text = OutcomeText.format({ ...delivered, calls }, { ...plain, width: 120 });
  expect(text).toContain('Delivered in 1.2 s to 2 calls on arrival\n');
  expect(text).toContain('\n  Call 1    0xc1  no calldata with 0.000000000000000005 of the native asset\n');
  expect(text).not.toContain('0xbb');
  const plan = OutcomeText.format({ ...delivered, calls: calls.slice(0, 1), status: 'planned' }, plain);
  expect(plan).toContain('\n  Paid to a call on arrival:\n    Call 1  0xc1  no calldata with ');
});
test.each<[string, Partial<OutcomeDocument>, string]>([
  ['an account of the venue is called one', { user: '100' }, 'Paid by   venue account 100\n'],
  ['what arrives in an account of the venue is read there', { recipient: '100' }, '  read from the venue\n'],
  ['or is not', { recipient: '100', received: null }, 'not read from the venue\n'],
  [
    'an amount that the service alone says',
    { received: null, witnesses: ['the service'] },
    'by the service, not read from the chain',
  ],
])('behavior: %s', (_, changed, words) => {
  expect(OutcomeText.format({ ...delivered, ...changed }, plain)).toContain(words);
});
