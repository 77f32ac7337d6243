import { describe, expect, test } from 'vitest';
import type { Account } from '../../../src/sandbox/venue/Venue.js';
import * as venueAccounts from '../../../src/sandbox/venue/venueAccounts.js';

const account = (index: number, l1Address: Account['l1Address'] = '0xAb', isActive = true): Account => ({
  index,
  l1Address,
  usdc: 0n,
  isActive,
});

describe('transferFee', () => {
  test('default: 3 USDC between owners', () => {
    expect(venueAccounts.transferFee(account(100), account(101, '0xcd'))).toBe(3_000_000n);
  });

  test('behavior: free within one owner, whatever the case of the address', () => {
    expect(venueAccounts.transferFee(account(100), account(101, '0xaB'))).toBe(0n);
  });

  test('behavior: free for the relayer', () => {
    expect(venueAccounts.transferFee(account(7), account(101, '0xcd'))).toBe(0n);
    expect(venueAccounts.transferFee(account(101, '0xcd'), account(7))).toBe(3_000_000n);
  });
});

describe('activationFee', () => {
  test('default: 1 USDC, once', () => {
    expect(venueAccounts.activationFee(account(106, '0xab', false))).toBe(1_000_000n);
    expect(venueAccounts.activationFee(account(106))).toBe(0n);
  });
});
