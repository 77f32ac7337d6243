/** A command line as a shell hands it over: the words before the cursor, the word at it, and how to write into it. */

import type { Shell } from './Shell.js';
import * as ShellQuoting from './ShellQuoting.js';

export type Line = {
  /** What was typed after the name of the program, without quotes. */
  words: readonly string[];
  /** The word at the cursor as far as the cursor. */
  typed: string;
  /** A candidate in the form in which the shell puts it into the line; undefined where it cannot go on from there. */
  write(candidate: string): string | undefined;
};

/** The words as zsh and fish know them, the last one that at the cursor. They quote what they insert themselves. */
export function fromWords(raw: readonly string[], shell: Shell): Line {
  const read = raw.map((word) => ShellQuoting.textOf(ShellQuoting.read(word, shell)));
  // fish counts the variables before a command to it.
  const start = read.findIndex((word) => !/^\w+=/.test(word));
  return {
    words: read.slice(start + 1, -1),
    typed: read.at(-1) ?? '',
    write: (candidate) => candidate,
  };
}

/**
 * The line of bash up to the cursor. bash replaces only what follows the last of its break characters, or the quote that
 * is open, and inserts what it is given as it is: so a candidate is cut there and quoted here.
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

/** The words; the last one is empty after a blank. */
function split(pieces: readonly ShellQuoting.Piece[]): ShellQuoting.Piece[][] {
  const words: ShellQuoting.Piece[][] = [[]];
  for (const piece of pieces) {
    const last = words.at(-1) ?? [];
    if (piece.quoted || !/^\s$/.test(piece.text)) last.push(piece);
    else if (last.length > 0) words.push([]);
  }
  return words;
}

/** How many pieces of a word bash leaves alone: up to the quote that is open, else to the last break character. */
function startOf(word: readonly ShellQuoting.Piece[], breaks: string): number {
  const isOpen = (word.at(-1)?.open ?? '') !== '';
  return (
    word.findLastIndex(({ text, quoted, open }, index) =>
      isOpen ? open !== '' && (word[index - 1]?.open ?? '') === '' : !quoted && breaks.includes(text),
    ) + 1
  );
}
