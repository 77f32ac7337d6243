/** Ledger entries of real quotes on the market of ./market.ts, in every state: no chain, no server. */

import * as ActualFees from '../../src/sandbox/ledger/ActualFees.js';
import type * as Deposit from '../../src/sandbox/ledger/Deposit.js';
import { type Change, createLedger, type Entry, type Ledger } from '../../src/sandbox/ledger/ledger.js';
import type { Transaction } from '../../src/sandbox/ledger/minedTransactions.js';
import * as Quote from '../../src/sandbox/quote/Quote.js';
import type { FrameLog } from '../../src/sandbox/storage/frameLog.js';
import * as PartyAccount from '../../src/sandbox/values/PartyAccount.js';
import * as QuoteIds from '../../src/sandbox/values/QuoteIds.js';
import * as market from './market.js';

export type Told = {
  amount?: bigint;
  from?: string;
  to?: string;
  request?: Parameters<typeof market.request>[3];
  hasKey?: boolean;
};

/** A ledger whose clock stands until it is set. */
export function ledgerAt(nowMs: number, log?: FrameLog): Ledger & { setClock(ms: number): void } {
  let time = nowMs;
  const ledger = createLedger(() => time, log);
  return Object.assign(ledger, {
    setClock(ms: number) {
      time = ms;
    },
  });
}

/** Adds a quote, by default 100 USDC from alpha to beta. */
export async function add(ledger: Ledger, told: Told = {}): Promise<Entry> {
  const { amount = 100_000_000n, from = 'alpha/usdc', to = 'beta/usdc', request = {}, hasKey = false } = told;
  const sequence = ledger.nextSequence();
  const identity = QuoteIds.from({ seed: 'entries', sequence, nowMs: market.market.nowMs });
  const asked = market.request(amount, from, to, { refundTo: market.user, ...request });
  const client = hasKey ? { sponsorBalanceUsd: ledger.sponsorBalanceUsd() } : undefined;
  const { order, response } = await Quote.from(asked, { ...market.input, identity, client });
  return ledger.add({ sequence, order, quote: response, apiKeyName: hasKey ? 'sandbox' : undefined });
}

/** A mined transaction, told apart by a digit. */
export function transaction(digit: string, change: Partial<Transaction> = {}): Transaction {
  return {
    hash: `0x${digit.repeat(64)}`,
    chainId: 313371,
    block: 12,
    timestamp: 1_790_000_001,
    fee: 1_000_000_000_000n,
    feeUsd: 2_500n,
    status: 'success',
    ...change,
  };
}

/** The change that a deposit of the order makes. */
export function deposited(entry: Entry): Change {
  const { order } = entry;
  const inTx = transaction('a');
  const deposit: Deposit.Deposit = {
    orderId: order.protocol?.orderId ?? '0x',
    chainId: order.origin.chainId,
    hash: `0x${'a'.repeat(64)}` as const,
    logIndex: 0,
    depositor: PartyAccount.address(order.user),
    currency: PartyAccount.address(order.origin.token.address),
    amount: order.origin.amount,
  };
  return { status: 'pending', deposits: [deposit], inTxs: [inTx] };
}

/** The change that a fill of so much makes. */
export function filled(entry: Entry, delivered: bigint): Change {
  const outTx = transaction('b', { chainId: 313372, block: 7 });
  const { amount } = entry.order.origin;
  return {
    status: 'success',
    outTxs: [outTx],
    delivered,
    actualFees: ActualFees.ofFill(entry.order, { paid: amount, delivered, gasUsd: outTx.feeUsd }),
  };
}

/** The change that a refund of so much makes. */
export function refunded(entry: Entry, amount: bigint): Change {
  const { token, amount: paid } = entry.order.origin;
  return {
    status: 'refund',
    failReason: 'SLIPPAGE',
    refundTxs: [transaction('c')],
    refunded: { currency: token.address, amount },
    actualFees: ActualFees.ofRefund(entry.order, paid - amount),
  };
}
