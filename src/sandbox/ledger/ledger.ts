/** Every request of this instance with what became of it, in memory; it can be saved as plain JSON and restored. */

import type { Hex } from 'viem';
import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import type { Fees } from '../pricing/Fees.js';
import type * as Order from '../quote/Order.js';
import * as BigintJson from '../values/BigintJson.js';
import type { Account } from '../values/PartyAccount.js';
import type * as Deposit from './Deposit.js';
import type { Transaction } from './minedTransactions.js';
import type { Relay } from './RelayedCall.js';

export type Status = 'waiting' | 'depositing' | 'pending' | 'submitted' | 'delayed' | 'success' | 'refund' | 'failure';

export type Entry = {
  /** Its place in the order of requests, from 1. */
  sequence: number;
  order: Order.Order;
  quote: QuoteV2.Response;
  apiKeyName: string | undefined;
  status: Status;
  /** A sentence about where it stands, for the status answer. */
  details: string | undefined;
  failReason: string | undefined;
  refundFailReason: string | undefined;
  createdAtMs: number;
  updatedAtMs: number;
  /** What the service submits in the user's place; undefined where the user pays for gas. */
  relay: Relay | undefined;
  /** The first is the order's; any further one is sent back. */
  deposits: readonly Deposit.Deposit[];
  inTxs: readonly Transaction[];
  outTxs: readonly Transaction[];
  refundTxs: readonly Transaction[];
  /** A transaction of the solver that is sent and not yet known to be mined. */
  sent: Sent | undefined;
  failedTx: { hash: string; block: number; call: Call } | undefined;
  /** Base units of the output currency that reached the recipient. */
  delivered: bigint | undefined;
  refunded: { currency: string; amount: bigint } | undefined;
  actualFees: Fees | undefined;
  /** The fault that holds the request where it is. */
  heldBy: string | undefined;
};

/** What a transaction that failed was to do: on the venue between accounts, with the memo as its data. */
export type Call = { from: Account; to: Account; data: Hex; value: bigint };

/** `amount` is what it delivers or sends back, in base units; `failReason` is why it is sent back. */
export type Sent = {
  hash: string;
  chainId: number;
  amount: bigint;
} & ({ purpose: 'fill' } | { purpose: 'refund'; failReason: string; deposit: Deposit.Deposit });

export type Change = Partial<Omit<Entry, 'sequence' | 'order' | 'quote' | 'createdAtMs' | 'updatedAtMs'>>;

export type Ledger = {
  /** The next request's place; each is given once. */
  nextSequence(): number;
  add(request: Pick<Entry, 'sequence' | 'order' | 'quote' | 'apiKeyName'>): Entry;
  byRequestId(requestId: string): Entry | undefined;
  byOrderId(orderId: string): Entry | undefined;
  /** Oldest first. */
  entries(): readonly Entry[];
  /** Writes what happened to a request and when. Throws for an unknown id. */
  move(requestId: string, change: Change): Entry;
  /** Unix time in milliseconds of the last change; 0 before the first. */
  lastMoveMs(): number;
  /** What the built-in sponsor can still pay, in millionths of a dollar. */
  sponsorBalanceUsd(): bigint;
  chargeSponsor(usd: bigint): void;
  /** The last block of a chain whose events are in the ledger. */
  seenBlock(chainId: number): bigint | undefined;
  see(chainId: number, block: bigint): void;
  saved(): BigintJson.JsonValue;
};

/** What the built-in sponsor starts with: 100,000 dollars. */
const sponsorStartUsd = 100_000_000_000n;

type State = {
  version: 1;
  sequence: number;
  sponsorBalanceUsd: bigint;
  seenBlocks: Record<string, bigint>;
  entries: readonly Entry[];
};

/**
 * A ledger, empty or as it was saved.
 *
 * @throws an error where `saved` is no ledger of this version
 */
export function createLedger(clock: () => number, saved?: BigintJson.JsonValue | undefined): Ledger {
  const state = saved === undefined ? empty : restored(saved);
  let { sequence, sponsorBalanceUsd } = state;
  let lastMoveMs = 0;
  const seenBlocks = { ...state.seenBlocks };
  const entries = new Map<string, Entry>();
  const requestIdOfOrder = new Map<string, string>();

  function put(entry: Entry): Entry {
    const key = entry.order.requestId.toLowerCase();
    entries.set(key, entry);
    if (entry.order.protocol) requestIdOfOrder.set(entry.order.protocol.orderId.toLowerCase(), key);
    return entry;
  }
  for (const entry of state.entries) put(entry);

  return {
    nextSequence() {
      sequence += 1;
      return sequence;
    },
    add({ sequence: place, order, quote, apiKeyName }) {
      const nowMs = clock();
      return put({ ...untouched, sequence: place, order, quote, apiKeyName, createdAtMs: nowMs, updatedAtMs: nowMs });
    },
    byRequestId: (requestId) => entries.get(requestId.toLowerCase()),
    byOrderId(orderId) {
      const key = requestIdOfOrder.get(orderId.toLowerCase());
      return key === undefined ? undefined : entries.get(key);
    },
    entries: () => [...entries.values()],
    move(requestId, change) {
      const entry = entries.get(requestId.toLowerCase());
      if (!entry) throw new Error(`The ledger has no request ${requestId}.`);
      lastMoveMs = Math.max(clock(), entry.updatedAtMs);
      return put({ ...entry, ...change, updatedAtMs: lastMoveMs });
    },
    lastMoveMs: () => lastMoveMs,
    sponsorBalanceUsd: () => sponsorBalanceUsd,
    chargeSponsor(usd) {
      sponsorBalanceUsd -= usd;
    },
    seenBlock: (chainId) => seenBlocks[chainId],
    see(chainId, block) {
      seenBlocks[chainId] = block;
    },
    saved(): BigintJson.JsonValue {
      const now: State = { version: 1, sequence, sponsorBalanceUsd, seenBlocks, entries: [...entries.values()] };
      return BigintJson.from(now);
    },
  };
}

/** Whether a request has come to its end. */
export function isFinal(entry: Entry): boolean {
  return entry.status === 'success' || entry.status === 'refund' || entry.status === 'failure';
}

const empty: State = {
  version: 1,
  sequence: 0,
  sponsorBalanceUsd: sponsorStartUsd,
  seenBlocks: {},
  entries: [],
};

const untouched = {
  status: 'waiting',
  details: undefined,
  failReason: undefined,
  refundFailReason: undefined,
  relay: undefined,
  deposits: [],
  inTxs: [],
  outTxs: [],
  refundTxs: [],
  sent: undefined,
  failedTx: undefined,
  delivered: undefined,
  refunded: undefined,
  actualFees: undefined,
  heldBy: undefined,
} as const;

function restored(saved: BigintJson.JsonValue): State {
  const state = BigintJson.toValue(saved);
  if (typeof state !== 'object' || state === null || (state as { version?: unknown }).version !== 1) {
    throw new Error('The saved ledger is not one of this version.');
  }
  return state as State;
}
