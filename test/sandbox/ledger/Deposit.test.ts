import { describe, expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import * as Deposit from '../../../src/sandbox/ledger/Deposit.js';
import { add, deposited, ledgerAt } from '../../support/entries.js';
import * as market from '../../support/market.js';

describe('failReason', () => {
  async function case_(change: Partial<Deposit.OnChain>): Promise<string | undefined> {
    const entry = await add(ledgerAt(0));
    const [deposit] = deposited(entry).deposits ?? [];
    if (!deposit) throw new Error('no deposit');
    return Deposit.failReason({ ...deposit, ...change } as Deposit.Deposit, entry.order);
  }

  test.each([
    [{ chainId: 313372 }, 'DEPOSIT_CHAIN_MISMATCH'],
    [{ currency: native }, 'INCORRECT_DEPOSIT_CURRENCY'],
    [{ amount: 99_999_999n }, 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'],
    [{ depositor: market.other }, 'INVALID_SENDER'],
  ])('behavior: %o', async (change, reason) => {
    expect(await case_(change)).toBe(reason);
  });
});
