/** The port to names in the user's files: read lazily, never from the network, never throwing. */
import type { Network } from '../network/Network.js';

/** A name with a description. */
export type Named = { name: string; about: string };

export type LocalNames = {
  /** A network by name, by default the one in use, with the user's pinned tokens; undefined if unknown. */
  network(name: string | undefined): Promise<Network | undefined>;
  /** Networks, chains and the address book of the user file. */
  configured(): Promise<Configured>;
  /** Encrypted wallet keys. */
  keys(): readonly Named[];
  /** Encrypted API keys of venue accounts. */
  venueKeys(): readonly Named[];
  /** The most recent runs, newest first. */
  runs(): readonly LocalRun[];
};

export type Configured = {
  networks: readonly { name: string; chains: readonly string[] }[];
  aliases: readonly { name: string; address: string }[];
};

export type LocalRun = {
  id: string;
  /** A one-line description. */
  summary: string;
  isUnfinished: boolean;
  requestId: string | undefined;
};
