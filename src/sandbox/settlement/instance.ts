/** The components of a running sandbox. */

import { createKeyedMutex } from '../chain/keyedMutex.js';
import type { Node } from '../chain/readMarket.js';
import { createTransactionQueue, type TransactionQueue } from '../chain/transactionQueue.js';
import { createFaults } from '../http/faults.js';
import { createLedger } from '../ledger/ledger.js';
import type { FrameLog } from '../storage/frameLog.js';
import type { SvmNode } from '../svm/svmNode.js';
import { accounts } from '../values/devAccounts.js';
import { createVenue } from '../venue/createVenue.js';

export type Instance = ReturnType<typeof createInstance>;

export type Logs = { ledger: FrameLog; venue: FrameLog };

export type InstanceOptions = {
  /** Running chains; the service neither starts nor stops them. */
  chains: readonly Node[];
  /** The chain of Solana's kind, if there is one. */
  svm?: SvmNode | undefined;
  svmUrl?: string | undefined;
  /** Determines request ids, salts and orders. */
  seed: string;
  instance: string;
  /** Returns Unix time in milliseconds; defaults to the system clock. */
  clock?: (() => number) | undefined;
  /** What the ledger and the venue write as they change, and continue from; in memory by default. */
  logs?: Logs | undefined;
};

export function createInstance(options: InstanceOptions) {
  const { chains, seed, instance, clock: real = Date.now, logs } = options;
  const faults = createFaults();
  const clock = (): number => real() + faults.skewMs();
  const ledger = createLedger(clock, logs?.ledger);
  return {
    /** Instance id; changed by a reset. */
    id: instance,
    seed,
    /** Unix time in milliseconds, including clock skew faults. */
    clock,
    nodes: chains,
    ledger,
    faults,
    /** The solver's transaction queue on each chain, by chain id. */
    solvers: new Map(chains.map((node) => [node.id, createTransactionQueue(node, accounts.solver)])),
    /** The relayer's transaction queues, for transactions that users have signed. */
    relayers: new Map(chains.map((node) => [node.id, createTransactionQueue(node, accounts.relayer)])),
    /** The venue, an exchange with its own API and base URL. */
    venue: createVenue({ clock: real, instance, log: logs?.venue }),
    /** The chain of Solana's kind; undefined if its virtual machine is not installed. */
    svm: options.svm,
    svmUrl: options.svmUrl,
    /** Serializes payments on the venue per account. */
    runExclusive: createKeyedMutex(),
  };
}

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
