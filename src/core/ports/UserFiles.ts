/** The port to files that the user names on the command line. `io/files` implements it. */

import type { Code } from '../base/Errors.js';

/** Reads and writes files; the path `-` is stdin. */
export type UserFiles = {
  /** Reads a text file. @throws the code of `wanted` · usage.missing if stdin is not piped */
  read(path: string, wanted: Expected): Promise<string>;
  /** Reads JSON or YAML as plain data; nothing in it is executed or included. @throws the code of `wanted` */
  readDocument(path: string, wanted: Expected): Promise<unknown>;
  /** Streams the non-empty lines. @throws the code of `wanted` · usage.missing */
  lines(path: string, wanted: Expected): AsyncGenerator<TextLine, void>;
  /**
   * Gives access to lines that can be read more than once, and are the same each time: a private copy is made first, which
   * waits for the end of standard input or a pipe.
   *
   * @throws the code of `wanted` · usage.missing · config.unwritable · the signal's reason
   */
  reread(path: string, wanted: Expected): Promise<Rereadable>;
  /** Whether there is a file, by its path or that of a link to it. */
  exists(path: string): Promise<boolean>;
  /** Writes a file atomically. @throws config.unwritable */
  write(path: string, text: string): Promise<void>;
  /** The same for texts that are not held in memory together. @throws config.unwritable · what the texts throw */
  writeLines(path: string, texts: AsyncIterable<string>): Promise<void>;
  /** Creates a file unless it exists; resolves to its absolute path. @throws config.unwritable */
  create(path: string, text: string): Promise<{ path: string; isNew: boolean }>;
};

/** The expected kind of file, such as a `trace`, and its maximum size. The hints and the code are for errors. */
export type Expected = { what: string; maxBytes: number; code: Code; hints: { missing: string; notPiped: string } };

/** Lines that can be read more than once. */
export type Rereadable = {
  /** @throws the code of `wanted` */
  lines(): AsyncGenerator<TextLine, void>;
  close(): void;
};

/** A line with its number. */
export type TextLine = { number: number; text: string };
