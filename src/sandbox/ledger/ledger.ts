/** In-memory store of all requests of the instance and their progress, serializable to plain JSON. */

import type { Hex } from 'viem';
import type * as QuoteV2 from '../../core/api/QuoteV2.js';
import type { Fees } from '../pricing/Fees.js';
import type * as Order from '../quote/Order.js';
import * as BigintJson from '../values/BigintJson.js';
import type { Account } from '../values/PartyAccount.js';
import type * as AppFeeBalance from './AppFeeBalance.js';
import type * as Deposit from './Deposit.js';
import type { Transaction } from './minedTransactions.js';
import type { Relay } from './RelayedCall.js';

export type Status = 'waiting' | 'depositing' | 'pending' | 'submitted' | 'delayed' | 'success' | 'refund' | 'failure';

export type Entry = {
  /** Position in the order of requests, starting at 1. */
  sequence: number;
  order: Order.Order;
  quote: QuoteV2.Response;
  apiKeyName: string | undefined;
  status: Status;
  /** Human-readable progress for the status response. */
  details: string | undefined;
  failReason: string | undefined;
  refundFailReason: string | undefined;
  createdAtMs: number;
  updatedAtMs: number;
  /** The transaction that the service submits for the user; undefined if the user pays for gas. */
  relay: Relay | undefined;
  /** The first is the order's deposit; any further ones are refunded. */
  deposits: readonly Deposit.Deposit[];
  inTxs: readonly Transaction[];
  outTxs: readonly Transaction[];
  refundTxs: readonly Transaction[];
  /** A solver transaction that has been signed but is not known to be mined. */
  sent: Sent | undefined;
  failedTx: { hash: string; block: number; call: Call } | undefined;
  /** Base units of the output currency that the recipient received. */
  delivered: bigint | undefined;
  refunded: { currency: string; amount: bigint } | undefined;
  actualFees: Fees | undefined;
  /** Id of the fault that holds up the request. */
  heldBy: string | undefined;
};

/** The intended effect of a failed transaction; on the venue, a transfer between accounts with the memo as data. */
export type Call = { from: Account; to: Account; data: Hex; value: bigint };

/** `amount` is the amount delivered or refunded, in base units; `failReason` is the reason for a refund. */
export type Sent = {
  hash: string;
  chainId: number;
  amount: bigint;
} & ({ purpose: 'fill' } | { purpose: 'refund'; failReason: string; deposit: Deposit.Deposit });

export type Change = Partial<Omit<Entry, 'sequence' | 'order' | 'quote' | 'createdAtMs' | 'updatedAtMs'>>;

/** Told of an update, with the request before it. */
export type Listener = (entry: Entry, before: Entry) => void;

export type Ledger = {
  /** Reserves the position of the next request. */
  nextSequence(): number;
  add(request: Pick<Entry, 'sequence' | 'order' | 'quote' | 'apiKeyName'>): Entry;
  byRequestId(requestId: string): Entry | undefined;
  byOrderId(orderId: string): Entry | undefined;
  /** Oldest first. */
  entries(): readonly Entry[];
  /** Updates a request and its timestamp. Throws on an unknown id. */
  update(requestId: string, change: Change): Entry;
  /** Calls the listener with every update; returns what ends that. */
  watch(listener: Listener): () => void;
  /** Unix time in milliseconds of the last update; 0 before the first. */
  lastChangeMs(): number;
  /** Remaining balance of the built-in sponsor, in millionths of a US dollar. */
  sponsorBalanceUsd(): bigint;
  chargeSponsor(usd: bigint): void;
  /** Claims of app fees, oldest first. */
  claims(): AppFeeBalance.Claim[];
  claim(id: string): AppFeeBalance.Claim | undefined;
  /** Adds a claim, or replaces the one with its id. */
  putClaim(claim: AppFeeBalance.Claim): void;
  /** The last block of a chain whose events have been processed. */
  seenBlock(chainId: number): bigint | undefined;
  markSeen(chainId: number, block: bigint): void;
  saved(): BigintJson.JsonValue;
};

/** Initial balance of the built-in sponsor: 100,000 US dollars. */
const sponsorStartUsd = 100_000_000_000n;

type State = {
  version: 1;
  sequence: number;
  sponsorBalanceUsd: bigint;
  seenBlocks: Record<string, bigint>;
  entries: readonly Entry[];
  claims: readonly AppFeeBalance.Claim[];
};

/**
 * Creates a ledger, empty or restored.
 *
 * @throws an error if `saved` is not a ledger of this version
 */
export function createLedger(clock: () => number, saved?: BigintJson.JsonValue | undefined): Ledger {
  const state = saved === undefined ? empty : restore(saved);
  let { sequence, sponsorBalanceUsd } = state;
  let lastChangeMs = 0;
  const seenBlocks = { ...state.seenBlocks };
  const entries = new Map<string, Entry>();
  const requestIdOfOrder = new Map<string, string>();
  const listeners = new Set<Listener>();

  function put(entry: Entry): Entry {
    const key = entry.order.requestId.toLowerCase();
    entries.set(key, entry);
    if (entry.order.protocol) requestIdOfOrder.set(entry.order.protocol.orderId.toLowerCase(), key);
    return entry;
  }
  for (const entry of state.entries) put(entry);
  const claims = new Map(state.claims.map((claim) => [claim.id.toLowerCase(), claim]));

  return {
    nextSequence() {
      sequence += 1;
      return sequence;
    },
    add({ sequence: place, order, quote, apiKeyName }) {
      const nowMs = clock();
      return put({ ...initial, sequence: place, order, quote, apiKeyName, createdAtMs: nowMs, updatedAtMs: nowMs });
    },
    byRequestId: (requestId) => entries.get(requestId.toLowerCase()),
    byOrderId(orderId) {
      const key = requestIdOfOrder.get(orderId.toLowerCase());
      return key === undefined ? undefined : entries.get(key);
    },
    entries: () => [...entries.values()],
    update(requestId, change) {
      const entry = entries.get(requestId.toLowerCase());
      if (!entry) throw new Error(`The ledger has no request ${requestId}.`);
      lastChangeMs = Math.max(clock(), entry.updatedAtMs);
      const updated = put({ ...entry, ...change, updatedAtMs: lastChangeMs });
      for (const listener of listeners) listener(updated, entry);
      return updated;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lastChangeMs: () => lastChangeMs,
    sponsorBalanceUsd: () => sponsorBalanceUsd,
    chargeSponsor(usd) {
      sponsorBalanceUsd -= usd;
    },
    claims: () => [...claims.values()],
    claim: (id) => claims.get(id.toLowerCase()),
    putClaim(claim) {
      claims.set(claim.id.toLowerCase(), claim);
    },
    seenBlock: (chainId) => seenBlocks[chainId],
    markSeen(chainId, block) {
      seenBlocks[chainId] = block;
    },
    saved(): BigintJson.JsonValue {
      const all = { entries: [...entries.values()], claims: [...claims.values()] };
      const now: State = { version: 1, sequence, sponsorBalanceUsd, seenBlocks, ...all };
      return BigintJson.from(now);
    },
  };
}

/** Whether the request has reached a final status. */
export function isFinal(entry: Entry): boolean {
  return entry.status === 'success' || entry.status === 'refund' || entry.status === 'failure';
}

const empty: State = {
  version: 1,
  sequence: 0,
  sponsorBalanceUsd: sponsorStartUsd,
  seenBlocks: {},
  entries: [],
  claims: [],
};

const initial = {
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

function restore(saved: BigintJson.JsonValue): State {
  const state = BigintJson.toValue(saved);
  if (typeof state !== 'object' || state === null || (state as { version?: unknown }).version !== 1) {
    throw new Error('The saved ledger has an unsupported version.');
  }
  // A ledger that was saved before there were claims has none.
  return { claims: [], ...(state as Omit<State, 'claims'>) };
}
