/** The port to the runs on this machine; `io/state` stores their journals. */

import type { BaseError } from '../base/Errors.js';
import type { BatchLineRef } from './BatchLineRef.js';
import type * as Journal from './Journal.js';
import type { JournalWriter as JournalPort } from './Journal.js';
import type * as JournalCodec from './JournalCodec.js';

/** The journals of the runs on this machine. */
export type Runs = {
  folder: string;
  /** Creates a run and locks it. @throws config.unwritable · run.unfinished if the same transfer is unfinished */
  create(intent: Intent, options: { again: boolean }): Promise<Run>;
  /** Opens a run and locks it. @throws run.unknown · run.ambiguous · run.busy · run.unreadable · run.version */
  open(name: string): Promise<Run>;
  /** Reads a run, by its id or last characters. @throws run.unknown · run.ambiguous · run.unreadable · run.version */
  show(name: string): Promise<RunRecord>;
  /** The latest runs, newest first. */
  list(limit: number): Promise<RunRecord[]>;
  /** All runs that signed something and have not ended, newest first. */
  unfinished(): Promise<RunRecord[]>;
  /** The runs of each wanted line of a ledger at a place, newest first, by the line's id. */
  ofLedger(
    ledger: string,
    place: Pick<Intent, 'network' | 'instance'>,
    isWanted: (line: { id: string; digest: string }) => boolean,
  ): Promise<ReadonlyMap<string, readonly LineRun[]>>;
  /** The runs of batch lines at a place that are unfinished or not known to be in their ledger, newest first. */
  unrecordedLines(place: Pick<Intent, 'network' | 'instance'>): Promise<LineRun[]>;
  /** Notes that the result of a batch line's run is in its ledger. */
  recorded(run: string): Promise<void>;
  /**
   * Deletes runs that ended before a time in Unix milliseconds, but none of the newest `keep`, and none of a line that may
   * not be in its ledger. Resolves to their ids.
   */
  prune(policy: { beforeMs: number; keep: number }): Promise<string[]>;
};

/** The run of a batch line, and the line. */
export type LineRun = { run: string; line: BatchLineRef };

/** The opening entry of a run. */
export type Intent = Omit<Extract<Journal.Entry, { type: 'intent' }>, 'type' | 'run'>;

/** A run locked by this process. Appending an entry that only records a result never throws: it warns, once. */
export type Run = JournalPort & {
  id: string;
  /** Whether its whole journal is sealed by this user. Only such a run is continued without asking. */
  isOwn: boolean;
  state(): Journal.State;
  /** Releases the lock. */
  close(): void;
};

/** A run as read from its journal, without a state if that is unreadable. Times in Unix milliseconds. */
export type RunRecord = {
  id: string;
  updatedAt: number;
  lines: readonly JournalCodec.Line[];
  state: Journal.State | undefined;
  problem: BaseError | undefined;
  /** Whether its whole journal is sealed by this user. */
  isOwn: boolean;
  /** Whether a process holds its lock. */
  isHeld: boolean;
};
