/** Escapes untrusted text for a terminal, and measures and aligns text in columns. */
import { eastAsianWidth } from 'get-east-asian-width';
import * as UnsafeCharacters from './UnsafeCharacters.js';

/** Text from elsewhere, made safe. */
// biome-ignore lint/suspicious/noShadowRestrictedNames: the global of that name is deprecated and not used here
export const escape = UnsafeCharacters.escape;

/**
 * A finished text for a stream, with every control and bidi character made visible but line breaks, tabs and, if the
 * stream is styled, the sequences of ferry's own style. The last line of defence: a text from elsewhere that was not
 * escaped where it was put in can neither move the cursor nor ask the terminal for anything.
 */
export function printable(text: string, isStyled: boolean): string {
  return text.replace(isStyled ? styledOrUnsafe : unsafe, (found) =>
    found.length > 1 ? found : UnsafeCharacters.visible(found),
  );
}

/** Control characters but tab and line feed, and those that reorder text. */
const controls = '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]';
const unsafe = new RegExp(controls, 'g');
const styledOrUnsafe = new RegExp(
  `\\u001b\\[(?:[12]|22|3[1236]|39)m|\\u001b\\]8;;(?:https?:[!-~]*)?\\u0007|${controls}`,
  'g',
);

/** Strips color and hyperlink escape sequences. */
export function bare(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  return text.replace(/\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-9;]*m/g, '');
}

/**
 * The number of columns a text occupies by Unicode's East Asian Width: two for an emoji of several characters, none for a
 * combining mark. Not by string-width, which agrees but takes 25 ms to load.
 */
export function width(text: string): number {
  if (plain.test(text)) return text.length;
  let sum = 0;
  for (const character of bare(text).replace(emoji, '日').replace(invisible, ''))
    sum += eastAsianWidth(character.codePointAt(0) ?? 0);
  return sum;
}

/** Latin letters, and the punctuation, arrows and lines that ferry prints: a column each. */
export const plain = /^[ -~\xae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u259f✓✗]*$/;

/** A flag, or an emoji with a skin tone, a variation selector, a keycap, tags or another emoji joined to it. */
const emoji =
  /\p{RI}{2}|(?:\p{Emoji}(?:\p{EMod}|\ufe0f\u20e3?|\u20e3|[\u{e0020}-\u{e007f}]+)|\p{ExtPict}(?=\u200d))(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)?)*/gu;

/** Marks above, below and around a letter, format characters, and the later letters of a Korean syllable. */
const invisible = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/gu;

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - width(text))) + text;
}

/**
 * Formats rows as aligned columns, two spaces apart.
 *
 * @param right indices of the columns to right-align
 * @param most cells wider than this do not widen their column; only their own row shifts
 */
export function columns(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
  most = Number.POSITIVE_INFINITY,
): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      const wide = width(cell);
      if (wide <= most) widths[i] = Math.max(widths[i] ?? 0, wide);
    });
  return rows
    .map((row) =>
      row
        .map((cell, i) => (right.includes(i) ? padStart(cell, widths[i] ?? 0) : padEnd(cell, widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Formats a duration in words, by default rounded up: `1 second`, `90 seconds`, `3 minutes`, `12 days`. */
export function span(seconds: number, round = Math.ceil): string {
  const [unit, size] = units.find(([, each]) => seconds >= 2 * each) ?? (['second', 1] as const);
  return count(round(seconds / size), unit);
}

/** A decimal with commas between its thousands: `1,234,567.89`, `-$12,000.00`. What stands before its digits stays. */
export function grouped(text: string): string {
  return text.replace(/^([^\d]*)(\d+)/, (_, before: string, whole: string) => {
    return `${before}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}`;
  });
}

/** At most three names, and the number of the others. */
export function listed(names: readonly string[]): string {
  const more = names.length - 3;
  return more > 0 ? `${names.slice(0, 3).join(', ')} and ${more} more` : names.join(', ');
}

/** At most eight names, and whether there are others: what fits into a question or a fact. */
export function few(names: readonly string[]): string {
  return names.length > 8 ? `${names.slice(0, 8).join(', ')}, …` : names.join(', ');
}

/** `1 run`, `2 runs`. */
export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

/** A finished text, each of its lines that is not empty two columns further in. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

/** The note of a command that has written a file; none if that was stdout. */
export function savedIn(path: string | undefined): string | undefined {
  return path === undefined || path === '-' ? undefined : `Saved in ${escape(path)}.`;
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text as it goes on after a colon. What begins with an abbreviation, such as JSON, stays. */
export function lowerFirst(text: string): string {
  return /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

/** Text from elsewhere on one line, shortened and escaped. */
export function brief(text: string, length = 200): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return escape(flat.length > length ? `${flat.slice(0, length)}…` : flat);
}
