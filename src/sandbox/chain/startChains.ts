/** The sandbox's two chains: started together, saved, loaded and stopped. */
import { BaseError } from '../../core/base/Errors.js';
import { type ChainName, type Deployment, deployments } from '../values/deployment.js';
import * as anvil from './anvil.js';
import { deploy } from './deploy.js';
import * as nodeRpc from './nodeRpc.js';

export type Chains = Readonly<Record<ChainName, Chain>> & {
  /**
   * Both chains as text for `start`: balances, code, nonces, blocks, transactions, receipts and logs. What is not kept:
   * states at earlier blocks, traces, snapshots, pending transactions.
   */
  dump(): Promise<State>;
  /** Ends both processes and waits until they are gone. */
  stop(): Promise<void>;
  /** Resolves as soon as one of the two processes is gone, whoever ended it. */
  ended: Promise<void>;
};

export type Chain = Deployment & {
  rpcUrl: string;
  /** Of the anvil process. */
  pid: number;
};

export type State = Readonly<Record<ChainName, string>>;

export type Options = {
  /** The anvil that the user names: `FERRY_ANVIL`. */
  anvilPath?: string | undefined;
  /** Where else to look for anvil: `PATH`. */
  searchPath?: string | undefined;
  /** What `dump` gave; without it both chains are deployed afresh. */
  state?: State | undefined;
  /** Unix time in seconds at which the chains' clock begins; without it they follow the machine's clock. */
  genesisTimestamp?: number | undefined;
};

/** Gives the accounts of `accounts.ts`, which the nodes hold unlocked. */
export const mnemonic = 'test test test test test test test test test test test junk';

/**
 * Starts both chains side by side, deployed and funded or as they were saved.
 *
 * @throws sandbox.no-anvil · sandbox.start
 */
export async function start(options: Options = {}): Promise<Chains> {
  const path = anvil.find({ path: options.anvilPath, searchPath: options.searchPath });
  const names = ['alpha', 'beta'] as const;
  const starts = await Promise.allSettled(names.map((name) => startChain(path, name, options)));
  const nodes = starts.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  const [alpha, beta] = nodes;
  if (!alpha || !beta) {
    await stop();
    throw toError(starts);
  }
  return {
    alpha: { ...deployments.alpha, rpcUrl: alpha.rpcUrl, pid: alpha.pid },
    beta: { ...deployments.beta, rpcUrl: beta.rpcUrl, pid: beta.pid },
    dump: async () => {
      const [a, b] = await Promise.all([dumpChain(alpha), dumpChain(beta)]);
      return { alpha: a, beta: b };
    },
    stop,
    ended: Promise.race([alpha.ended, beta.ended]),
  };
}

async function startChain(path: string, name: ChainName, options: Options): Promise<anvil.Anvil> {
  const { searchPath, genesisTimestamp } = options;
  const saved = options.state?.[name];
  const { id } = deployments[name];
  const node = await anvil.start({ path, searchPath, chainId: id, mnemonic, genesisTimestamp, paused: !saved });
  try {
    // Its log would name every request, and somebody would have to read it.
    await nodeRpc.call(node.rpcUrl, 'anvil_setLoggingEnabled', false);
    if (saved) await nodeRpc.call(node.rpcUrl, 'anvil_loadState', saved);
    else await deploy(node.rpcUrl, deployments[name]);
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
}

async function dumpChain(node: anvil.Anvil): Promise<string> {
  return (await nodeRpc.call(node.rpcUrl, 'anvil_dumpState')) as string;
}

function toError(starts: readonly PromiseSettledResult<unknown>[]): BaseError {
  const reason: unknown = starts.find((result) => result.status === 'rejected')?.reason;
  return reason instanceof BaseError ? reason : new anvil.StartError(String(reason), reason);
}
