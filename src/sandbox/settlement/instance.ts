/** What one running sandbox consists of; every part of the service gets it whole. */

import { createTurns, type InTurn } from '../chain/keyedMutex.js';
import type { Node } from '../chain/readMarket.js';
import { createSender, type Sender } from '../chain/transactionQueue.js';
import { createFaults, type Faults } from '../http/faults.js';
import { createLedger, type Ledger } from '../ledger/ledger.js';
import type { JsonValue } from '../values/BigintJson.js';
import { accounts } from '../values/devAccounts.js';
import { createVenue } from '../venue/createVenue.js';
import type { Venue } from '../venue/Venue.js';

export type Instance = {
  /** Its id: a reset makes another. */
  id: string;
  seed: string;
  /** Unix time in milliseconds, as faults have it. */
  clock: () => number;
  nodes: readonly Node[];
  ledger: Ledger;
  faults: Faults;
  /** The solver's hand on each chain, by chain id. */
  solvers: ReadonlyMap<number, Sender>;
  /** The relayer's, which submits what users have signed. */
  relayers: ReadonlyMap<number, Sender>;
  /** The exchange beside the chains, on a base URL of its own. */
  venue: Venue;
  /** What is paid out on the venue, an account at a time. */
  inTurn: InTurn;
};

export type Options = {
  /** The running chains; the service neither starts nor stops them. */
  chains: readonly Node[];
  /** Request ids, salts and orders follow from it. */
  seed: string;
  /** Its id. */
  instance: string;
  /** Unix time in milliseconds; the machine's clock by default. */
  clock?: (() => number) | undefined;
  /** What an earlier run of the same instance saved. */
  saved?: JsonValue | undefined;
  /** What its venue saved. */
  savedVenue?: JsonValue | undefined;
};

export function createInstance(options: Options): Instance {
  const { chains, seed, instance, clock: real = Date.now, saved, savedVenue } = options;
  const faults = createFaults();
  const clock = (): number => real() + faults.skewMs();
  return {
    id: instance,
    seed,
    clock,
    nodes: chains,
    ledger: createLedger(clock, saved),
    faults,
    solvers: new Map(chains.map((node) => [node.id, createSender(node, node.id, accounts.solver)])),
    relayers: new Map(chains.map((node) => [node.id, createSender(node, node.id, accounts.relayer)])),
    venue: createVenue({ clock: real, instance, saved: savedVenue }),
    inTurn: createTurns(),
  };
}

/** The node of a chain id, if the sandbox has the chain. */
export function nodeOf(instance: Instance, chainId: number): Node | undefined {
  return instance.nodes.find((node) => node.id === chainId);
}

/** The node and the service's hands on a chain that an order names. Throws for a foreign chain. */
export function siteOf(instance: Instance, chainId: number): { node: Node; solver: Sender; relayer: Sender } {
  const node = nodeOf(instance, chainId);
  const solver = instance.solvers.get(chainId);
  const relayer = instance.relayers.get(chainId);
  if (!node || !solver || !relayer) throw new Error(`The sandbox has no chain ${chainId}.`);
  return { node, solver, relayer };
}
