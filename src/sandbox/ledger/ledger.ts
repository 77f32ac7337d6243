/**
 * The store of all requests of the instance and their progress. It is written as it changes; in memory are an index, the
 * requests with unfinished work, and those used last.
 */
import type { Address } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import { type FrameLog, inMemory } from '../storage/frameLog.js';
import { type Change, type Entry, initial, isActive, isFinal, type Sent } from './Entry.js';
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

/** Told of an update, with the request before it. */
export type Listener = (entry: Entry, before: Entry) => void;

export type Ledger = ReturnType<typeof createLedger>;

/** Initial balance of the built-in sponsor: 100,000 US dollars. */
const sponsorStartUsd = 100_000_000_000n;

/** Entries kept in memory besides the active ones. */
const recentEntries = 256;
/** Sequence numbers that are reserved by one write. */
const reservedNumbers = 256;
/** Unpaid requests are looked for that have expired, once in so many. */
const forgetEvery = 10_000;
/** Waste below this is not worth a copy. */
const leastWasteBytes = 8_388_608;

type Patch = {
  /** No number above it was given out. */
  reserved?: number;
  sponsor: bigint;
  seen?: readonly [chainId: number, block: bigint];
  claim?: Claim;
};

/**
 * Creates a ledger on a log, empty or of an earlier run.
 *
 * @throws DamagedLogError
 */
export function createLedger(clock: () => number, log: FrameLog = inMemory()) {
  const { notes, store, active: unfinished } = restore(clock(), log);
  let lastChangeMs = 0;
  const listeners = new Set<Listener>();
  const addedListeners: ((entry: Entry) => void)[] = [];

  const memory = createMemory(unfinished);

  function put(entry: Entry): Entry {
    entryStore.put(store, entry, notes.sponsorUsd);
    notes.isChargeUnwritten = false;
    return memory.remember(entry);
  }

  const patch: WritePatch = (change) => {
    entryStore.patch(store, { ...change, sponsor: notes.sponsorUsd });
    notes.isChargeUnwritten = false;
  };

  function byRequestId(requestId: string): Entry | undefined {
    const key = requestId.toLowerCase();
    const known = memory.find(key);
    const found = known ?? entryStore.find(store, key, ({ order }) => order.requestId.toLowerCase() === key);
    return found && (known ?? memory.remember(found));
  }

  return {
    ...numbered(notes, store, clock, patch),
    add(request: Pick<Entry, 'sequence' | 'order' | 'quote' | 'apiKeyName'>): Entry {
      const nowMs = clock();
      const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
      const entry = put({ ...initial, ...request, ...times });
      for (const listener of addedListeners) listener(entry);
      return entry;
    },
    byRequestId,
    byOrderId(orderId: string): Entry | undefined {
      const isIt = ({ order }: Entry): boolean => order.protocol?.orderId.toLowerCase() === orderId.toLowerCase();
      const found = entryStore.find(store, orderId, isIt);
      return found && byRequestId(found.order.requestId);
    },
    /** Those that a search finds, read one by one; by default all, oldest first. */
    search: (search?: entryStore.Search): Iterable<Entry> => entryStore.search(store, search),
    /** Those with unfinished work, oldest first. */
    active: memory.active,
    /** Whether one that was quoted at or after a time is not paid. */
    isAwaited: (sinceMs: number): boolean => entryStore.isAwaited(store, sinceMs),
    /** Updates a request and its timestamp. Throws on an unknown id. */
    update(requestId: string, change: Change): Entry {
      const entry = byRequestId(requestId);
      if (!entry) throw new Error(`The ledger has no request ${requestId}.`);
      lastChangeMs = Math.max(clock(), entry.updatedAtMs);
      const updated = put({ ...entry, ...change, updatedAtMs: lastChangeMs });
      for (const listener of listeners) listener(updated, entry);
      return updated;
    },
    /** Calls the listener with every update; returns what ends that. */
    watch(listener: Listener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onAdded(listener: (entry: Entry) => void): void {
      addedListeners.push(listener);
    },
    /** Unix time in milliseconds of the last update; 0 before the first. */
    lastChangeMs: () => lastChangeMs,
    ...noted(notes, patch),
    /** Whether most of the log is versions that nothing needs any more. */
    isWasteful: (): boolean => log.size() > leastWasteBytes && store.live * 2 < store.versions,
    /** Writes what is needed into another log. */
    copyTo: (target: FrameLog): void => entryStore.copyTo(store, target, patchesOf(notes)),
  };
}

/** What the log of an earlier run holds. */
function restore(nowMs: number, log: FrameLog) {
  const notes: Notes = { reserved: 0, sponsorUsd: sponsorStartUsd, seen: new Map(), claims: new Map() };
  const { store, sponsorUsd, active } = entryStore.open(log, nowMs, (change) => {
    const { seen, claim, sponsor, reserved } = change as Patch;
    notes.sponsorUsd = sponsor;
    notes.reserved = reserved ?? notes.reserved;
    if (seen) notes.seen.set(...seen);
    if (claim) notes.claims.set(claim.id.toLowerCase(), claim);
  });
  notes.sponsorUsd = sponsorUsd ?? notes.sponsorUsd;
  return { notes, store, active };
}

/** The requests with unfinished work, and those used last, by their ids in lower case. */
function createMemory(unfinished: readonly Entry[]) {
  const active = new Map<string, Entry>();
  const recent = new Map<string, Entry>();

  function remember(entry: Entry): Entry {
    const key = entry.order.requestId.toLowerCase();
    recent.delete(key);
    active.delete(key);
    (isActive(entry) ? active : recent).set(key, entry);
    const [oldest = key] = recent.keys();
    if (recent.size > recentEntries) recent.delete(oldest);
    return entry;
  }

  for (const entry of unfinished) remember(entry);
  return {
    remember,
    find: (key: string): Entry | undefined => active.get(key) ?? recent.get(key),
    active: (): Entry[] => [...active.values()].sort((a, b) => a.sequence - b.sequence),
  };
}

/** What the log has beside requests. */
type Notes = {
  /** No number above it was given out. */
  reserved: number;
  sponsorUsd: bigint;
  /** Whether the log does not have the sponsor's balance yet. */
  isChargeUnwritten?: boolean;
  seen: Map<number, bigint>;
  claims: Map<string, Claim>;
};

/** The whole of the notes, to be written into another log. */
function patchesOf({ reserved, sponsorUsd: sponsor, seen, claims }: Notes): Patch[] {
  return [
    ...[...seen].map((each) => ({ seen: each, sponsor })),
    ...[...claims.values()].map((claim) => ({ claim, sponsor })),
    { reserved, sponsor },
  ];
}

type WritePatch = (change: Omit<Patch, 'sponsor'>) => void;

/** Gives out positions in the order of requests. */
function numbered(notes: Notes, store: entryStore.EntryStore, clock: () => number, patch: WritePatch) {
  let sequence = Math.max(notes.reserved, store.last);
  return {
    /** Reserves the position of the next request. */
    nextSequence(): number {
      sequence += 1;
      if (sequence > notes.reserved) {
        notes.reserved = sequence + reservedNumbers;
        patch({ reserved: notes.reserved });
      }
      if (sequence % forgetEvery === 0) entryStore.forget(store, clock());
      return sequence;
    },
    /** Writes what is not in the log yet. The next start then continues without a gap in the sequence. */
    close(): void {
      notes.reserved = sequence;
      patch({ reserved: sequence });
    },
  };
}

/** Reads and changes the notes; `patch` writes a change, and with it the sponsor's balance. */
function noted(notes: Notes, patch: WritePatch) {
  const { seen, claims } = notes;
  return {
    /** Remaining balance of the built-in sponsor, in millionths of a US dollar. */
    sponsorBalanceUsd: (): bigint => notes.sponsorUsd,
    /** Kept with the request that is written next. */
    chargeSponsor(usd: bigint): void {
      notes.sponsorUsd -= usd;
      notes.isChargeUnwritten = true;
      // Whatever is written in the same turn has the new balance with it.
      queueMicrotask(() => {
        try {
          if (notes.isChargeUnwritten) patch({});
        } catch {
          // The log says so itself, and the sandbox ends.
        }
      });
    },
    /** Claims of app fees, oldest first. */
    claims: (): Claim[] => [...claims.values()],
    claim: (id: string): Claim | undefined => claims.get(id.toLowerCase()),
    /** Adds a claim, or replaces the one with its id. */
    putClaim(claim: Claim): void {
      claims.set(claim.id.toLowerCase(), claim);
      patch({ claim });
    },
    /** The last block of a chain whose events have been processed. */
    seenBlock: (chainId: number): bigint | undefined => seen.get(chainId),
    markSeen(chainId: number, block: bigint): void {
      if (seen.get(chainId) === block) return;
      seen.set(chainId, block);
      patch({ seen: [chainId, block] });
    },
  };
}
