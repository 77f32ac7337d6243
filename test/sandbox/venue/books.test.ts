import { describe, expect, test } from 'vitest';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { createBooks, type Entry } from '../../../src/sandbox/venue/books.js';
import { accounts } from '../../../src/sandbox/venue/venueAccounts.js';

const key = { accountIndex: 100, apiKeyIndex: 4 };

const entry: Omit<Entry, 'sequence'> = {
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
  queuedAtMs: 1,
  executedAtMs: undefined,
  text: '{}',
  apiKeyIndex: 4,
  nonce: 0,
  expiredAtMs: 2,
};

describe('nextNonce', () => {
  test('behavior: follows pending and executed transfers', () => {
    const books = createBooks();
    expect(books.nextNonce(key)).toBe(0);
    const { hash } = books.add(entry);
    expect(books.nextNonce(key)).toBe(1);
    books.update(hash, { status: 'failed' });
    expect(books.nextNonce(key)).toBe(0);
    books.incrementNonce(key);
    expect(books.nextNonce(key)).toBe(1);
  });
});

describe('adjustBalance', () => {
  test('behavior: only a credit activates an account', () => {
    const books = createBooks();
    books.adjustBalance(106, 0n);
    expect(books.account(106)?.isActive).toBe(false);
    books.adjustBalance(106, 1n);
    expect(books.account(106)).toMatchObject({ usdc: 1n, isActive: true });
  });

  test('error: an unknown account or transaction', () => {
    expect(() => createBooks().adjustBalance(105, 1n)).toThrow('The venue has no account 105.');
    expect(() => createBooks().update('ab', {})).toThrow('The venue has no transaction ab.');
  });
});

describe('the log', () => {
  test('default: exact round trip', () => {
    const log = inMemory();
    const books = createBooks(log);
    books.add(entry);
    books.adjustBalance(100, -5n);
    books.incrementNonce(key);
    const again = createBooks(log);
    expect([again.accounts(), again.apiKeys(100)]).toEqual([books.accounts(), books.apiKeys(100)]);
    expect(again.pending()).toMatchObject([{ hash: entry.hash }]);
    expect(again.entry(entry.hash)).toMatchObject({ amount: 2n ** 59n, sequence: 1 });
    expect(again.account(100)?.usdc).toBe(9_999_999_995n);
    expect(again.apiKey(100, 4)?.nonce).toBe(1);
  });

  test('behavior: books are independent', () => {
    createBooks().adjustBalance(100, 5n);
    expect(createBooks().accounts()).toEqual(accounts);
  });

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
