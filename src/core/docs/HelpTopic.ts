/** The help topics: what does not belong to one command. */
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
    summary: 'What exit codes and error codes mean',
    load: async () => (await import('./ExitCodes.js')).document(),
  },
  {
    name: 'environment',
    summary: 'The variables that ferry reads',
    load: async () => (await import('./Environment.js')).document(),
  },
  {
    name: 'json',
    summary: 'What --json prints',
    load: async () => (await import('./JsonOutput.js')).document(),
  },
  {
    name: 'networks',
    summary: 'The networks that ship with ferry, and your own',
    load: async () => (await import('./NetworkTable.js')).document(),
  },
];
