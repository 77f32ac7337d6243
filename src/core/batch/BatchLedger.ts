/** The port to the ledger that stores the results of a batch. `io/state/ledgerFile` implements it. */
import type * as BatchResult from './BatchResult.js';

/** The results of a batch, one line each. Every method throws `config.unwritable`. */
export type BatchLedger = {
  /** The absolute path. */
  path: string;
  /** Whether the last line was incomplete after a crash and has been removed. */
  isTorn: boolean;
  /** The entries found in it, by id. */
  entries: ReadonlyMap<string, BatchResult.Entry>;
  /** Appends a line atomically. */
  append(line: string): void;
  /** Flushes appended lines to disk, so they survive a crash of the machine. */
  sync(): void;
  /** Releases the ledger. */
  close(): void;
};
