import { describe, expect, test } from 'vitest';
import * as VenueApi from '../../../src/core/api/VenueApi.js';
import * as AccountAnswer from '../../../src/sandbox/venue/AccountAnswer.js';
import type { Account } from '../../../src/sandbox/venue/Venue.js';

const account = (index: number, usdc: bigint): Account => ({ index, l1Address: '0xAb', usdc, isActive: true });

describe('detailed', () => {
  test.each([
    [0n, '0.000000'],
    [1n, '0.000001'],
    [999_999n, '0.999999'],
    [1_000_000n, '1.000000'],
    [10_000_000_001n, '10000.000001'],
  ])('behavior: %s millionths are %s', (usdc, text) => {
    const answer = AccountAnswer.detailed([account(100, usdc)]);
    expect(VenueApi.account.response.parse(answer).accounts[0]).toMatchObject({
      collateral: text,
      available_balance: text,
    });
  });
});

describe('byL1Address', () => {
  test('behavior: sorted by index; sub-accounts from 2^47 on', () => {
    const answer = AccountAnswer.byL1Address('0xAb', [account(2 ** 47, 0n), account(2 ** 47 - 1, 0n)]);
    expect(answer.sub_accounts.map(({ index, account_type }) => [index, account_type])).toEqual([
      [2 ** 47 - 1, 0],
      [2 ** 47, 1],
    ]);
  });
});
