/** Resolves the arguments of `ferry help`. */
import { BaseError } from '../base/Errors.js';
import { nearest } from '../text/DidYouMean.js';
import * as HelpText from './HelpText.js';
import type { Topic } from './HelpTopic.js';

export type Subject =
  /** A topic, as text. */
  | { text: string }
  /** The words of a command or command group; empty for ferry as a whole. */
  | { words: readonly string[] };

/** The topics and commands to search; passed in, so this module loads neither list. */
export type Known = {
  topics: readonly Topic[];
  /** The names of commands and command groups. */
  names: readonly string[];
};

/**
 * Resolves the words after `ferry help`.
 *
 * @throws usage.unknown-command
 */
export async function from(words: readonly string[], { topics, names }: Known, columns: number): Promise<Subject> {
  const asked = words.join(' ');
  const topic = topics.find(({ name }) => name === asked);
  if (topic) return { text: HelpText.format(await topic.load(), columns) };
  if (asked === '' || asked === 'help') return { words: [] };
  if (!names.includes(asked)) throw unknownSubject(asked, { topics, names });
  return { words };
}

function unknownSubject(asked: string, { topics, names }: Known): BaseError {
  const ofTopics = topics.map(({ name }) => name);
  const near = nearest(asked, [...names, ...ofTopics]);
  return new BaseError('usage.unknown-command', `Unknown command or help topic "${asked}".`, {
    facts: [['topics', ofTopics.join(', ')]],
    hint: near ? `Did you mean ${near}?` : undefined,
    next: 'ferry --help',
  });
}
