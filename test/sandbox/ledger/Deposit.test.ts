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

describe('fromLog', () => {
  const where = { address: market.alpha.contracts.depository, logIndex: 3, hash };

  test('default: a token', () => {
    const data = encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }],
      [market.user, usdc, 5n, orderId],
    );
    const topics = ['0x49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e1'] as const;
    expect(Deposit.fromLog({ ...where, topics, data }, 1)).toEqual({
      orderId,
      chainId: 1,
      hash,
      logIndex: 3,
      depositor: market.user,
      currency: usdc,
      amount: 5n,
    });
  });

  test('behavior: native currency', () => {
    const data = encodeAbiParameters(
      [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }],
      [market.user, 5n, orderId],
    );
    const topics = ['0x8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477'] as const;
    expect(Deposit.fromLog({ ...where, topics, data }, 1)).toMatchObject({ currency: native, amount: 5n, orderId });
  });

  test('behavior: other events and truncated ones', () => {
    const other = toEventSelector('Transfer(address,address,uint256)');
    expect(Deposit.fromLog({ ...where, topics: [other], data: '0x' }, 1)).toBeUndefined();
    expect(Deposit.fromLog({ ...where, topics: [], data: '0x' }, 1)).toBeUndefined();
    const topics = ['0x8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477'] as const;
    expect(Deposit.fromLog({ ...where, topics, data: '0x12' }, 1)).toBeUndefined();
  });
});

describe('fromLogs', () => {
  test("default: the depository's own events", () => {
    const { alpha } = deployments;
    const data = encodeAbiParameters(
      [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }],
      [market.user, 5n, orderId],
    );
    const topics = ['0x8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477'] as const;
    const log = { address: alpha.depository, topics, data, logIndex: 0, hash };
    expect(Deposit.fromLogs([log, { ...log, logIndex: 1 }], alpha)).toHaveLength(2);
    // The same event of another contract is ignored.
    expect(Deposit.fromLogs([{ ...log, address: alpha.router }], alpha)).toEqual([]);
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
