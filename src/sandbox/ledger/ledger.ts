/**
 * The store of all requests of the instance and their progress. It is written as it changes; in memory are an index, and
 * the requests used last.
 */
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import { type FrameLog, inMemory } from '../storage/frameLog.js';
import { type Change, type Entry, initial, isFinal, type Sent } from './Entry.js';
import * as entryStore from './entryStore.js';

export type { Change, Entry, Sent };
export { isFinal };

export type Claim = {
  /** What the wallet signs. */
  id: Hex;
  wallet: Address;
  recipient: Address;
  chainId: number;
  /** Base units of the token that fees are paid in, network gas included. */
  amount: bigint;
  createdAtMs: number;
  /** The transaction that pays it; undefined until the wallet has signed. */
  hash: Hex | undefined;
};

/** Told of a request that is added or updated, with the request before. */
export type Listener = (entry: Entry, before: Entry | undefined) => void;

export type Ledger = ReturnType<typeof createLedger>;

/** Entries kept in memory: reading one takes half a millisecond. */
const recentEntries = 256;
/** Unpaid requests are looked for that have expired, once in so many. */
const forgetEvery = 10_000;
/** Waste below this is not worth a copy. */
const leastWasteBytes = 8_388_608;

/** A change of what the log has beside requests. */
type Patch = { seen: readonly [chainId: number, block: bigint] } | { claim: Claim };

/**
 * Creates a ledger on a log, empty or of an earlier run.
 *
 * @throws DamagedLogError
 */
export function createLedger(clock: () => number, log: FrameLog = inMemory()) {
  const notes = createNotes((patch) => entryStore.patch(store, patch));
  const store = entryStore.open(log, clock(), (patch) => notes.apply(patch as Patch));
  const recent = new Map<string, Entry>();
  const listeners = new Set<Listener>();
  let lastChangeMs = 0;
  let sequence = store.last;

  function remember(entry: Entry): Entry {
    const key = entry.order.requestId.toLowerCase();
    recent.delete(key);
    recent.set(key, entry);
    const [oldest = key] = recent.keys();
    if (recent.size > recentEntries) recent.delete(oldest);
    return entry;
  }

  function put(entry: Entry, before?: Entry): Entry {
    entryStore.put(store, entry);
    remember(entry);
    for (const listener of listeners) listener(entry, before);
    return entry;
  }

  function byRequestId(requestId: string): Entry | undefined {
    const known = recent.get(requestId.toLowerCase());
    const found = known ?? entryStore.find(store, requestId, ({ order }) => order.requestId);
    return found && remember(found);
  }

  /** Throws on an unknown id. */
  function get(requestId: string): Entry {
    const entry = byRequestId(requestId);
    if (!entry) throw new Error(`The ledger has no request ${requestId}.`);
    return entry;
  }

  return {
    /** The position of the next request. */
    nextSequence(): number {
      sequence += 1;
      if (sequence % forgetEvery === 0) entryStore.forget(store, clock());
      return sequence;
    },
    add(request: Pick<Entry, 'sequence' | 'order' | 'quote' | 'apiKeyName'>): Entry {
      const nowMs = clock();
      return put({ ...initial, ...request, createdAtMs: nowMs, updatedAtMs: nowMs });
    },
    byRequestId,
    get,
    byOrderId: (orderId: string): Entry | undefined =>
      entryStore.find(store, orderId, ({ order }) => order.protocol?.orderId),
    /** Those that a search finds, read one by one; by default all, oldest first. */
    search: (search?: entryStore.Search): Iterable<Entry> => entryStore.search(store, search),
    /** Those with unfinished work, oldest first. */
    active: (): Entry[] => entryStore.active(store),
    /** Unix time in milliseconds at which the last request was added; 0 before the first. */
    lastAddedMs: (): number => entryStore.newestMs(store),
    /** Updates a request and its timestamp. Throws on an unknown id. */
    update(requestId: string, change: Change): Entry {
      const entry = get(requestId);
      lastChangeMs = Math.max(clock(), entry.updatedAtMs);
      return put({ ...entry, ...change, updatedAtMs: lastChangeMs }, entry);
    },
    /** Calls the listener with every request that is added or updated; returns what ends that. */
    watch(listener: Listener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Unix time in milliseconds of the last update; 0 before the first. */
    lastChangeMs: () => lastChangeMs,
    /** Remaining balance of the built-in sponsor, in millionths of a US dollar. */
    sponsorBalanceUsd: (): bigint => store.sponsorUsd,
    /** Written with the request that the caller adds or updates next, in the same turn. */
    chargeSponsor(usd: bigint): void {
      store.sponsorUsd -= usd;
    },
    ...notes.of,
    /** Whether most of the log is versions that nothing needs any more. */
    isWasteful: (): boolean => log.size() > leastWasteBytes && store.live * 2 < store.versions,
    /** Writes what is needed into another log. */
    copyTo: (target: FrameLog): void => entryStore.copyTo(store, target, notes.all()),
  };
}

/** What the log has beside requests; `write` appends a change. */
function createNotes(write: (patch: Patch) => void) {
  const seen = new Map<number, bigint>();
  const claims = new Map<string, Claim>();

  function apply(patch: Patch): void {
    if ('seen' in patch) seen.set(...patch.seen);
    else claims.set(patch.claim.id.toLowerCase(), patch.claim);
  }

  function make(patch: Patch): void {
    write(patch);
    apply(patch);
  }

  return {
    apply,
    all: (): Patch[] => [
      ...[...seen].map((each) => ({ seen: each })),
      ...[...claims.values()].map((claim) => ({ claim })),
    ],
    of: {
      /** Claims of app fees, oldest first. */
      claims: (): Claim[] => [...claims.values()],
      claim: (id: string): Claim | undefined => claims.get(id.toLowerCase()),
      /** Adds a claim, or replaces the one with its id. */
      putClaim: (claim: Claim): void => make({ claim }),
      /** The last block of a chain whose events have been processed. */
      seenBlock: (chainId: number): bigint | undefined => seen.get(chainId),
      markSeen(chainId: number, block: bigint): void {
        if (seen.get(chainId) !== block) make({ seen: [chainId, block] });
      },
    },
  };
}
