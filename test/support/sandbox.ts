/** A whole sandbox in this process, on free ports of the loopback interface, for tests. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import type * as Server from '../../src/sandbox/service/server.js';
import { serve } from '../../src/sandbox/service/server.js';
import { borrowChains } from './chains.js';
import { clearAddedFaults } from './faults.js';
import { at, type Ended, ferry, type Surroundings, soon, temporaryFolder } from './ferry.js';
import { journalIn } from './journals.js';
import { balanceAt } from './node.js';

export type TestSandbox = Server.Ready & {
  /** Stops it; resolves when the server, the chains and their processes are gone. */
  stop(): Promise<void>;
  /** Resolves when it has stopped, on its own or by `stop`. */
  ended: Promise<void>;
};

type Wishes = Omit<Partial<Server.ServerOptions>, 'signal' | 'onReady' | 'chains'>;

/**
 * Starts a sandbox. Keeps nothing without a `stateDir`, and has no idle timeout without `idleMs`. Its chains are this worker's,
 * as if they were new, unless it keeps them or is to find them itself.
 */
export async function startSandbox(options: Wishes = {}): Promise<TestSandbox> {
  const end = new AbortController();
  const isOwn = ['stateDir', 'anvilPath', 'searchPath'].some((name) => name in options);
  const chains = isOwn ? undefined : await borrowChains();
  let served: Promise<void> = Promise.resolve();
  const ready = await new Promise<Server.Ready>((resolve, reject) => {
    served = serve({
      seed: 'test',
      anvilPath: process.env.FERRY_ANVIL,
      searchPath: process.env.PATH,
      ...options,
      chains,
      signal: end.signal,
      onReady: resolve,
    });
    served.catch(reject);
  });
  return {
    ...ready,
    ended: served,
    stop: () => {
      end.abort();
      return served;
    },
  };
}

export type User = ReturnType<typeof userAt>;

/** A user with a state directory of their own, and its only journal. Their commands end in JSON. */
export function userAt(sandbox: Parameters<typeof at>[0], more: Surroundings['env'] = {}) {
  const stateDir = temporaryFolder();
  const env = { ...at(sandbox), ...more, FERRY_STATE_DIR: stateDir };
  /** Runs a command that asks nobody. */
  const ask = (argv: readonly string[], how: Surroundings = {}): Promise<Ended> =>
    ferry([...argv, '--json'], { ...how, env: { ...env, ...how.env } });
  return {
    ...journalIn(stateDir),
    ...{ stateDir, env, ask },
    /** Runs one to which the answer is yes. */
    run: (...argv: string[]) => ask([...argv, '--yes']),
    /** The same until a deadline ends it. */
    late: (...argv: string[]) => ask([...argv, ...soon.args, '--yes'], { pace: soon.pace }),
  };
}

/**
 * Gives the file's tests a sandbox, the variables that point to it, and users of it. Faults that a test adds are cleared after
 * it.
 */
export function useSandbox(): {
  sandbox: TestSandbox;
  env: ReturnType<typeof at>;
  user(more?: Surroundings['env']): User;
} {
  const sandbox = {} as TestSandbox;
  const env: ReturnType<typeof at> = {};
  beforeAll(async () => {
    Object.assign(sandbox, await startSandbox());
    Object.assign(env, at(sandbox));
  });
  afterEach(() => clearAddedFaults(sandbox));
  afterAll(() => sandbox.stop());
  return { sandbox, env, user: (more) => userAt(sandbox, more) };
}

/** The address of USDC on alpha. */
export const usdc = Network.token(Network.chain(network, 'alpha'), 'usdc')?.address ?? '';

/** What an address holds of it, in base units. */
export function usdcAt({ rpcUrls }: TestSandbox, owner: string): Promise<bigint> {
  return balanceAt(rpcUrls.alpha, usdc, owner);
}
