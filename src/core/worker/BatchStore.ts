/** The port to the batches that many machines share, and to the lines that a worker carries out; `io/postgres` keeps them. */

import type { BaseError } from '../base/Errors.js';
import type { Hex } from '../base/Hex.js';
import type { BatchLineEnd } from '../tracking/BatchLineRef.js';
import type { Acceptance, Header, Leaf } from './BatchSeal.js';

/** `paused`: nothing new is begun; what is signed is finished. */
export type BatchState = 'ready' | 'paused' | 'cancelled';

/**
 * `waiting`: nobody has begun it. `running`: a worker carries it, or one has that is gone. `stuck`: it was signed and has
 * not ended, or its run could not be opened; it is looked at again. `refused`: a person decides. The others are over.
 */
export type LineState = 'waiting' | 'running' | 'stuck' | 'refused' | 'done' | 'failed' | 'cancelled';

/** A batch as it was submitted. Times in Unix milliseconds. */
export type Batch = Header & {
  submitter: string;
  signature: Hex;
  state: BatchState;
  priority: number;
  submittedAt: number;
};

/** A line as it is submitted; `doc` is its transfer as JSON. */
export type SubmittedLine = Leaf & { doc: string };

export type HeldLine = SubmittedLine & {
  batch: string;
  state: LineState;
  attempts: number;
  /** What was decided of its lost runs; nothing until its signature is checked. */
  accepted: Acceptance | null;
};

/** A line that waits for a decision. */
export type RefusedLine = SubmittedLine & { run: string | null; accepted: Acceptance | null } & Reason;

/** Why a line is not done, and what to type. */
export type Reason = { code: string; message: string; next: string | null };

/** A result as it is read; `seq` counts the results of the batch from 1, without gaps. */
export type ResultRow = { seq: number; id: string; doc: string };

export type AccountRow = {
  account: string;
  states: Readonly<Partial<Record<LineState, number>>>;
  oldestMs: number | null;
};

/** What is known of a worker: for people alone, no decision rests on it. */
export type WorkerRow = {
  id: string;
  host: string;
  version: string;
  accounts: readonly string[];
  isDraining: boolean;
  startedAt: number;
  seenAt: number;
  /** The batches that it does not take, and why. */
  refuses: Readonly<Record<string, string>>;
};

export type StuckLine = { batch: string; id: string; account: string; state: LineState; run: string | null } & Reason;

export type BatchStatus = {
  batch: Batch;
  states: Readonly<Partial<Record<LineState, number>>>;
  /** Results by where the money is. */
  funds: Readonly<Record<string, number>>;
  accounts: readonly AccountRow[];
  stuck: readonly StuckLine[];
  /** The code of each kind of failure. */
  codes: readonly string[];
};

/** This process, as others see it. */
export type Me = { id: string; host: string };

export type Batches = {
  me: Me;
  /** The id of the store. @throws store.refused if this machine knows another one at its address */
  store(): Promise<string>;
  /**
   * Writes a batch and its lines, all or none. `same` if a batch of that name with that digest is there.
   *
   * @throws batch.taken for another digest
   */
  submit(
    batch: Omit<Batch, 'submittedAt'>,
    blocks: readonly Hex[],
    lines: AsyncIterable<SubmittedLine>,
  ): Promise<'new' | 'same'>;
  list(): Promise<readonly (Batch & { states: BatchStatus['states'] })[]>;
  /** @throws batch.unknown */
  find(name: string): Promise<{ batch: Batch; blocks: readonly Hex[] }>;
  /** @throws batch.unknown */
  status(name: string): Promise<BatchStatus>;
  /** Results after `since`, in the order in which they were written. */
  results(name: string, options: { isFailed: boolean; since: number }): AsyncIterable<ResultRow>;
  /** @throws batch.unknown · batch.cancelled */
  setState(name: string, state: 'ready' | 'paused'): Promise<void>;
  /** Ends every line that nobody has begun; resolves to their number, and to what stays refused. */
  cancel(name: string): Promise<Changed>;
  /** Lets lines wait again that failed with funds untouched, or were refused and are not paid. */
  retry(name: string): Promise<Changed>;
  /** A line that stays refused until somebody decides. @throws batch.unknown */
  refused(name: string, id: string): Promise<RefusedLine>;
  /** Ends one, wherever its money is. @throws batch.unknown */
  cancelRefused(name: string, id: string): Promise<void>;
  /** Lets one wait again. @throws batch.unknown · batch.cancelled */
  retryRefused(name: string, id: string, accepted: Acceptance | null): Promise<void>;
  /** Holds every line of an account at a place that is not over, and may be paid. Resolves to them, as `batch/id`. */
  holdLines(account: string, place: Deployment, reason: Reason): Promise<readonly string[]>;
  /** Lets all lines wait again that are held; resolves to their number. @throws batch.unknown · batch.cancelled */
  releaseHeld(name: string): Promise<number>;
  workers(): Promise<readonly WorkerRow[]>;
  /** Says that a worker lives, or removes it. */
  beat(worker: Omit<WorkerRow, 'id' | 'host' | 'startedAt' | 'seenAt'>): Promise<void>;
  leave(): Promise<void>;
  /** The accounts among these that have something to do here: those with a line that was begun first, then as given. */
  payable(accounts: readonly string[], place: Deployment, except: readonly string[]): Promise<readonly string[]>;
  /** Takes an account for this worker alone, as long as its session lives; undefined if another has it. */
  hold(account: string): Promise<AccountTurn | undefined>;
  /** What is under way now, over all batches. */
  totals(): Promise<Totals>;
};

/** How many lines were changed, and the first of those that stay refused, since they may be paid. */
export type Changed = { lines: number; refused: readonly StuckLine[] };

export type Totals = {
  lines: readonly { batch: string; state: LineState; count: number }[];
  /** How long the oldest line that has begun has been under way. */
  oldestMs: number;
  stuck: readonly StuckLine[];
};

export type Deployment = { network: string; instance: string | null };

/** An account that this worker holds. */
export type AccountTurn = {
  /** The next line to carry: one that was begun, else one of a batch that is ready. */
  claim(place: Deployment, except: readonly string[]): Promise<HeldLine | undefined>;
  /** The lines of a block with their ids and digests, to check one against the signature. */
  block(batch: string, number: number): Promise<readonly Leaf[]>;
  /**
   * The runs of a line, the last one that was begun first, whatever the clocks of machines say: those that the tables
   * name, and those whose sealed journals do.
   */
  runsOf(line: HeldLine): Promise<readonly string[]>;
  /** Whether the account has paid a line of a batch. */
  hasPaid(batch: string): Promise<boolean>;
  /** Writes the result of a line, once, and that it is over. */
  end(end: BatchLineEnd): Promise<void>;
  /** Leaves a line for later, or for a person. */
  leave(line: HeldLine, to: Left): Promise<void>;
  release(): void;
};

export type Left = {
  state: 'waiting' | 'stuck' | 'refused';
  run: string | null;
  reason: Reason;
  waitMs: number;
  /** Whether nothing was attempted, so that the claim does not count as an attempt. */
  isHeldBack: boolean;
};

/**
 * What this machine has begun, kept on its own disk: a store that has lost its tail, or in which somebody has deleted runs,
 * cannot make it begin a line twice.
 */
export type LineWitness = {
  /** The runs that this machine has made for a line, or has taken over once they had signed. */
  runsOf(batch: Hex, n: number): readonly string[];
  /** Notes a run before it signs. Durable when it returns. */
  note(batch: Hex, line: { n: number; account: string }, run: string): void;
  /** Notes how many signatures a run has, before what they sign leaves. Durable when it returns. */
  noteSigned(batch: Hex, line: { n: number; account: string }, run: string, signatures: number): void;
  /** The most signatures that were noted of a run. */
  signedIn(batch: Hex, run: string): number;
  /** Whether this machine has begun a line of a batch for an account. */
  hasBegun(batch: Hex, account: string): boolean;
  /** What the lines that were begun today pay of a token, in base units by its decimals, without the line itself. */
  spent(symbol: string, decimals: number, of: { batch: Hex; n: number }): bigint;
  /** Counts what a line pays, once: whether it was not counted yet. Workers beside this one see it when it returns. */
  spend(symbol: string, decimals: number, amount: bigint, of: { batch: Hex; n: number }): boolean;
  /** Takes back what was counted of a line that is not paid today. */
  unspend(of: { batch: Hex; n: number }): void;
};

export function reasonOf({ code, message, next }: Pick<BaseError, 'code' | 'message' | 'next'>): Reason {
  return { code, message, next: next ?? null };
}

/** What the runs of a batch name as their ledger. */
export function ledgerOf(batch: string): string {
  return `${sharedLedger}${batch}`;
}

/** The batch that runs name as their ledger; undefined for a ledger in a file. */
export function batchOf(ledger: string): string | undefined {
  return ledger.startsWith(sharedLedger) ? ledger.slice(sharedLedger.length) : undefined;
}

/** No absolute path begins like this. */
const sharedLedger = 'batch:';
