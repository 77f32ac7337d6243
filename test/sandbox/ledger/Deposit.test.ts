import { encodeAbiParameters, toEventSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import * as Deposit from '../../../src/sandbox/ledger/Deposit.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';
import { add, deposited, ledgerAt } from '../../support/entries.js';
import * as market from '../../support/market.js';

const orderId = `0x${'17'.repeat(32)}` as const;
const hash = `0x${'a'.repeat(64)}` as const;
const usdc = market.token(market.alpha, 'USDC').address;

const { alpha } = deployments;
const where = { address: alpha.depository, logIndex: 3, hash };
const topics = {
  native: ['0x8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477'],
  erc20: ['0x49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e1'],
} as const;
const [account, amount, id] = [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }] as const;
const ofNative = {
  ...where,
  topics: topics.native,
  data: encodeAbiParameters([account, amount, id], [market.user, 5n, orderId]),
};

describe('fromLogs', () => {
  test('default: a token', () => {
    const data = encodeAbiParameters([account, account, amount, id], [market.user, usdc, 5n, orderId]);
    expect(Deposit.fromLogs([{ ...where, topics: topics.erc20, data }], alpha)).toEqual([
      {
        orderId,
        chainId: alpha.id,
        hash,
        logIndex: 3,
        depositor: market.user,
        currency: usdc,
        amount: 5n,
      },
    ]);
  });

  test('behavior: native currency, several times', () => {
    const found = Deposit.fromLogs([ofNative, { ...ofNative, logIndex: 4 }], alpha);
    expect(found).toMatchObject([{ currency: native, amount: 5n, orderId }, { logIndex: 4 }]);
  });

  test('behavior: other events, truncated ones, and those of another contract', () => {
    const other = toEventSelector('Transfer(address,address,uint256)');
    const none = [
      { ...where, topics: [other], data: '0x' },
      { ...where, topics: [], data: '0x' },
      { ...ofNative, data: '0x12' },
      { ...ofNative, address: alpha.router },
    ] as const;
    expect(Deposit.fromLogs(none, alpha)).toEqual([]);
  });
});

describe('failReason', () => {
  async function case_(change: Partial<Deposit.OnChain>): Promise<string | undefined> {
    const entry = await add(ledgerAt(0));
    const [deposit] = deposited(entry).deposits ?? [];
    if (!deposit) throw new Error('no deposit');
    return Deposit.failReason({ ...deposit, ...change } as Deposit.Deposit, entry.order);
  }

  test('default: undefined for a matching deposit in any case, or a larger one', async () => {
    expect(await case_({})).toBeUndefined();
    expect(await case_({ amount: 100_000_001n })).toBeUndefined();
    expect(await case_({ depositor: market.user.toLowerCase() as `0x${string}` })).toBeUndefined();
  });

  test.each([
    [{ chainId: 313372 }, 'DEPOSIT_CHAIN_MISMATCH'],
    [{ currency: native }, 'INCORRECT_DEPOSIT_CURRENCY'],
    [{ amount: 99_999_999n }, 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'],
    [{ depositor: market.other }, 'INVALID_SENDER'],
  ])('behavior: %o', async (change, reason) => {
    expect(await case_(change)).toBe(reason);
  });
});

describe('isSame', () => {
  test('default: by chain, transaction and log index', async () => {
    const [deposit] = deposited(await add(ledgerAt(0))).deposits ?? [];
    if (!deposit) throw new Error('no deposit');
    expect(Deposit.isSame(deposit, { ...deposit, amount: 0n })).toBe(true);
    expect(Deposit.isSame(deposit, { ...deposit, logIndex: 1 })).toBe(false);
    expect(Deposit.isSame(deposit, { ...deposit, chainId: 2 })).toBe(false);
    expect(Deposit.isSame(deposit, { ...deposit, hash: orderId })).toBe(false);
  });
});
