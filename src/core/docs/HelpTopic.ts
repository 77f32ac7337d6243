/** The help topics that are not about a single command. */
import type { Document } from './HelpDocument.js';

export type Topic = {
  /** As typed after `ferry help`. */
  name: string;
  /** One line for the list of topics. */
  summary: string;
  load(): Promise<Document>;
};

type Module = { document(): Document | Promise<Document> };

const all: readonly (readonly [name: string, summary: string, load: () => Promise<Module>])[] = [
  ['exit-codes', 'The meaning of exit codes and error codes', () => import('./ExitCodes.js')],
  ['environment', 'The environment variables that ferry reads', () => import('./Environment.js')],
  ['json', 'The output of --json', () => import('./JsonOutput.js')],
  ['networks', 'The networks that ship with ferry, and your own', () => import('./NetworkTable.js')],
  ['parameters', 'What ferry does with each parameter of a quote request', () => import('./QuoteParameters.js')],
];

export const topics: readonly Topic[] = all.map(([name, summary, load]) => ({
  name,
  summary,
  load: async () => (await load()).document(),
}));
