import { describe, expect, test } from 'vitest';
import * as VenueTransaction from '../../../src/core/accounts/VenueTransaction.js';

const memo = Array.from({ length: 32 }, (_, index) => index);

describe('transferOf', () => {
  test('default: ignores additional fields', () => {
    const info = JSON.stringify({ ToAccountIndex: 7, AssetIndex: 3, Amount: 5, Memo: memo, More: {} });
    expect(VenueTransaction.transferOf({ info })).toEqual({
      toAccountIndex: 7,
      assetIndex: 3,
      amount: 5n,
      memo: `0x${Buffer.from(memo).toString('hex')}`,
    });
  });

  test.each([
    ['no JSON', 'x'],
    ['null', 'null'],
    ['no amount', '{"ToAccountIndex":7}'],
    ['an amount that a number does not hold', '{"ToAccountIndex":7,"Amount":9007199254740993}'],
    ['an amount as text', '{"ToAccountIndex":7,"Amount":"5"}'],
  ])('behavior: undefined for %s', (_, info) => {
    expect(VenueTransaction.transferOf({ info })).toBeUndefined();
  });

  test.each([[undefined], ['0x01'], [memo.slice(1)]])('behavior: omits a memo of a different form (%s)', (Memo) => {
    const info = JSON.stringify({ ToAccountIndex: 7, AssetIndex: 3, Amount: 5, Memo });
    expect(VenueTransaction.transferOf({ info })).toMatchObject({ amount: 5n, memo: undefined });
  });
});

test.each([
  [0, false, true],
  [1, false, false],
  [2, true, false],
  [3, true, false],
  [9, false, false],
])('isExecuted, isFailed: %d', (status, executed, failed) => {
  expect([VenueTransaction.isExecuted({ status }), VenueTransaction.isFailed({ status })]).toEqual([executed, failed]);
});
