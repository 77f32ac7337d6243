/** Clients for the service, the nodes and the venue of a network, each loaded and created on first use. */

import { setMaxListeners } from 'node:events';
import { once } from '../../core/base/Once.js';
import { type Network, noRpc } from '../../core/network/Network.js';
import type { Chain, Clock, Reach } from '../../core/ports/Ports.js';
import type { Fetch } from '../http/httpClient.js';
import type { RatePlace } from '../http/rateLimiter.js';
import type { RateState } from '../http/rateLimitState.js';
import type { Host } from '../terminal/host.js';

export type ReachOptions = {
  /** undici's fetch, or the handler of a server in the same process. */
  fetch(): Promise<Fetch>;
  /** Opens a connection to an origin ahead of its use. */
  open(url: string): void;
  /** The network with its URLs. */
  network(): Promise<Network>;
  clock: Clock;
  /** A random number in [0, 1), for retry jitter. */
  random: () => number;
  /** Aborts every request and every pause. */
  signal: AbortSignal;
  /** Gives access to the rate limit state that all ferry processes on this machine share. */
  host: Pick<Host, 'env' | 'cwd' | 'home' | 'now' | 'sleep'>;
  /** Receives a message when a request waits for the rate limit. */
  say: (text: string) => void;
  /** The state of a rate limit; by default a file that all processes of this machine share. */
  rates?: ((of: RatePlace) => Promise<RateState>) | undefined;
};

export function createReach({ fetch, open, network, clock, random, signal, host, say, rates }: ReachOptions): Reach {
  const remote = async () => ({ fetch: await fetch(), network: await network(), clock, random, signal });
  const nodes = new Map<number, Promise<Chain>>();

  /** @throws chain.no-rpc */
  const chainOf = async (id: number) => {
    const far = await remote();
    const chain = far.network.chains.find((each) => each.id === id);
    if (!chain) throw noRpc(String(id), far.network);
    return [chain, far] as const;
  };
  const connect = async (id: number): Promise<Chain> =>
    (await import('../chain/severalNodes.js')).createNodes(...(await chainOf(id)));

  return {
    open(chains) {
      network().then(
        (known) => {
          const nodes = chains.map(({ id, vm }) =>
            vm === 'lvm' ? known.venue?.baseUrl : known.chains.find((each) => each.id === id)?.rpcUrl,
          );
          for (const url of new Set([known.baseUrl, ...nodes])) if (url !== undefined) open(url);
        },
        () => {},
      );
    },
    service: once(async () => {
      const far = await remote();
      const { createService } = await import('../http/serviceClient.js');
      if (far.network.rateLimit === undefined && far.network.apiKeys === undefined) return createService(far);
      const { withinBudget } = await import('../http/rateLimiter.js');
      // Its home is only looked up where it is needed.
      const paced: typeof host & Pick<Host, 'signal'> = Object.create(host, { signal: { value: signal } });
      return createService({ ...far, fetch: withinBudget({ ...far, host: paced, say, rates }) });
    }),
    chain: ({ id }) => {
      const node = nodes.get(id) ?? connect(id);
      nodes.set(id, node);
      return node;
    },
    payments: async ({ id }) => (await import('../chain/paymentReader.js')).createPaymentReader(...(await chainOf(id))),
    venue: once(async () => (await import('../http/venueClient.js')).createVenue(await remote())),
  };
}

/** A signal that aborts with another one, or with a `TimeoutError` after the limit. It keeps no process alive. */
export function endAfter(limitMs: number, signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const reason = new DOMException(`No response within ${limitMs / 1000} seconds.`, 'TimeoutError');
  setTimeout(() => late.abort(reason), limitMs).unref();
  const either = AbortSignal.any([signal, late.signal]);
  // Each chain of a network waits on it, which is no leak.
  setMaxListeners(0, either);
  return either;
}
