import { describe, expect, test } from 'vitest';
import { plain } from '../../src/core/render/Style.js';
import type { VenueAccount } from '../../src/core/VenueAccount.js';
import * as VenueDocument from '../../src/core/VenueDocument.js';

const account: VenueAccount = {
  index: 100,
  wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  isMaster: true,
  isActive: true,
  assets: undefined,
};

describe('toUsdc', () => {
  test('default', () => {
    expect([0n, 1n, 40_000_000n, -500_000n].map((base) => VenueDocument.toUsdc(base).formatted)).toEqual([
      '0',
      '0.000001',
      '40',
      '-0.5',
    ]);
    expect(VenueDocument.toUsdc(40_000_000n).amount).toBe('40000000');
  });
});

describe('toAccount', () => {
  test('default: fits its schema', () => {
    const document = VenueDocument.toAccount(account, 10_000_000_000n, 10_100_000_000n);
    expect(VenueDocument.account.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
    expect(document).toMatchObject({ index: 100, before: { formatted: '10000' }, after: { formatted: '10100' } });
    expect(VenueDocument.toAccount(account, 0n, undefined).after).toBeNull();
  });
});

describe('toAccountLater', () => {
  test('default: fits its schema, and says nothing of before', () => {
    const document = VenueDocument.toAccountLater(account, 10_100_000_000n);
    expect(VenueDocument.accountLater.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
    expect(VenueDocument.format(document, plain)).toMatchInlineSnapshot(`
      "  Account  100 of wallet 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
        After    10100 USDC"
    `);
  });
});

describe('format', () => {
  test('default', () => {
    const document = VenueDocument.toAccount(account, 10_000_000_000n, 10_100_500_000n);
    expect(VenueDocument.format(document, plain)).toMatchInlineSnapshot(`
      "  Account  100 of wallet 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
        Before   10000 USDC
        After    10100.5 USDC"
    `);
  });

  test('behavior: what nobody looked at is not said', () => {
    const document = VenueDocument.toAccount(account, 10_000_000_000n, undefined);
    expect(VenueDocument.format({ ...document, wallet: '0x\u001b[2J' }, plain)).toMatchInlineSnapshot(`
      "  Account  100 of wallet 0x\\x1b[2J
        Before   10000 USDC"
    `);
  });
});
