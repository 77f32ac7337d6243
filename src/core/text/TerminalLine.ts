/** One line of a terminal: pieces of text, each with its decoration, that fit into its columns. */
import * as TerminalText from './TerminalText.js';

export type Piece = readonly [text: string, style: (text: string) => string];

/** No decoration. */
export function same(text: string): string {
  return text;
}

/** The pieces, cut where the line ends. */
export function format(pieces: readonly Piece[], room: number): string {
  let left = room;
  let text = '';
  for (const [piece, style] of pieces) {
    if (left <= 0) break;
    const shown = cut(piece, left);
    left -= width(shown);
    text += shown === '' ? '' : style(shown);
  }
  return text;
}

/** Columns that the pieces take. */
export function columns(pieces: readonly Piece[]): number {
  let sum = 0;
  for (const [text] of pieces) sum += width(text);
  return sum;
}

/** Columns that a text takes. */
export function width(text: string): number {
  return plain.test(text) ? text.length : TerminalText.width(text);
}

/** What takes one column a character, tested fast: there may be a hundred thousand lines. */
const plain = /^[\x20-\x7e│├└↳→…✗]*$/;

/** A text of at most so many columns, with an ellipsis where something is missing. */
export function cut(text: string, room: number): string {
  if (width(text) <= room) return text;
  if (plain.test(text)) return `${text.slice(0, Math.max(0, room - 1))}…`;
  let kept = '';
  for (const character of text) {
    // Not character by character: a selector makes the emoji before it wide.
    if (width(kept + character) > room - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A text in lines of at most so many columns, broken at spaces where there are any. */
export function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (width(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    // A word that no line holds is broken.
    for (const character of word) {
      if (width(line + character) > room) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return [...lines, line];
}
