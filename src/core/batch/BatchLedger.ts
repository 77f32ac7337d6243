/** The port to the ledger that stores the results of a batch. `io/state/ledgerFile` implements it. */

import type { Code } from '../base/Errors.js';

/** The results of a batch, one line each. Every method throws `config.unwritable`. */
export type BatchLedger = {
  /** The absolute path. */
  path: string;
  /** Whether the last line was incomplete after a crash and has been removed. */
  isTorn: boolean;
  /** The results found in it, and the code of the worst failure among them. */
  before: { succeeded: number; failed: number; worst: Code | null };
  /** The runs of the first and the last of them that have one: a copy has those that were made for the original. */
  runs: readonly string[];
  /**
   * Whether it has a result of the line: of this transfer, of another one under the same id, of another one that failed with
   * funds untouched, or none.
   */
  find(line: { id: string; digest: string }): 'same' | 'other' | 'other-untouched' | undefined;
  /** Appends a line atomically. */
  append(line: string): void;
  /**
   * Flushes appended lines to disk, so they survive a crash of the machine.
   *
   * @throws batch.ledger if the file is not the one that they were appended to
   */
  sync(): void;
  close(): void;
};
