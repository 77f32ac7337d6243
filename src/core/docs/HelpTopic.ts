/** The help topics that are not about a single command. */
import type { Document } from './HelpDocument.js';

export type Topic = {
  /** As typed after `ferry help`. */
  name: string;
  /** One line for the list of topics. */
  summary: string;
  load(): Promise<Document>;
};

export const topics: readonly Topic[] = [
  {
    name: 'exit-codes',
    summary: 'The meaning of exit codes and error codes',
    load: async () => (await import('./ExitCodes.js')).document(),
  },
  {
    name: 'environment',
    summary: 'The environment variables that ferry reads',
    load: async () => (await import('./Environment.js')).document(),
  },
  {
    name: 'json',
    summary: 'The output of --json',
    load: async () => (await import('./JsonOutput.js')).document(),
  },
  {
    name: 'networks',
    summary: 'The networks that ship with ferry, and your own',
    load: async () => (await import('./NetworkTable.js')).document(),
  },
  {
    name: 'parameters',
    summary: 'What ferry does with each parameter of a quote request',
    load: async () => (await import('./QuoteParameters.js')).document(),
  },
];
