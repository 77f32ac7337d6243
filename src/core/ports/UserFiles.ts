/** Files that the user names on the command line, as commands see them; `io/files` reads and writes them. */

import type { Code } from '../base/Errors.js';

/** Files that the user names on the command line; `-` is stdin. */
export type Files = {
  /** @throws quote.unreadable, or the code of what is wanted · usage.missing where nothing is piped */
  read(path: string, wanted?: Wanted): Promise<string>;
  /** JSON or YAML, as a plain value: nothing in it is executed or included. @throws the code of what is wanted */
  readDocument(path: string, wanted: Wanted): Promise<unknown>;
  /** The lines that are not empty, as they are read. @throws the code of what is wanted · usage.missing */
  lines(path: string, wanted: Wanted): AsyncGenerator<TextLine, void>;
  /** Written whole or not at all. @throws config.unwritable */
  write(path: string, text: string): Promise<void>;
  /** The like where there is nothing yet: else nothing is written. The path comes back whole. @throws config.unwritable */
  create(path: string, text: string): Promise<{ path: string; isNew: boolean }>;
};

/** What a file should be: a `trace`, say, of at most so many bytes. The hints and the code are for the errors. */
export type Wanted = { what: string; maxBytes: number; code: Code; hints: { missing: string; notPiped: string } };

/** A line as text. */
export type TextLine = { number: number; text: string };
