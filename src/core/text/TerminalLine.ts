/** Fits styled text into the columns of a terminal line. */
import * as TerminalText from './TerminalText.js';

export type Piece = readonly [text: string, style: (text: string) => string];

/** The style that changes nothing. */
export function same(text: string): string {
  return text;
}

/** Joins styled pieces, truncated to `room` columns. */
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

/** The number of columns that the pieces occupy. */
export function columns(pieces: readonly Piece[]): number {
  let sum = 0;
  for (const [text] of pieces) sum += width(text);
  return sum;
}

/** The number of columns that a text occupies. */
export function width(text: string): number {
  return plain.test(text) ? text.length : TerminalText.width(text);
}

/** Characters of one column each. A fast path, since a trace may have a hundred thousand lines. */
const plain = /^[\x20-\x7e│├└↳→…✗]*$/;

/** Truncates a text to `room` columns, ending in an ellipsis if anything was cut. */
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

/** Wraps a text into lines of at most `room` columns, breaking at spaces if possible. */
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
    // A word that is longer than a line is split.
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
