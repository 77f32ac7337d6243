import { expect, test } from 'vitest';
import { collect } from '../../../src/core/quote/Finding.js';
import * as StatedAmount from '../../../src/core/quote/StatedAmount.js';

const address = `0x${'ab'.repeat(20)}`;
const usdc = { address, symbol: 'USDC', decimals: 6 };

test.each([
  ['units, symbol and base units', 97_960_000n, usdc, '97.96 USDC (97960000)'],
  ['digits as text', '1', usdc, '0.000001 USDC (1)'],
  ['a loss', -1_500_000n, usdc, '-1.5 USDC (-1500000)'],
  ['a token that cannot be divided', 7n, { ...usdc, decimals: 0 }, '7 USDC (7)'],
  ['no symbol: the address', 5n, { address, decimals: 1 }, `0.5 ${address} (5)`],
  ['no decimals', 5n, { address, symbol: 'USDC', decimals: null }, '5'],
  ['no currency', 5n, undefined, '5'],
  ['decimals of no token', 5n, { ...usdc, decimals: 1e9 }, '5'],
  ['no amount', 'max', usdc, 'max'],
  ['control characters in the symbol', 5n, { ...usdc, symbol: '\u001b[2J' }, '0.000005 \\x1b[2J (5)'],
  [
    'a symbol that would be a sentence',
    5n,
    { ...usdc, symbol: 'X (5), verified by ferry' },
    '0.000005 X (5), verified … (5)',
  ],
])('format: %s', (_, amount, currency, expected) => {
  expect(StatedAmount.format(amount, currency)).toBe(expected);
});

test('of: by the address, whatever its case', () => {
  const native = `0x${'0'.repeat(40)}`;
  expect(StatedAmount.of(1n, address.toUpperCase().replace('X', 'x'), [usdc])).toMatch(/^0\.000001 USDC \(1\) of 0x/);
  expect(StatedAmount.of(1n, address, [{ ...usdc, address: native }])).toBe(`1 of ${address}`);
  expect(StatedAmount.of(10n, native, [{ address: native, symbol: 'ETH', decimals: 1 }])).toBe(
    '1 ETH (10) of the native asset',
  );
});

test.each([
  ['5', 'verified', '0.000005 USDC (5)'],
  ['6', 'mismatch', '0.000006 USDC (6)'],
  ['05', 'mismatch', '0.000005 USDC (05)'],
  [undefined, 'mismatch', 'nothing'],
] as const)('equal: 5 and %s', (found, verdict, shown) => {
  const findings = collect();
  StatedAmount.equal(findings, 'amount-paid', ['5', found], usdc);
  expect(findings.list).toMatchObject([{ check: 'amount-paid', verdict, expected: '0.000005 USDC (5)', found: shown }]);
});
