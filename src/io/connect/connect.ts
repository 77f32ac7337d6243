/** The library's connection to a network: every port the core requires, over one HTTP client. */

import { BaseError } from '../../core/base/Errors.js';
import type * as Following from '../../core/execution/Following.js';
import type * as Plan from '../../core/execution/Plan.js';
import type * as GaslessSigning from '../../core/gasless/GaslessSigning.js';
import type * as Network from '../../core/network/Network.js';
import * as ChainAddress from '../../core/order/ChainAddress.js';
import type * as Ports from '../../core/ports/Ports.js';
import * as Currency from '../../core/quote/Currency.js';
import * as Quote from '../../core/quote/Quote.js';
import type { JournalWriter } from '../../core/tracking/Journal.js';
import * as NonceRelease from '../../core/tracking/NonceRelease.js';
import type * as WithdrawalExecution from '../../core/withdrawal/WithdrawalExecution.js';
import { createPaymentReader } from '../chain/paymentReader.js';
import { createNodes } from '../chain/severalNodes.js';
import { createHttp, type Fetch } from '../http/httpClient.js';
import { createService } from '../http/serviceClient.js';
import { createVenue } from '../http/venueClient.js';
import { createCountedHere } from '../locks/countedPayments.js';
import { sleep } from '../terminal/host.js';

/** Options of `connect`. */
export type ConnectOptions = {
  /** Aborts every request and every wait. */
  signal?: AbortSignal | undefined;
  /**
   * Replaces ferry's own HTTP client. It must not follow redirects, or the API key would travel along. Its errors are
   * passed through unchanged and not retried.
   */
  fetch?: Fetch | undefined;
  /** The environment HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read from; defaults to `process.env`. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The User-Agent header; defaults to `ferry`. */
  userAgent?: string | undefined;
  /** Receives warnings, which stop nothing; ignored by default. */
  warn?: ((text: string) => void) | undefined;
};

/** The signing account, the journal and the nonce lock of a run. */
export type ExecutionOptions = {
  account: Ports.Account;
  /** Written to before each action. A run can be resumed after a crash only if `append` resolves once it is durable. */
  journal: JournalWriter;
  /** Required if another process may sign for the same account: see `createNonces`. */
  turn?: Ports.Turn | undefined;
  /** How long a signed batch stays valid, in milliseconds; defaults to ten minutes. */
  validForMs?: number | undefined;
};

/** A network with clients for its service, chains and venue. */
export type Connection = {
  network: Network.Network;
  service: Ports.Service;
  /** The client of an EVM chain's node, at the network's RPC URL for it. @throws chain.no-rpc */
  chain(chain: Network.Chain): Ports.Chain;
  /** The venue's client. @throws venue.unconfigured */
  venue(): Ports.Venue;
  clock: Ports.Clock;
  signal: AbortSignal;
  /**
   * Resolves a currency such as `alpha/usdc`, or one by token address, whose decimals are then read on its chain.
   *
   * @throws request.* · chain.*
   */
  currency(text: string): Promise<Currency.Currency>;
  /**
   * The world `execute` and `executeGasless` take for a plan from an EVM chain.
   *
   * @throws chain.no-rpc · verify.mismatch if another quote of this connection has the same order
   */
  portsOf(plan: Plan.Restored, own: ExecutionOptions): GaslessSigning.Ports;
  /** The world `executeWithdrawal` takes for a plan from the venue. @throws venue.unconfigured · verify.mismatch likewise */
  venuePortsOf(plan: Plan.Restored, own: Pick<ExecutionOptions, 'journal' | 'turn'>): WithdrawalExecution.Ports;
  /** Closes every connection. */
  close(): Promise<void>;
};

/**
 * Connects to a network: one shipped with ferry (`loadNetwork`), a sandbox (`startSandbox`) or a custom one.
 * No request is sent until one is needed. The given network defines which contracts may hold funds and which API key
 * is sent; neither the user's configuration nor the user's pins are read.
 *
 * @throws config.invalid if the network has no base URL
 * @example connect({ ...(await loadNetwork('mainnet')), apiKey })
 */
export function connect(network: Network.Network, options: ConnectOptions = {}): Connection {
  const { signal = new AbortController().signal, env = process.env, userAgent = 'ferry', warn = () => {} } = options;
  const http = createHttp({ signal, env, userAgent });
  const clock: Ports.Clock = { now: () => Date.now(), sleep };
  const remote = { fetch: options.fetch ?? http.fetch, network, clock, random: Math.random, signal };
  const service = createService(remote);
  const nodes = new Map<number, Ports.Chain>();

  const chain = (on: Network.Chain): Ports.Chain => {
    const node = nodes.get(on.id) ?? createNodes(on, remote);
    nodes.set(on.id, node);
    return node;
  };

  const destinationOf = ({ intent }: Plan.Restored): Following.Ports['destination'] => {
    const { chain: destination } = intent.destination;
    if (destination.vm !== 'evm') return undefined;
    if (destination.rpcUrl !== undefined) return chain(destination);
    warn(`No RPC node of ${destination.name} is configured: the arrival is not verified on the chain.`);
    return undefined;
  };

  const receiverOf = ({ intent }: Plan.Restored): Following.Ports['receiver'] => {
    const { chain: destination } = intent.destination;
    if (!ChainAddress.isForeign(destination)) return undefined;
    const reader = destination.rpcUrl === undefined ? undefined : createPaymentReader(destination, remote);
    if (!reader) warn(`No RPC node of ${destination.name} is configured: the arrival is not verified on the chain.`);
    return reader;
  };

  /** The orders that have ports, and the quotes that they were given for. */
  const [orders, quotes] = [new Set<string>(), new WeakSet<Quote.Quote>()];
  /** Two transfers under one id could both be shown by the same fill. */
  const claim = ({ quote }: Plan.Restored): void => {
    if (quotes.has(quote)) return;
    const id = Quote.identityOf(quote);
    if (orders.has(id)) throw claimedTwice(quote);
    orders.add(id);
    quotes.add(quote);
  };

  const venue = (): Ports.Venue => createVenue(remote);
  const common = { service, clock, signal, warn, counted: createCountedHere() };

  return {
    network,
    service,
    chain,
    venue,
    clock,
    signal,
    currency: (text) => Currency.read(Currency.parse(text, network), chain),
    portsOf(plan, { account, journal, turn = NonceRelease.none, validForMs }) {
      claim(plan);
      return {
        ...common,
        origin: chain(plan.intent.origin.chain),
        destination: destinationOf(plan),
        receiver: receiverOf(plan),
        venue: plan.intent.destination.chain.vm === 'lvm' ? venue() : undefined,
        account,
        turn,
        journal,
        referrer: network.referrer,
        relayer: network.solver?.relayers?.[0],
        validForMs,
        replay: false,
      };
    },
    venuePortsOf(plan, { journal, turn = NonceRelease.none }) {
      claim(plan);
      return {
        ...common,
        venue: venue(),
        destination: destinationOf(plan),
        receiver: receiverOf(plan),
        turn,
        journal,
      };
    },
    close: () => http.close(),
  };
}

function claimedTwice({ requestId }: Quote.Quote): BaseError {
  return new BaseError('verify.mismatch', 'Another quote has the same order: one fill would count for both.', {
    hint: 'A quote pays once. If this is another one, the service has given the same order twice.',
    requestId,
  });
}
