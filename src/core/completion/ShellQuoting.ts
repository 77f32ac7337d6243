/** How shells take words apart: quotes and backslashes, without ever evaluating what stands in them. */
import type { Shell } from './Shell.js';

/** A character of a line, with what became of it. */
export type Piece = {
  /** Where it begins. */
  at: number;
  /** Where it ends: two characters where a backslash stands before it. */
  end: number;
  /** What it says; empty for a quote. */
  text: string;
  /** Whether it stands within quotes or after a backslash, or is a quote itself. */
  quoted: boolean;
  /** The quote that is open after it. */
  open: Quote;
};

export type Quote = '' | "'" | '"';

/** The characters of a line. Variables and substitutions are characters like any other. */
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

/** What pieces say. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** Whether a backslash takes the meaning of the character after it. At the very end of a line it says nothing yet. */
function isEscape(next: string, open: Quote, shell: Shell): boolean {
  if (open === "'") return shell === 'fish' && /^['\\]$/.test(next);
  if (open === '"') return /^["\\$`\n]?$/.test(next);
  return true;
}

/** A text as a bash word, or as the rest of one in which a quote is open. Nothing in it means anything to bash. */
export function forBash(text: string, open: Quote): string {
  if (open === '') return text.replace(/[^\p{L}\p{M}\p{N}_./,:=@%+-]/gu, '\\$&');
  const inside =
    open === "'"
      ? text.replaceAll("'", `'\\''`)
      : // Within double quotes nothing keeps ! from meaning the history.
        text.replace(/["\\$`]/g, '\\$&').replaceAll('!', `"'!'"`);
  // bash takes a quote at either end for the opening or the closing one, and does not set that itself any more.
  return `${inside.startsWith(open) ? open : ''}${inside}${inside.endsWith(open) ? open : ''}`;
}
