/** Parses shell quoting: quotes and backslashes, without ever evaluating anything. */

/** A character of a line and its meaning. */
export type Piece = {
  at: number;
  /** The end index; two characters after the start if escaped by a backslash. */
  end: number;
  /** The literal text; empty for a quote. */
  text: string;
  /** Whether it is quoted, escaped, or a quote itself. */
  quoted: boolean;
  /** The quote that is open after it. */
  open: Quote;
};

export type Quote = '' | "'" | '"';

/** Parses a line. Variables and substitutions are ordinary characters. */
export function read(line: string, shell: Shell): Piece[] {
  const pieces: Piece[] = [];
  let open: Quote = '';
  for (let at = 0; at < line.length; ) {
    const character = line.charAt(at);
    const isEscaped = character === '\\' && isEscape(line.charAt(at + 1), open, shell);
    const end = Math.min(at + (isEscaped ? 2 : 1), line.length);
    let text = isEscaped ? line.charAt(at + 1) : character;
    const before: Quote = open;
    if (!isEscaped && open === '' && (character === "'" || character === '"')) open = character;
    else if (!isEscaped && open !== '' && character === open) open = '';
    if (open !== before) text = '';
    pieces.push({ at, end, text, quoted: isEscaped || before !== '' || open !== '', open });
    at = end;
  }
  return pieces;
}

export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** Whether a backslash escapes the next character, which is empty at the end of the line. */
function isEscape(next: string, open: Quote, shell: Shell): boolean {
  if (open === "'") return shell === 'fish' && /^['\\]$/.test(next);
  if (open === '"') return /^["\\$`\n]?$/.test(next);
  return true;
}

/** Quotes a text as a bash word, or as the rest of a word with an open quote. bash expands nothing in it. */
export function forBash(text: string, open: Quote): string {
  // The classes of Unicode take a millisecond to compile, which most texts do not need.
  if (open === '' && /^[\w./,:=@%+-]*$/.test(text)) return text;
  if (open === '') return text.replace(/[^\p{L}\p{M}\p{N}_./,:=@%+-]/gu, '\\$&');
  const inside =
    open === "'"
      ? text.replaceAll("'", `'\\''`)
      : // Inside double quotes, ! cannot be protected from history expansion.
        text.replace(/["\\$`]/g, '\\$&').replaceAll('!', `"'!'"`);
  // bash treats a quote at either end as the opening or closing one and then does not add it itself.
  return `${inside.startsWith(open) ? open : ''}${inside}${inside.endsWith(open) ? open : ''}`;
}

export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

export function isShell(text: string | undefined): text is Shell {
  return (shells as readonly (string | undefined)[]).includes(text);
}
