/** Files that the user names on the command line, as commands see them; `io/files` reads and writes them. */

import type { Code } from '../base/Errors.js';
import type { Raw } from '../batch/BatchLine.js';
import type * as BatchResult from '../batch/BatchResult.js';

/** Files that the user names on the command line; `-` is stdin. */
export type Files = {
  /** @throws quote.unreadable, or the code of what is wanted · usage.missing where nothing is piped */
  read(path: string, wanted?: Wanted): Promise<string>;
  /** JSON or YAML, as a plain value: nothing in it is executed or included. @throws the code of what is wanted */
  readDocument(path: string, wanted: Wanted): Promise<unknown>;
  /** The lines that are not empty, as they are read. @throws the code of what is wanted · usage.missing */
  lines(path: string, wanted: Wanted): AsyncGenerator<Raw, void>;
  /** Written whole or not at all. @throws config.unwritable */
  write(path: string, text: string): Promise<void>;
  /** The like where there is nothing yet: else nothing is written. The path comes back whole. @throws config.unwritable */
  create(path: string, text: string): Promise<{ path: string; isNew: boolean }>;
};

/** What a file should be: a `trace`, say, of at most so many bytes. The hints and the code are for the errors. */
export type Wanted = { what: string; maxBytes: number; code: Code; hints: { missing: string; notPiped: string } };

/** The results of a batch as they are kept. Every method throws `config.unwritable`. */
export type Ledger = {
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
