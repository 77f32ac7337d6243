/** The options that every command takes, before or after its name. */
import type { Flags } from '../core/command/Command.js';

export const globals = {
  json: { type: 'boolean', description: 'print one JSON document (JSON lines where a command streams)' },
  fields: {
    type: 'string',
    value: 'names',
    description: 'only these fields of the result, as JSON: digest,send.usd',
  },
  network: {
    type: 'string',
    value: 'name',
    names: 'network',
    description: 'sandbox, testnet, mainnet or one of your own',
  },
  yes: { type: 'boolean', short: 'y', description: 'answer confirmations with yes' },
  quiet: { type: 'boolean', short: 'q', description: 'no progress and no warnings on stderr' },
  color: { type: 'boolean', description: 'colour even where the output is no terminal' },
  noColor: { type: 'boolean', description: 'no colour' },
} as const satisfies Flags;

/** What was typed of them. */
export type Globals = {
  /** Also where fields are chosen. */
  json: boolean;
  fields: string | undefined;
  yes: boolean;
  quiet: boolean;
  network: string | undefined;
  color: boolean | undefined;
};
