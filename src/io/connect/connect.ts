/** A network as a program of one's own reaches it: every port that the core asks for, over one HTTP client. */

import { setTimeout as delay } from 'node:timers/promises';
import type * as Execution from '../../core/execution/Execution.js';
import type * as Plan from '../../core/execution/Plan.js';
import type * as GaslessSigning from '../../core/gasless/GaslessSigning.js';
import * as Network from '../../core/network/Network.js';
import type * as Ports from '../../core/ports/Ports.js';
import * as Currency from '../../core/quote/Currency.js';
import type { JournalWriter } from '../../core/tracking/Journal.js';
import * as NonceRelease from '../../core/tracking/NonceRelease.js';
import type * as WithdrawalExecution from '../../core/withdrawal/WithdrawalExecution.js';
import { createChain } from '../chain/chainClient.js';
import { createHttp, type Fetch } from '../http/httpClient.js';
import { createService } from '../http/serviceClient.js';
import { createVenue } from '../http/venueClient.js';

/** How a program connects. */
export type ConnectOptions = {
  /** Ends every request and every wait. */
  signal?: AbortSignal | undefined;
  /**
   * Asks instead of ferry's own client. It must not follow redirects, or the API key goes along. What it throws passes
   * through as it is, and is not tried again.
   */
  fetch?: Fetch | undefined;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read; this process's own by default. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** What the requests say of themselves; `ferry` by default. */
  userAgent?: string | undefined;
  /** Told what the caller should know and what stops nothing; to nobody by default. */
  warn?: ((text: string) => void) | undefined;
};

/** Who signs, where it is written down, and the turn at the signer's nonces. */
export type WorldOptions = {
  account: Ports.Account;
  /** Written to before each act. What is not on the disk for good when `append` resolves cannot be taken up after a crash. */
  journal: JournalWriter;
  /** Needed where another process may sign for the same account: see `createNonces`. */
  turn?: Ports.Turn | undefined;
  /** How long a signed batch may be submitted, in milliseconds; ten minutes by default. */
  validForMs?: number | undefined;
};

/** A network and everything that is asked of it. */
export type Connection = {
  network: Network.Network;
  service: Ports.Service;
  /** The node of an EVM chain, at the RPC URL that the network names. @throws chain.no-rpc */
  chain(chain: Network.Chain): Ports.Chain;
  /** The venue itself. @throws venue.unconfigured */
  venue(): Ports.Venue;
  clock: Ports.Clock;
  signal: AbortSignal;
  /**
   * A currency as it is typed: `alpha/usdc`, or with the token's address, whose decimals are then read on its chain.
   *
   * @throws request.* · chain.*
   */
  currency(text: string): Promise<Currency.Currency>;
  /** What `Execution.run` and `GaslessExecution.run` take for a plan that begins on an EVM chain. @throws chain.no-rpc */
  worldOf(plan: Plan.Restored, own: WorldOptions): GaslessSigning.World;
  /** What `VenueExecution.run` takes for a plan that begins on the venue. @throws venue.unconfigured */
  venueWorldOf(plan: Plan.Restored, own: Pick<WorldOptions, 'journal' | 'turn'>): WithdrawalExecution.World;
  /** Drops every connection. */
  close(): Promise<void>;
};

/**
 * Connects to a network: one that ferry ships (`Networks.load`), a sandbox's (`startSandbox`), or one of one's own. No
 * request is made before something is asked. Which contracts may hold funds, and which API key is sent, stands in the
 * network that is given; no configuration and no pins of the user are read.
 *
 * @throws config.invalid where the network has no base URL
 * @example connect({ ...(await Networks.load('mainnet')), apiKey })
 */
export function connect(network: Network.Network, options: ConnectOptions = {}): Connection {
  const { signal = new AbortController().signal, env = process.env, userAgent = 'ferry', warn = () => {} } = options;
  const http = createHttp({ signal, env, userAgent });
  const clock: Ports.Clock = { now: () => Date.now(), sleep };
  const remote = { fetch: options.fetch ?? http.fetch, network, clock, random: Math.random, signal };
  const service = createService(remote);
  const nodes = new Map<number, Ports.Chain>();

  const chain = (on: Network.Chain): Ports.Chain => {
    const { rpcUrl } = on;
    if (rpcUrl === undefined) throw new Network.NoRpcError(on.name, network);
    const node = nodes.get(on.id) ?? createChain({ ...remote, network: network.name, chain: on, rpcUrl });
    nodes.set(on.id, node);
    return node;
  };

  const destinationOf = ({ intent }: Plan.Restored): Execution.World['destination'] => {
    const { chain: destination } = intent.destination;
    if (destination.vm !== 'evm') return undefined;
    if (destination.rpcUrl !== undefined) return chain(destination);
    warn(`No RPC node of ${destination.name} is at hand: the arrival is not read from the chain.`);
    return undefined;
  };

  const venue = (): Ports.Venue => createVenue(remote);
  const common = { service, clock, signal, warn };

  return {
    network,
    service,
    chain,
    venue,
    clock,
    signal,
    currency: (text) => Currency.read(Currency.parse(text, network), chain),
    worldOf: (plan, { account, journal, turn = NonceRelease.none, validForMs }) => ({
      ...common,
      origin: chain(plan.intent.origin.chain),
      destination: destinationOf(plan),
      venue: plan.intent.destination.chain.vm === 'lvm' ? venue() : undefined,
      account,
      turn,
      journal,
      referrer: network.referrer,
      relayer: network.solver?.relayers?.[0],
      validForMs,
      replay: false,
    }),
    venueWorldOf: (plan, { journal, turn = NonceRelease.none }) => ({
      ...common,
      venue: venue(),
      destination: destinationOf(plan),
      turn,
      journal,
    }),
    close: () => http.close(),
  };
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error;
  });
}
