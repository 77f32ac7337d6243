/** Starts a sandbox in this process, for tests and experiments: the service, both chains and the venue. */
import type { Network } from '../../core/network/Network.js';
import * as NetworkRegistry from '../../core/network/NetworkRegistry.js';

/** Options of `startSandbox`. */
export type SandboxOptions = {
  /** Makes request ids, salts and orders deterministic; random by default. */
  seed?: string | undefined;
  /** The service's clock in Unix milliseconds; defaults to the system clock. */
  clock?: (() => number) | undefined;
  /** Port of the service on 127.0.0.1; defaults to a free port. */
  port?: number | undefined;
  /** Port of the venue; defaults to a free port. */
  venuePort?: number | undefined;
  /** Folder that keeps the state between runs; without it, nothing is kept. */
  stateDir?: string | undefined;
  /** Path of anvil; defaults to FERRY_ANVIL, the package `@foundry-rs/anvil`, or the one in PATH. */
  anvilPath?: string | undefined;
  /** Stops the sandbox, as `stop` does. */
  signal?: AbortSignal | undefined;
  /** Receives the reason why a saved state is not used. */
  warn?: ((text: string) => void) | undefined;
};

/** A sandbox running in this process. */
export type RunningSandbox = {
  /** The network `sandbox` with its URLs, to pass to `connect`. */
  network: Network;
  /** Id of this sandbox's state: saved with it, and different in a new sandbox. */
  instance: string;
  /** Stops the sandbox. Resolves when its servers and chain processes are gone and the state, if kept, is saved. */
  stop(): Promise<void>;
  /** Resolves when it has stopped, by `stop` or the signal. Rejects if a chain's process exits unexpectedly. */
  ended: Promise<void>;
};

/**
 * Starts a sandbox. Several may run at once; none outlives the process. `dev0` to `dev9` are funded on both chains.
 *
 * @throws sandbox.no-anvil · sandbox.start · the signal's reason
 * @example const { network, stop } = await startSandbox()
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { signal, ...settings } = options;
  const { serve } = await import('../../sandbox/service/server.js');
  const table = await NetworkRegistry.load('sandbox');
  const end = new AbortController();
  let served: Promise<void> = Promise.resolve();
  const ready = await new Promise<Omit<RunningSandbox, 'stop' | 'ended'>>((resolve, reject) => {
    served = serve({
      ...settings,
      anvilPath: settings.anvilPath ?? process.env.FERRY_ANVIL,
      searchPath: process.env.PATH,
      signal: signal ? AbortSignal.any([signal, end.signal]) : end.signal,
      onReady: ({ instance, baseUrl, venueUrl, rpcUrls }) =>
        resolve({ instance, network: located(table, { baseUrl, venueUrl, rpcUrls }) }),
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

function located(
  network: Network,
  { baseUrl, venueUrl, rpcUrls }: { baseUrl: string; venueUrl: string; rpcUrls: Readonly<Record<string, string>> },
): Network {
  return {
    ...network,
    baseUrl,
    venue: network.venue && { ...network.venue, baseUrl: venueUrl },
    chains: network.chains.map((chain) => ({ ...chain, rpcUrl: rpcUrls[chain.name] })),
  };
}
