/** A document as a value, rendered for a terminal, a man page or Markdown. */

export type Block =
  /** A paragraph. */
  | string
  /** A definition list. */
  | { terms: readonly (readonly [term: string, meaning: string])[] }
  /** Preformatted lines: commands, JSON. */
  | { lines: readonly string[] };

export type Section = readonly [title: string, ...Block[]];

export type Document = readonly Section[];
