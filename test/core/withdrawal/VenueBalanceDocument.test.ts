import { describe, expect, test } from 'vitest';
import type { VenueAccount } from '../../../src/core/accounts/VenueAccount.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import * as VenueBalanceDocument from '../../../src/core/withdrawal/VenueBalanceDocument.js';

const account: VenueAccount = {
  index: 100,
  wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  isMaster: true,
  isActive: true,
  assets: undefined,
};

test('toUsdc', () => {
  expect([0n, 1n, 40_000_000n, -500_000n].map((base) => VenueBalanceDocument.toUsdc(base).formatted)).toEqual([
    '0',
    '0.000001',
    '40',
    '-0.5',
  ]);
  expect(VenueBalanceDocument.toUsdc(40_000_000n).amount).toBe('40000000');
});

test('toAccount: fits its schema', () => {
  const document = VenueBalanceDocument.toAccount(account, 10_000_000_000n, 10_100_000_000n);
  expect(VenueBalanceDocument.account.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
  expect(document).toMatchObject({ index: 100, before: { formatted: '10000' }, after: { formatted: '10100' } });
  expect(VenueBalanceDocument.toAccount(account, 0n, undefined).after).toBeNull();
});

test('toAccountLater: fits its schema, and says nothing of before', () => {
  const document = VenueBalanceDocument.toAccountLater(account, 10_100_000_000n);
  expect(VenueBalanceDocument.accountLater.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
  expect(VenueBalanceDocument.format(document, plain)).toMatch(/^ {2}Account .*\n {2}After {4}10100 USDC$/);
});

describe('format', () => {
  test('default', () => {
    const document = VenueBalanceDocument.toAccount(account, 10_000_000_000n, 10_100_500_000n);
    expect(VenueBalanceDocument.format(document, plain)).toMatchInlineSnapshot(`
      "  Account  100 of wallet 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
        Before   10000 USDC
        After    10100.5 USDC"
    `);
  });

  test('behavior: what nobody looked at is not said, and what a wallet is called moves no cursor', () => {
    const document = VenueBalanceDocument.toAccount(account, 10_000_000_000n, undefined);
    expect(VenueBalanceDocument.format({ ...document, wallet: '0x\u001b[2J' }, plain)).toBe(
      '  Account  100 of wallet 0x\\x1b[2J\n  Before   10000 USDC',
    );
  });
});
