/** A command line received from a shell: the words before the cursor, the current word, and how to insert into it. */

import type { Shell } from './ShellQuoting.js';
import * as ShellQuoting from './ShellQuoting.js';

export type Line = {
  /** The unquoted words after the program name. */
  words: readonly string[];
  typed: string;
  /** A candidate in the form that the shell inserts; undefined if it does not continue the current word. */
  write(candidate: string): string | undefined;
};

/** From the words that zsh and fish pass, the last one at the cursor. These shells quote what they insert. */
export function fromWords(raw: readonly string[], shell: Shell): Line {
  const read = raw.map((word) => ShellQuoting.textOf(ShellQuoting.read(word, shell)));
  // fish includes variable assignments before the command.
  const start = read.findIndex((word) => !/^\w+=/.test(word));
  return {
    words: read.slice(start + 1, -1),
    typed: read.at(-1) ?? '',
    write: (candidate) => candidate,
  };
}

/**
 * From bash's line up to the cursor. bash replaces only the text after the last break character or open quote, and
 * inserts candidates verbatim, so they are cut at that point and quoted here.
 */
export function fromBash(line: string, breaks: string): Line {
  const words = split(ShellQuoting.read(line, 'bash'));
  const last = words.at(-1) ?? [];
  const open = last.at(-1)?.open ?? '';
  const kept = ShellQuoting.textOf(last.slice(0, startOf(last, breaks)));
  const [, ...texts] = words.map(ShellQuoting.textOf);
  return {
    words: texts.slice(0, -1),
    typed: texts.at(-1) ?? '',
    write: (candidate) =>
      candidate.startsWith(kept) ? ShellQuoting.forBash(candidate.slice(kept.length), open) : undefined,
  };
}

/** Splits into words; the last one is empty after a space. */
function split(pieces: readonly ShellQuoting.Piece[]): ShellQuoting.Piece[][] {
  const words: ShellQuoting.Piece[][] = [[]];
  for (const piece of pieces) {
    const last = words.at(-1) ?? [];
    if (piece.quoted || !/^\s$/.test(piece.text)) last.push(piece);
    else if (last.length > 0) words.push([]);
  }
  return words;
}

/** The number of pieces of a word that bash keeps: up to the open quote, else to the last break character. */
function startOf(word: readonly ShellQuoting.Piece[], breaks: string): number {
  const isOpen = (word.at(-1)?.open ?? '') !== '';
  return (
    word.findLastIndex(({ text, quoted, open }, index) =>
      isOpen ? open !== '' && (word[index - 1]?.open ?? '') === '' : !quoted && breaks.includes(text),
    ) + 1
  );
}
