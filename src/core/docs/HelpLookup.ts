/** What `ferry help` shows: resolves its arguments, and renders a topic for a terminal. */
import { BaseError } from '../base/Errors.js';
import { nearest } from '../text/DidYouMean.js';
import * as TerminalLine from '../text/TerminalLine.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Block, Document } from './HelpPages.js';
import type { Topic } from './HelpTopic.js';

export type Subject =
  | { text: string }
  /** The words of a command or command group; empty for ferry as a whole. */
  | { words: readonly string[] };

/** The topics and commands to search; passed in, so this module loads neither list. */
export type HelpIndex = {
  topics: readonly Topic[];
  names: readonly string[];
};

/**
 * Resolves the words after `ferry help`.
 *
 * @throws usage.unknown-command
 */
export async function from(words: readonly string[], { topics, names }: HelpIndex, columns: number): Promise<Subject> {
  const asked = words.join(' ');
  const topic = topics.find(({ name }) => name === asked);
  if (topic) return { text: format(await topic.load(), columns) };
  if (asked === '' || asked === 'help') return { words: [] };
  if (!names.includes(asked)) throw unknownSubject(asked, { topics, names });
  return { words };
}

function unknownSubject(asked: string, { topics, names }: HelpIndex): BaseError {
  const ofTopics = topics.map(({ name }) => name);
  const near = nearest(asked, [...names, ...ofTopics]);
  return new BaseError('usage.unknown-command', `Unknown command or help topic "${asked}".`, {
    facts: [['topics', ofTopics.join(', ')]],
    hint: near ? `Did you mean ${near}?` : undefined,
    next: 'ferry --help',
  });
}

/** Formats a document for a width in columns; preformatted lines are not wrapped. */
export function format(document: Document, columns: number): string {
  const sections = document.map(([title, ...blocks]) => {
    const text = blocks.map((block) => formatBlock(block, columns)).join('\n\n');
    return `${TerminalLine.fold(`${title}:`, columns).join('\n')}\n${text}`;
  });
  return sections.join('\n\n');
}

function formatBlock(block: Block, columns: number): string {
  if (typeof block === 'string') return indented(TerminalLine.fold(block, columns - 2));
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
