/** Lines that exceed a terminal's width, except a command to type and a single word, such as a hash, that no line has room for. */
import * as TerminalText from '../../src/core/text/TerminalText.js';

export function tooWide(text: string, columns: number): string[] {
  const isWhole = (line: string): boolean =>
    /^\s*(?:next: |Usage: |\$ )?ferry [a-z]/.test(line) || !/\S\s+\S/.test(line);
  return text.split('\n').filter((line) => TerminalText.width(line) > columns && !isWhole(TerminalText.bare(line)));
}
