/** A request of the instance and its progress. */
import type { Hex } from 'viem';
import type { Fees } from '../pricing/Fees.js';
import type * as Order from '../quote/Order.js';
import type * as QuoteAnswer from '../quote/QuoteAnswer.js';
import type { Account } from '../values/PartyAccount.js';
import type * as Deposit from './Deposit.js';
import type { Transaction } from './minedTransactions.js';
import type { Relay } from './RelayedCall.js';

export type Status = 'waiting' | 'depositing' | 'pending' | 'submitted' | 'delayed' | 'success' | 'refund' | 'failure';

export type Entry = {
  /** Position in the order of requests, starting at 1. */
  sequence: number;
  order: Order.Order;
  quote: QuoteAnswer.Response;
  apiKeyName?: string | undefined;
  status: Status;
  /** Human-readable progress for the status response. */
  details?: string | undefined;
  failReason?: string | undefined;
  refundFailReason?: string | undefined;
  createdAtMs: number;
  updatedAtMs: number;
  /** The transaction that the service submits for the user; undefined if the user pays for gas. */
  relay?: Relay | undefined;
  /** The first is the order's deposit; any further ones are refunded. */
  deposits: readonly Deposit.Deposit[];
  inTxs: readonly Transaction[];
  outTxs: readonly Transaction[];
  refundTxs: readonly Transaction[];
  /** A solver transaction that has been signed but is not known to be mined. */
  sent?: Sent | undefined;
  failedTx?: { hash: string; block: number; call: Call } | undefined;
  /** Base units of the output currency that the recipient received. */
  delivered?: bigint | undefined;
  refunded?: { currency: string; amount: bigint } | undefined;
  actualFees?: Fees | undefined;
  /** Id of the fault that holds up the request. */
  heldBy?: string | undefined;
};

/** The intended effect of a failed transaction; on the venue, a transfer between accounts with the memo as data. */
export type Call = { from: Account; to: Account; data: Hex; value: bigint };

/** `amount` is the amount delivered or refunded, in base units; `failReason` is the reason for a refund. */
export type Sent = {
  hash: string;
  chainId: number;
  amount: bigint;
} & ({ purpose: 'fill' } | { purpose: 'refund'; failReason: string; deposit: Deposit.Deposit });

/** What a request has before anything happens to it. */
export const initial = { status: 'waiting', deposits: [], inTxs: [], outTxs: [], refundTxs: [] } as const;

export type Change = Partial<Omit<Entry, 'sequence' | 'order' | 'quote' | 'createdAtMs' | 'updatedAtMs'>>;

export function isFinal(entry: Entry): boolean {
  return entry.status === 'success' || entry.status === 'refund' || entry.status === 'failure';
}

/** Whether there is work to resume after a stop, or after a fault that holds it up is cleared. */
export function isActive(entry: Entry): boolean {
  if (entry.heldBy !== undefined || entry.relay?.state === 'queued') return true;
  return !isFinal(entry) && (entry.status !== 'waiting' || entry.deposits.length > 0);
}
