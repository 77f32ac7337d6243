/**
 * The venue's sequencer: accepts transfers and executes each after a delay, in nonce order per key. An accepted
 * transfer can still fail: for lack of balance, on expiry, or by a fault.
 */
import type { Faults, Subject } from '../http/faults.js';
import { StateFileError } from '../storage/frameLog.js';
import { readTransfer, recoverOwner, validate } from './admission.js';
import type { Hash, Transfer } from './books.js';
import { type Books, type Entry, isSignedWith, type KeyId } from './books.js';
import { treasuryIndex } from './venueAccounts.js';

export type SequencerOptions = {
  /** Returns Unix time in milliseconds. */
  clock: () => number;
  books: Books;
  faults: Faults;
  /** Time from acceptance to execution. */
  delayMs: number;
};

export type Sequencer = ReturnType<typeof createSequencer>;

export function createSequencer({ clock, books, faults, delayMs }: SequencerOptions) {
  const listeners = new Set<(transfer: Transfer) => void>();
  const timers = new Map<Hash, NodeJS.Timeout>();
  /** Transactions struck by a fault, with the fault that holds each, if any. */
  const struck = new Map<Hash, string | undefined>();
  let lastAcceptedMs = 0;
  let isStopped = false;

  const { pending } = books;

  function isHeld({ hash }: Entry): boolean {
    const fault = struck.get(hash);
    return fault !== undefined && faults.isActive(fault);
  }

  function schedule(hash: Hash, ms: number): void {
    if (isStopped || timers.has(hash)) return;
    const timer = setTimeout(() => {
      timers.delete(hash);
      try {
        execute(hash);
      } catch (error) {
        // The log says so itself, and the sandbox ends.
        if (!(error instanceof StateFileError)) throw error;
      }
    }, ms);
    timers.set(hash, timer);
  }

  /** Executes a due transaction, unless a fault holds it or an earlier one of the same key is pending. */
  function execute(hash: Hash): void {
    const entry = books.entry(hash);
    if (isStopped || entry?.status !== 'pending' || isHeld(entry)) return;
    if (pending().find((other) => isSignedWith(other, keyOf(entry)))?.hash !== hash) return;
    const fault = struck.has(hash) ? undefined : faults.strikeSequencer(subjectOf(entry));
    if (fault) struck.set(hash, fault.does === 'stuck' ? fault.id : undefined);
    if (fault?.does === 'delay') schedule(hash, fault.delayMs ?? 0);
    if (fault && fault.does !== 'fail') return;
    settle(entry, fault ? (fault.failReason ?? 'AppErrInternal') : reasonToFail(entry, books, clock()));
    const next = pending().find((other) => isSignedWith(other, keyOf(entry)));
    if (next && !timers.has(next.hash)) execute(next.hash);
  }

  function settle(entry: Entry, failReason: string | undefined): void {
    // Balances, nonce and status are written together.
    const settled = books.together(() => settledBy(entry, failReason, books, clock()));
    for (const listener of listeners) listener(settled);
  }

  return {
    /** Accepts a transaction and returns its scheduled execution time. @throws VenueRefusalError */
    async accept(text: string): Promise<{ hash: Hash; dueMs: number }> {
      const tx = readTransfer(text);
      const owner = await recoverOwner(tx);
      // No await from here on: two transactions with the same nonce must not both pass.
      const { hash } = books.add(validate({ tx, text, owner }, books, clock()));
      lastAcceptedMs = clock();
      schedule(hash, delayMs);
      return { hash, dueMs: lastAcceptedMs + delayMs };
    },
    /** Schedules pending transactions, after a start or after faults were cleared. */
    resume(): void {
      for (const { hash } of pending()) schedule(hash, delayMs);
    },
    /** Calls the listener with transfers that have been executed or have failed; returns what ends that. */
    onSettled(listener: (transfer: Transfer) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Unix time in milliseconds of the last acceptance; 0 before the first. */
    lastAcceptedMs: () => lastAcceptedMs,
    /** Whether transactions await execution. */
    isBusy: () => pending().some((entry) => !isHeld(entry)),
    stop(): void {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Failures that do not consume the nonce. */
const expired = 'AppErrTxExpired';
const wrongNonce = 'AppErrInvalidNonce';

function settledBy(entry: Entry, failReason: string | undefined, books: Books, executedAtMs: number): Entry {
  // Expired transactions and those with a wrong nonce do not consume a nonce.
  if (failReason !== expired && failReason !== wrongNonce) books.incrementNonce(keyOf(entry));
  if (failReason !== undefined)
    return books.update(entry.hash, { status: 'failed', failReason, executedAtMs, usdcFee: 0n, activationFee: 0n });
  const { from, to, amount, usdcFee } = entry;
  // Another transfer may have activated the account in the meantime.
  const activationFee = books.account(to)?.isActive ? 0n : entry.activationFee;
  books.adjustBalance(from, -amount - usdcFee - activationFee);
  books.adjustBalance(to, amount);
  books.adjustBalance(treasuryIndex, usdcFee + activationFee);
  return books.update(entry.hash, { status: 'executed', executedAtMs, activationFee });
}

/** Checks everything that can have changed since acceptance. */
function reasonToFail(entry: Entry, books: Books, nowMs: number): string | undefined {
  if (entry.expiredAtMs <= nowMs) return expired;
  if (books.apiKey(entry.from, entry.apiKeyIndex)?.nonce !== entry.nonce) return wrongNonce;
  const usdc = books.account(entry.from)?.usdc ?? 0n;
  return usdc < entry.amount + entry.usdcFee + entry.activationFee ? 'AppErrNotEnoughCollateral' : undefined;
}

function keyOf({ from, apiKeyIndex }: Entry): KeyId {
  return { accountIndex: from, apiKeyIndex };
}

/** Faults match a transfer by its sender's account index or by the request id in its memo. */
function subjectOf({ from, memo }: Entry): Subject {
  return { user: String(from), requestId: memo };
}
