/** Starts, restores and stops the sandbox's two chains. */
import { BaseError } from '../../core/base/Errors.js';
import genesis from '../contracts/genesis.json' with { type: 'json' };
import { type ChainName, chainNames, type Deployment, deployments } from '../values/deployment.js';
import * as anvil from './anvil.js';
import { LostChainError, type Saved } from './chainKeeper.js';
import * as nodeRpc from './nodeRpc.js';

export type Chains = Readonly<Record<ChainName, Chain>> & {
  /** Kills both processes and waits until they have exited. */
  stop(): Promise<void>;
  /** Resolves as soon as either process has exited for any reason. */
  ended: Promise<void>;
};

export type Chain = Deployment & {
  rpcUrl: string;
  /** Of the anvil process. */
  pid: number;
};

/** What a restored chain has: balances, code, nonces, blocks, transactions, receipts and logs; no historical states. */
export type State = Readonly<Record<ChainName, Saved>>;

export type StartOptions = {
  /** Path of the anvil executable that the user configured (`FERRY_ANVIL`). */
  anvilPath?: string | undefined;
  /** PATH, searched for anvil. */
  searchPath?: string | undefined;
  /** If absent, both chains begin anew. */
  state?: State | undefined;
};

/**
 * Starts both chains concurrently, either anew or restored from `state`.
 *
 * @throws sandbox.no-anvil · sandbox.start · LostChainError if a chain cannot be restored
 */
export async function start(options: StartOptions = {}): Promise<Chains> {
  const path = anvil.find({ path: options.anvilPath, searchPath: options.searchPath });
  const starts = await Promise.allSettled(chainNames.map((name) => startChain(path, name, options)));
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
    alpha: { ...deployments.alpha, ...alpha },
    beta: { ...deployments.beta, ...beta },
    stop,
    ended: Promise.race([alpha.ended, beta.ended]),
  };
}

async function startChain(path: string, name: ChainName, { searchPath, state }: StartOptions): Promise<anvil.Anvil> {
  const saved = state?.[name];
  const { id } = deployments[name];
  const alloc = { ...genesis.both, ...genesis[name] };
  const node = await anvil.start({
    ...{ path, searchPath, chainId: id },
    genesis: saved ? undefined : JSON.stringify({ config: { chainId: id }, alloc }),
  });
  try {
    // Disable the request log: its output would have to be drained.
    await nodeRpc.call(node.rpcUrl, 'anvil_setLoggingEnabled', false);
    if (saved) await load(node.rpcUrl, saved);
    // For the first block a call sees the year 1970.
    else await nodeRpc.call(node.rpcUrl, 'evm_mine');
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
}

async function load(rpcUrl: string, { state, pending }: Saved): Promise<void> {
  try {
    await nodeRpc.call(rpcUrl, 'anvil_loadState', state);
  } catch (error) {
    throw error instanceof nodeRpc.NodeRpcError ? new LostChainError('its snapshot is damaged') : error;
  }
  // A transaction that was mined in the last moment is refused now.
  for (const raw of pending) await nodeRpc.call(rpcUrl, 'eth_sendRawTransaction', raw).catch(() => undefined);
}

function toError(starts: readonly PromiseSettledResult<unknown>[]): Error {
  const reason: unknown = starts.find((result) => result.status === 'rejected')?.reason;
  return reason instanceof BaseError || reason instanceof LostChainError
    ? reason
    : new anvil.StartError(String(reason), reason);
}
