/** Fits styled text into the columns of a terminal line. */
import * as TerminalText from './TerminalText.js';
import { width } from './TerminalText.js';

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

export function columns(pieces: readonly Piece[]): number {
  let sum = 0;
  for (const [text] of pieces) sum += width(text);
  return sum;
}

/** Truncates a text to `room` columns, ending in an ellipsis if anything was cut. */
export function cut(text: string, room: number): string {
  if (width(text) <= room) return text;
  if (TerminalText.plain.test(text)) return `${text.slice(0, Math.max(0, room - 1))}…`;
  let kept = '';
  for (const character of text) {
    // Not character by character: a selector makes the emoji before it wide.
    if (width(kept + character) > room - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/**
 * Breaks a text into lines of at most `room` columns at its spaces. A word that is longer than that stays whole, on a
 * line of its own: an address or a hash that is broken cannot be copied.
 */
export function fold(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || width(longer) > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/**
 * Breaks the lines of a finished text that are wider than the terminal, at their spaces; what follows is indented. A
 * line that is a command to type stays whole: in parts it would not be the command.
 */
export function fit(text: string, room: number): string {
  return text
    .split('\n')
    .flatMap((line) => (width(line) <= room || isCommand(line) ? [line] : broken(line, room)))
    .join('\n');
}

/** A sentence may begin like a command without a label: "ferry does not know it." */
function isCommand(line: string): boolean {
  const text = TerminalText.bare(line);
  const [found, label] = /^\s*(next: |\$ )?(?:(?:npx|pnpm|yarn|bunx) )?ferry [a-z]/.exec(text) ?? [];
  return found !== undefined && (label !== undefined || !/[.?!](?= |$)/.test(text));
}

function broken(line: string, room: number): string[] {
  const [lead = ''] = /^ */.exec(line) ?? [];
  const indent = ' '.repeat(Math.min(lead.length + 2, Math.floor(room / 2)));
  const lines: string[] = [];
  let last = lead;
  let isBegun = false;
  for (const [, gap = '', word = ''] of line.slice(lead.length).matchAll(/( *)([^ ]+)/g)) {
    if (isBegun && width(last + gap + word) > room) {
      lines.push(last);
      // A word that has no room beside the indent may have it without.
      last = width(indent + word) > room ? word : indent + word;
    } else last += gap + word;
    isBegun = true;
  }
  return [...lines, last];
}

/**
 * A text behind a label, its further lines below its first. If one of its words has no room there, it begins on the
 * next line instead.
 *
 * @param at.indent the columns up to the text
 */
export function hang(
  label: string,
  text: string,
  { columns: all, indent }: { columns: number; indent: number },
): string[] {
  const room = all - indent;
  const under = TerminalText.width(label) - TerminalText.width(TerminalText.bare(label).trimStart()) + 2;
  if (text.split(' ').some((word) => width(word) > room))
    return [label, ...fold(text, all - under).map((line) => ' '.repeat(under) + line)];
  const [first = '', ...more] = fold(text, room);
  return [`${TerminalText.padEnd(label, indent)}${first}`.trimEnd(), ...more.map((line) => ' '.repeat(indent) + line)];
}
