import fc from 'fast-check';
import { parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type * as Plan from '../../../src/core/execution/Plan.js';
import * as TransactionReplacement from '../../../src/core/execution/TransactionReplacement.js';
import * as Journal from '../../../src/core/tracking/Journal.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { address, batch, transactions } from '../../support/journals.js';

const owner = privateKeyToAccount(accounts.dev0.privateKey);
const bytes = await owner.signTransaction({
  type: 'eip1559',
  chainId: 31_337_001,
  nonce: 7,
  to: accounts.dev1.address,
  data: '0x1234',
  value: 5n,
  gas: 60_000n,
  maxFeePerGas: 1_000n,
  maxPriorityFeePerGas: 0n,
});

describe('raised', () => {
  const fees = fc.record({ maxFeePerGas: fc.bigInt(0n, 10n ** 15n), maxPriorityFeePerGas: fc.bigInt(0n, 10n ** 15n) });

  test('default: a tenth more of both at least, never less than asked now, and the tip never above the whole', () => {
    fc.assert(
      fc.property(fees, fees, (before, now) => {
        const after = TransactionReplacement.raised(before, now);
        for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
          expect(after[fee] * 10n).toBeGreaterThanOrEqual(before[fee] * 11n);
          expect(after[fee]).toBeGreaterThanOrEqual(now[fee]);
        }
        expect(after.maxFeePerGas).toBeGreaterThanOrEqual(after.maxPriorityFeePerGas);
      }),
    );
  });
});

const action = {
  ...{ from: owner.address, to: accounts.dev1.address, data: '0x1234', value: 5n },
  chain: { id: 31_337_001 },
} as unknown as Plan.Action;

test('again: nothing but the fees is another, and the content is the plan’s', async () => {
  const fees = { maxFeePerGas: 2_000n, maxPriorityFeePerGas: 9n };
  const transaction = TransactionReplacement.again(action, {
    ...fees,
    nonce: 7,
    gas: TransactionReplacement.gasOf(bytes),
  });
  const second = parseTransaction(await owner.signTransaction({ ...transaction, type: 'eip1559' } as never));
  const { r: _r, s: _s, yParity: _y, v: _v, ...first } = parseTransaction(bytes);
  expect(second).toMatchObject({ ...first, ...fees });
  expect(TransactionReplacement.feesOf([bytes])).toEqual({ maxFeePerGas: 1_000n, maxPriorityFeePerGas: 0n });
});

test('nothing: the same nonce, and nothing is sent to anybody else', () => {
  const fees = { maxFeePerGas: 2_000n, maxPriorityFeePerGas: 9n };
  expect(TransactionReplacement.nothing(action, { ...fees, nonce: 7, gas: 21_000n })).toEqual({
    ...fees,
    ...{ chainId: 31_337_001, nonce: 7, to: owner.address, data: '0x', value: 0n, gas: 21_000n },
  });
});

describe('waiting', () => {
  test('default: what is signed, by nonce, also what a journal knows as mined', () => {
    const waiting = (entries: readonly Journal.Entry[]) =>
      TransactionReplacement.waiting(Journal.from(entries)).map(({ step, action: kind }) => [step, kind]);
    expect(waiting(transactions.slice(0, 5))).toEqual([[0, 'approve']]);
    expect(waiting(transactions.slice(0, 9))).toEqual([
      [0, 'approve'],
      [1, 'deposit'],
    ]);
    const signed = transactions.filter(({ type }) => type === 'signed');
    const together = [...transactions.slice(0, 4), ...signed.toReversed()];
    expect(waiting(together)).toEqual([
      [0, 'approve'],
      [1, 'deposit'],
    ]);
  });

  test.each([
    ['what is over', Journal.from(transactions), 'ferry runs show', 'delivered'],
    ['a batch, which the service sends', Journal.from(batch.slice(0, 5)), 'ferry resume', 'unknown'],
    ['a batch that the service has taken', Journal.from(batch.slice(0, 6)), 'ferry resume', 'in-flight'],
    ['a deposit address, which anybody pays', Journal.from(address), 'ferry resume', 'unknown'],
  ] as const)('error: %s', (_, state, next, funds) => {
    expect(() => TransactionReplacement.waiting(state)).toThrow(
      expect.objectContaining({ code: 'run.settled', funds, next: expect.stringContaining(next) }),
    );
  });
});

test.each([
  [
    'what never signed',
    transactions.slice(0, 3),
    'Nothing was signed in it, so there is nothing to replace or cancel.',
  ],
  ['what is mined', transactions.slice(0, 7), 'A mined transaction cannot be replaced or canceled.'],
])('NothingWaitsError: why, of %s', (_, entries, hint) => {
  expect(new TransactionReplacement.NothingWaitsError(Journal.from(entries)).hint).toBe(hint);
});

describe('question', () => {
  const sent = { purpose: 'send', bytes: '0x02', txHash: '0xd1' } as const;
  const fees = {
    before: { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 0n },
    after: { maxFeePerGas: 2_250_000_000n, maxPriorityFeePerGas: 1n },
  };

  test('behavior: a payment that is being canceled is made after all only if that is said', () => {
    const attempts = [sent, { purpose: 'cancel', bytes: '0x02', txHash: '0xcc' }] as const;
    const canceled = [{ action: 'deposit', nonce: 7, attempts }] as const;
    expect(TransactionReplacement.question('speed-up', canceled, fees)).toMatch(
      /^The run is being canceled\. Send the deposit after all, for up to 2\.25 gwei/,
    );
    expect(TransactionReplacement.question('cancel', canceled, fees)).toMatch(/^Cancel the deposit with an empty/);
  });

  test('default: both fees, before and after, and why it is safe', () => {
    expect(TransactionReplacement.question('speed-up', [{ action: 'deposit', nonce: 7, attempts: [sent] }], fees)).toBe(
      'Send the deposit again, for up to 2.25 gwei instead of 2, with a tip of 0.000000001 instead of 0? Both have nonce 7, so at most one of them is ever mined.',
    );
    const cancel = (missing: number[]): string =>
      TransactionReplacement.question('cancel', [{ action: 'approve', nonce: 7, attempts: [sent] }], {
        ...fees,
        missing,
      });
    expect(cancel([])).toContain('empty transaction');
    expect(cancel([6])).toMatch(/ever mined\. Another empty transaction fills the missing nonce 6\.$/);
    expect(cancel([5, 6])).toMatch(/ever mined\. 2 more fill the missing nonces 5 to 6\.$/);
    const both = [
      { action: 'approve', nonce: 7, attempts: [sent] },
      { action: 'deposit', nonce: 8, attempts: [sent] },
    ];
    const asked = TransactionReplacement.question('cancel', both, fees);
    expect(asked).toMatch(/^Cancel the approve and the deposit with empty transactions, for up to 2\.25 gwei/);
    expect(asked).toMatch(/They have the same nonces 7 and 8, so at most one of each is ever mined\.$/);
  });
});
