/** Renders a help topic for a terminal. */

import * as TerminalLine from '../text/TerminalLine.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Block, Document, Section } from './HelpDocument.js';

/** Formats a document for a width in columns; preformatted lines are not wrapped. */
export function format(document: Document, columns: number): string {
  return document.map((section) => formatSection(section, columns)).join('\n\n');
}

function formatSection({ title, blocks }: Section, columns: number): string {
  return `${TerminalLine.fold(`${title}:`, columns).join('\n')}\n${blocks.map((block) => formatBlock(block, columns)).join('\n\n')}`;
}

function formatBlock(block: Block, columns: number): string {
  if ('text' in block) return indented(TerminalLine.fold(block.text, columns - 2));
  if ('lines' in block) return indented(block.lines.map((line) => `  ${line}`));
  const widest = Math.max(...block.terms.map(([term]) => TerminalText.width(term)));
  const room = columns - widest - 4;
  // Next to long terms there is no room for their definitions.
  if (room < 30)
    return block.terms
      .map(([term, meaning]) => indented([term, ...TerminalLine.fold(meaning, columns - 4).map((line) => `  ${line}`)]))
      .join('\n');
  return block.terms
    .flatMap(([term, meaning]) =>
      TerminalLine.fold(meaning, room).map((line, index) =>
        `  ${TerminalText.padEnd(index === 0 ? term : '', widest)}  ${line}`.trimEnd(),
      ),
    )
    .join('\n');
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
