/** A whole sandbox in this process, on free ports of the loopback interface, for tests. */

import type * as Server from '../../src/sandbox/service/server.js';
import { serve } from '../../src/sandbox/service/server.js';

export type TestSandbox = Server.Ready & {
  /** Stops it; resolves when the server, the chains and their processes are gone. */
  stop(): Promise<void>;
  /** Resolves when it has stopped, on its own or by `stop`. */
  ended: Promise<void>;
};

/** Starts a sandbox. Keeps nothing without a `stateDir`, and has no idle timeout without `idleMs`. */
export async function startSandbox(
  options: Omit<Partial<Server.ServerOptions>, 'signal' | 'onReady'> = {},
): Promise<TestSandbox> {
  const end = new AbortController();
  let served: Promise<void> = Promise.resolve();
  const ready = await new Promise<Server.Ready>((resolve, reject) => {
    served = serve({
      seed: 'test',
      anvilPath: process.env.FERRY_ANVIL,
      searchPath: process.env.PATH,
      ...options,
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
