import { describe, expect, test } from 'vitest';
import * as VenueApi from '../../../src/core/api/VenueApi.js';
import type { Entry } from '../../../src/sandbox/venue/books.js';
import type { Account } from '../../../src/sandbox/venue/Venue.js';
import * as VenueAnswers from '../../../src/sandbox/venue/VenueAnswers.js';

const entry: Entry = {
  hash: 'ab'.repeat(40),
  sequence: 5,
  status: 'pending',
  failReason: undefined,
  from: 100,
  to: 7,
  assetIndex: 3,
  fromRouteType: 0,
  toRouteType: 0,
  amount: 1n,
  usdcFee: 0n,
  activationFee: 0n,
  memo: '0x00',
  queuedAtMs: 1_000,
  executedAtMs: undefined,
  text: '{}',
  apiKeyIndex: 4,
  nonce: 0,
  expiredAtMs: 9_000,
};

describe('transaction', () => {
  test.each([
    ['pending', undefined, 1],
    ['failed', 2_000, 0],
    ['executed', 2_000, 2],
    ['executed', 2_000 - VenueAnswers.finalAfterMs, 3],
  ] as const)('behavior: %s at %s is %i', (status, executedAtMs, expected) => {
    expect(VenueAnswers.transaction({ ...entry, status, executedAtMs }, '0xab', 2_000).status).toBe(expected);
  });

  test('default', () => {
    expect(VenueAnswers.transaction(entry, '0xab', 2_000)).toMatchObject({
      block_height: 0,
      queued_at: 1_000,
      executed_at: 0,
      expire_at: 9_000,
      event_info: '{}',
      account_index: 100,
    });
  });
});

describe('history', () => {
  const entries = Array.from({ length: 2 * VenueAnswers.pageSize + 1 }, (_, at): Entry => {
    return { ...entry, sequence: at + 1, hash: String(at), status: 'executed', executedAtMs: 2_000 };
  });
  const page = (skip: number) => VenueAnswers.history(7, entries, { ownerOf: () => '0xab', skip });

  test('default: every transfer once, latest first, over as many pages as it takes', () => {
    const ids: string[] = [];
    const cursors: string[] = [''];
    for (let next: string | undefined = '0'; next; ) {
      const { transfers, cursor } = page(Number(next));
      ids.push(...transfers.map(({ id }) => id));
      cursors.push(cursor ?? '');
      next = cursor;
    }
    expect(ids).toEqual(entries.map(({ sequence }) => String(sequence)).reverse());
    expect(cursors).toEqual(['', '100', '200', '']);
  });

  test('behavior: neither what is pending or failed, nor what others sent each other', () => {
    const others = [{ ...entry, status: 'executed' as const, from: 101, to: 102 }];
    const unmoved = (['pending', 'failed'] as const).map((status) => ({ ...entry, status }));
    const answer = VenueAnswers.history(7, [...others, ...unmoved], { ownerOf: () => '0xab', skip: 0 });
    expect(answer).toEqual({ code: 200, transfers: [], cursor: '' });
  });

  test('behavior: the receiver sees an inflow', () => {
    expect(page(0).transfers[0]).toMatchObject({ type: 'L2TransferInflow', amount: '0.000001', fee: '0.000000' });
  });
});

const account = (index: number, usdc: bigint): Account => ({ index, l1Address: '0xAb', usdc, isActive: true });

describe('detailed', () => {
  test.each([
    [0n, '0.000000'],
    [1n, '0.000001'],
    [999_999n, '0.999999'],
    [1_000_000n, '1.000000'],
    [10_000_000_001n, '10000.000001'],
  ])('behavior: %s millionths are %s', (usdc, text) => {
    const answer = VenueAnswers.detailed([account(100, usdc)]);
    expect(VenueApi.account.response.parse(answer).accounts[0]).toMatchObject({
      collateral: text,
      available_balance: text,
    });
  });
});

describe('byL1Address', () => {
  test('behavior: sorted by index; sub-accounts from 2^47 on', () => {
    const answer = VenueAnswers.byL1Address('0xAb', [account(2 ** 47, 0n), account(2 ** 47 - 1, 0n)]);
    expect(answer.sub_accounts.map(({ index, account_type }) => [index, account_type])).toEqual([
      [2 ** 47 - 1, 0],
      [2 ** 47, 1],
    ]);
  });
});
