/** A sandbox of one's own in this process, for tests and trials: the service, both chains and the venue. */
import type { Network } from '../../core/network/Network.js';
import * as NetworkRegistry from '../../core/network/NetworkRegistry.js';

/** How a sandbox is started. */
export type SandboxOptions = {
  /** Request ids, salts and orders follow from it; by default they differ each time. */
  seed?: string | undefined;
  /** The service's Unix time in milliseconds; the machine's clock by default. */
  clock?: (() => number) | undefined;
  /** Of the service, on 127.0.0.1; a free one by default. */
  port?: number | undefined;
  /** Of the venue; a free one by default. */
  venuePort?: number | undefined;
  /** Where the state is kept between runs; without it nothing is kept. */
  stateDir?: string | undefined;
  /** The anvil to run; by default the one of FERRY_ANVIL, the package `@foundry-rs/anvil`, or the one on the search path. */
  anvilPath?: string | undefined;
  /** Ends it, as `stop` does. */
  signal?: AbortSignal | undefined;
  /** Told why a state that was kept is not used. */
  warn?: ((text: string) => void) | undefined;
};

/** A sandbox that runs in this process. */
export type RunningSandbox = {
  /** The network `sandbox`, with its URLs: what `connect` takes. */
  network: Network;
  /** Names this state: kept with it, another in a new sandbox. */
  instance: string;
  /** Ends it. Resolves when its servers and its chains' processes are gone, and its state is saved where it is kept. */
  stop(): Promise<void>;
  /** Resolves when it has ended, by `stop` or the signal. Rejects where a chain ended by itself. */
  ended: Promise<void>;
};

/**
 * Starts one. Several may run at once, and none outlives the process. `dev0` to `dev9` are funded on both chains.
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

/** The network with the URLs of a sandbox that runs. */
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
