/** What `ferry help` is asked about. */
import { BaseError } from '../base/Errors.js';
import { nearest } from '../text/DidYouMean.js';
import * as HelpText from './HelpText.js';
import type { Topic } from './HelpTopic.js';

export type Subject =
  /** A topic, as text. */
  | { text: string }
  /** A command or a group of them; no words at all for ferry as a whole. */
  | { words: readonly string[] };

/** What there is to ask about; handed over, so that neither list is a module of its own to load. */
export type Known = {
  topics: readonly Topic[];
  /** The commands and the groups of them. */
  names: readonly string[];
};

/**
 * What some words after `ferry help` mean.
 *
 * @throws usage.unknown-command
 */
export async function from(words: readonly string[], { topics, names }: Known, columns: number): Promise<Subject> {
  const asked = words.join(' ');
  const topic = topics.find(({ name }) => name === asked);
  if (topic) return { text: HelpText.format(await topic.load(), columns) };
  if (asked === '' || asked === 'help') return { words: [] };
  if (!names.includes(asked)) throw new UnknownSubjectError(asked, { topics, names });
  return { words };
}

export class UnknownSubjectError extends BaseError {
  override name = 'UnknownSubjectError';
  constructor(asked: string, { topics, names }: Known) {
    const ofTopics = topics.map(({ name }) => name);
    const near = nearest(asked, [...names, ...ofTopics]);
    super('usage.unknown-command', `There is no command and no help topic "${asked}".`, {
      facts: [['topics', ofTopics.join(', ')]],
      hint: near ? `Did you mean ${near}?` : undefined,
      next: 'ferry --help',
    });
  }
}
