/** What completing needs to know of the user's files: read only when it is asked for, never from a network, never failing. */
import type { Network } from '../network/Network.js';

/** A name with what a person should see beside it. */
export type Named = { name: string; about: string };

export type Known = {
  /** The network of a name, else the one in use, with the tokens that the user pinned; undefined where it is not known. */
  network(name: string | undefined): Promise<Network | undefined>;
  /** Networks, chains and aliases of the user's own file, for the keys of settings. */
  configured(): Promise<Configured>;
  /** Encrypted keys of wallets. */
  keys(): readonly Named[];
  /** Encrypted API keys of venue accounts. */
  venueKeys(): readonly Named[];
  /** The newest runs, newest first. */
  runs(): readonly KnownRun[];
};

export type Configured = {
  networks: readonly { name: string; chains: readonly string[] }[];
  aliases: readonly string[];
};

export type KnownRun = {
  id: string;
  /** One line for a person. */
  summary: string;
  isUnfinished: boolean;
  requestId: string | undefined;
};
