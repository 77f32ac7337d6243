/** The components of a running sandbox. */

import { createKeyedMutex, type RunExclusive } from '../chain/keyedMutex.js';
import type { Node } from '../chain/readMarket.js';
import { createTransactionQueue, type TransactionQueue } from '../chain/transactionQueue.js';
import { createFaults, type Faults } from '../http/faults.js';
import { createLedger, type Ledger } from '../ledger/ledger.js';
import type { FrameLog } from '../storage/frameLog.js';
import type { SvmNode } from '../svm/svmNode.js';
import { accounts } from '../values/devAccounts.js';
import type { Venue } from '../venue/createVenue.js';
import { createVenue } from '../venue/createVenue.js';

export type Instance = {
  /** Instance id; changed by a reset. */
  id: string;
  seed: string;
  /** Unix time in milliseconds, including clock skew faults. */
  clock: () => number;
  nodes: readonly Node[];
  ledger: Ledger;
  faults: Faults;
  /** The solver's transaction queue on each chain, by chain id. */
  solvers: ReadonlyMap<number, TransactionQueue>;
  /** The relayer's transaction queues, for transactions that users have signed. */
  relayers: ReadonlyMap<number, TransactionQueue>;
  /** The venue, an exchange with its own API and base URL. */
  venue: Venue;
  /** The chain of Solana's kind; undefined if its virtual machine is not installed. */
  svm: SvmNode | undefined;
  /** Its RPC URL. */
  svmUrl: string | undefined;
  /** Serializes payments on the venue per account. */
  runExclusive: RunExclusive;
};

export type Logs = { ledger: FrameLog; venue: FrameLog };

export type InstanceOptions = {
  /** Running chains; the service neither starts nor stops them. */
  chains: readonly Node[];
  /** The chain of Solana's kind, if there is one. */
  svm?: SvmNode | undefined;
  /** Its RPC URL. */
  svmUrl?: string | undefined;
  /** Determines request ids, salts and orders. */
  seed: string;
  /** Instance id. */
  instance: string;
  /** Returns Unix time in milliseconds; defaults to the system clock. */
  clock?: (() => number) | undefined;
  /** What the ledger and the venue write as they change, and continue from; in memory by default. */
  logs?: Logs | undefined;
};

export function createInstance(options: InstanceOptions): Instance {
  const { chains, seed, instance, clock: real = Date.now, logs } = options;
  const faults = createFaults();
  const clock = (): number => real() + faults.skewMs();
  const ledger = createLedger(clock, logs?.ledger);
  return {
    id: instance,
    seed,
    clock,
    nodes: chains,
    ledger,
    faults,
    solvers: new Map(chains.map((node) => [node.id, createTransactionQueue(node, accounts.solver)])),
    relayers: new Map(chains.map((node) => [node.id, createTransactionQueue(node, accounts.relayer)])),
    venue: createVenue({ clock: real, instance, log: logs?.venue }),
    svm: options.svm,
    svmUrl: options.svmUrl,
    runExclusive: createKeyedMutex(),
  };
}

/** The node of a chain, if the sandbox has that chain. */
export function nodeOf(instance: Instance, chainId: number): Node | undefined {
  return instance.nodes.find((node) => node.id === chainId);
}

/** The node and transaction queues of a chain. Throws on an unknown chain. */
export function chainContext(
  instance: Instance,
  chainId: number,
): { node: Node; solver: TransactionQueue; relayer: TransactionQueue } {
  const node = nodeOf(instance, chainId);
  const solver = instance.solvers.get(chainId);
  const relayer = instance.relayers.get(chainId);
  if (!node || !solver || !relayer) throw new Error(`The sandbox has no chain ${chainId}.`);
  return { node, solver, relayer };
}
