/** The help topics that are not about a single command. */
import type { Document } from './HelpPages.js';

export type Topic = {
  /** As typed after `ferry help`. */
  name: string;
  /** One line for the list of topics. */
  summary: string;
  load(): Promise<Document>;
};

const all = [
  ['exit-codes', 'The meaning of exit codes and error codes', 'exitCodes'],
  ['environment', 'The environment variables that ferry reads', 'environment'],
  ['json', 'The output of --json', 'json'],
  ['networks', 'The networks that ship with ferry, and your own', 'networks'],
  ['parameters', 'What ferry does with each parameter of a quote request', 'quoteParameters'],
] as const;

export const topics: readonly Topic[] = all.map(([name, summary, page]) => ({
  name,
  summary,
  load: async () => (await import('./HelpPages.js'))[page](),
}));
