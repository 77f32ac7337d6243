/** The options that every command accepts, before or after its name. */
import type { Flags } from '../core/command/Command.js';

export const globals = {
  json: { description: 'print one JSON document, or JSON lines if the command streams' },
  fields: { value: 'names', description: 'print only these fields, as JSON: digest,send.usd' },
  network: { value: 'name', names: 'network', description: 'sandbox, testnet, mainnet or a network of your own' },
  yes: { short: 'y', description: 'answer yes to confirmations' },
  quiet: { short: 'q', description: 'print no progress and no warnings to stderr' },
  verbose: { description: 'print every request, its answer and its time to stderr, secrets masked' },
  utc: { description: 'on a terminal too, print times in UTC, as they stand in JSON' },
  color: { description: 'use color even if the output is not a terminal' },
  noColor: { description: 'never use color' },
} as const satisfies Flags;

/** The global options as given on the command line. */
export type Globals = {
  /** Also true with `--fields`. */
  json: boolean;
  fields: string | undefined;
  yes: boolean;
  quiet: boolean;
  verbose: boolean;
  utc: boolean;
  network: string | undefined;
  color: boolean | undefined;
};
