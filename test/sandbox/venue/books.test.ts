import { describe, expect, test } from 'vitest';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { accounts as dev } from '../../../src/sandbox/values/devAccounts.js';
import { createBooks, type Entry } from '../../../src/sandbox/venue/books.js';
import * as VenueAnswers from '../../../src/sandbox/venue/VenueAnswers.js';
import type { Account } from '../../../src/sandbox/venue/venueAccounts.js';
import { privateKeyOf, publicKeys, transferFee } from '../../../src/sandbox/venue/venueAccounts.js';
import * as Schnorr from '../../../src/venue/Schnorr.js';
import { hex } from '../../support/venueVectors.js';

const entry: Entry = {
  sequence: 5,
  hash: 'ab'.repeat(40),
  status: 'pending',
  failReason: undefined,
  from: 100,
  to: 7,
  assetIndex: 3,
  fromRouteType: 0,
  toRouteType: 0,
  amount: 2n ** 59n,
  usdcFee: 3_000_000n,
  activationFee: 0n,
  memo: '0x00',
  queuedAtMs: 1_000,
  executedAtMs: undefined,
  text: '{}',
  apiKeyIndex: 4,
  nonce: 0,
  expiredAtMs: 9_000,
};

const account = (index: number, l1Address: Account['l1Address'], usdc = 0n, isActive = true): Account => ({
  index,
  l1Address,
  usdc,
  isActive,
});

describe('the log', () => {
  test('behavior: what is done together is written at once, also when it is read back', () => {
    const log = inMemory();
    const books = createBooks(log);
    books.together(() => {
      books.adjustBalance(100, -5n);
      books.adjustBalance(101, 5n);
    });
    expect([...log.frames()]).toHaveLength(1);
    expect(createBooks(log).accounts()).toEqual(books.accounts());
  });
});

describe('transaction', () => {
  test.each([
    ['pending', undefined, 1],
    ['failed', 2_000, 0],
    ['executed', 2_000, 2],
    ['executed', 2_000 - VenueAnswers.finalAfterMs, 3],
  ] as const)('behavior: %s at %s is %i', (status, executedAtMs, expected) => {
    expect(VenueAnswers.transaction({ ...entry, status, executedAtMs }, '0xab', 2_000).status).toBe(expected);
  });
});

describe('history', () => {
  const entries = Array.from({ length: 2 * VenueAnswers.pageSize + 1 }, (_, at): Entry => {
    return {
      ...entry,
      sequence: at + 1,
      hash: String(at),
      amount: 1n,
      usdcFee: 0n,
      status: 'executed',
      executedAtMs: 2_000,
    };
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
});

describe('byL1Address', () => {
  test('behavior: sorted by index; sub-accounts from 2^47 on', () => {
    const answer = VenueAnswers.byL1Address('0xAb', [account(2 ** 47, '0xAb'), account(2 ** 47 - 1, '0xAb')]);
    expect(answer.sub_accounts.map(({ index, account_type }) => [index, account_type])).toEqual([
      [2 ** 47 - 1, 0],
      [2 ** 47, 1],
    ]);
  });
});

type Owner = keyof typeof publicKeys;

test.each(Object.keys(publicKeys) as Owner[])("publicKeys: %s's is derived from its private key", (owner) => {
  expect(publicKeys[owner]).toBe(hex(Schnorr.publicKey(privateKeyOf(dev[owner]))));
});

test('transferFee: 3 USDC between owners, nothing within one or for the relayer', () => {
  const [own, foreign, relayer] = [account(100, '0xAb'), account(101, '0xcd'), account(7, '0xef')];
  expect([transferFee(own, foreign), transferFee(foreign, relayer)]).toEqual([3_000_000n, 3_000_000n]);
  expect([transferFee(own, account(101, '0xaB')), transferFee(relayer, foreign)]).toEqual([0n, 0n]);
});
