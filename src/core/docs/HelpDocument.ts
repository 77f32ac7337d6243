/** A text for readers as a value: the same for a terminal, a manual page and a page of Markdown. */

export type Block =
  /** A paragraph. */
  | { text: string }
  /** Terms with what they mean. */
  | { terms: readonly (readonly [term: string, meaning: string])[] }
  /** Lines to be read as they are: commands, JSON. */
  | { lines: readonly string[] };

export type Section = {
  title: string;
  blocks: readonly Block[];
};

export type Document = readonly Section[];
