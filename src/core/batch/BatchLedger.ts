/** Where the results of a batch are kept. `io/state/ledgerFile` implements it. */
import type * as BatchResult from './BatchResult.js';

/** Every method throws `config.unwritable`. */
export type BatchLedger = {
  /** Absolute. */
  path: string;
  /** Whether its last line was torn off while it was written, and was taken away. */
  isTorn: boolean;
  /** What was in it, by id. */
  entries: ReadonlyMap<string, BatchResult.Entry>;
  /** Adds a line, whole or not at all. */
  append(line: string): void;
  /** Makes what was added outlive a crash of the machine. */
  sync(): void;
  /** Lets others have it. */
  close(): void;
};
