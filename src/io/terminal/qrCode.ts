/** QR codes in the characters of a terminal. */
import { renderUnicodeCompact } from 'uqr';

/** The code of a text, two rows of modules a line, indented, each line ended. */
export function draw(text: string): string {
  const lines = renderUnicodeCompact(text, { border: 2 }).split('\n');
  return lines.map((line) => `  ${line}\n`).join('');
}
