/** The doctor's checks of a network's servers: its service, its nodes, its venue. */

import * as VenueAccount from '../core/accounts/VenueAccount.js';
import type * as Chains from '../core/api/catalog/Chains.js';
import type { Address } from '../core/base/Address.js';
import { BaseError, type Code, type Fact } from '../core/base/Errors.js';
import * as Url from '../core/base/Url.js';
import * as ClockSkew from '../core/checks/ClockSkew.js';
import * as HealthCheck from '../core/checks/HealthCheck.js';
import { assertChain } from '../core/execution/Facts.js';
import { apiKeysOf, type Chain, type Network, settingUrl } from '../core/network/Network.js';
import * as NetworkRegistry from '../core/network/NetworkRegistry.js';
import type { Clock, Reach } from '../core/ports/Ports.js';
import * as ShellCommand from '../core/text/ShellCommand.js';

/** A network with its URLs, and clients for it with a time limit. */
export type CheckedNetwork = { network: Network; reach: Reach; clock: Clock };

/** The service's response. */
export type Service = { chains: Chains.Response; latencyMs: number; skew: ClockSkew.Skew | undefined };

/** Requests the chains, then the time over the open connection. @throws service.* */
export async function askService({ reach, clock }: CheckedNetwork): Promise<Service> {
  const service = await reach.service();
  return inTime('service.timeout', 'The service', async () => {
    const before = clock.now();
    const chains = await service.chains();
    const askedAt = clock.now();
    // A service that does not report the time may still work.
    const time = await service.time().catch((error: unknown) => {
      if (error instanceof BaseError) return undefined;
      throw error;
    });
    const answeredAt = clock.now();
    if (time === undefined) return { chains, latencyMs: askedAt - before, skew: undefined };
    return { chains, latencyMs: answeredAt - askedAt, skew: ClockSkew.fromSecond(time, { askedAt, answeredAt }) };
  });
}

/** Chains are named up to this many, and counted beyond it. */
const mostNamed = 8;

function listed(names: readonly string[], of: number = names.length): string {
  return of <= mostNamed ? names.join(', ') : `${names.length} of ${of} chains`;
}

/** A slower response is a warning. */
const slowMs = 2_000;

/** Checks the service's response. */
export async function checkService(
  { network }: Pick<CheckedNetwork, 'network'>,
  asked: Promise<Service>,
): Promise<HealthCheck.Check> {
  const url: Fact = ['url', Url.redact(network.baseUrl ?? '')];
  try {
    const { chains, latencyMs } = await asked;
    const evm = network.chains.filter(({ vm }) => vm === 'evm');
    const isServed = ({ id }: Chain): boolean => chains.chains.some((each) => each.id === id && each.disabled !== true);
    const missing = evm.filter((chain) => !isServed(chain)).map(({ name }) => name);
    const facts: Fact[] = [url, ['latency', `${latencyMs} ms`], ['chains', String(chains.chains.length)]];
    const answers = `The service at ${url[1]} answers in ${latencyMs} ms`;
    // The table of mainnet has every chain with a known depository, some of which the service has given up.
    if (missing.length > 0 && (evm.length <= mostNamed || missing.length === evm.length))
      return HealthCheck.warn('service', `${answers}, and does not serve ${listed(missing)}.`, {
        facts,
        fix: 'ferry chains --live',
      });
    if (latencyMs > slowMs) return HealthCheck.warn('service', `${answers}, which is slow.`, { facts });
    const served = evm.filter(isServed).map(({ name }) => name);
    const serves = served.length === 0 ? '' : ` and serves ${listed(served, evm.length)}`;
    return HealthCheck.ok('service', `${answers}${serves}.`, { facts });
  } catch (error) {
    const check = HealthCheck.fromError('service', error, { facts: [url] });
    const { name, urlVariable } = network;
    const own = settingUrl(`networks.${name}.baseUrl`, urlVariable);
    if (urlVariable) return { ...check, fix: own };
    if (name === 'sandbox') return { ...check, fix: 'ferry sandbox status' };
    // The URL of a network that ships with ferry is right.
    return { ...check, fix: check.fix ?? (NetworkRegistry.isShipped(name) ? null : own) };
  }
}

/** Checks that the service accepts each API key. With several, the checks are told apart by the place of the key. */
export function checkApiKeys(network: Network, within: (of: Network) => CheckedNetwork): Promise<HealthCheck.Check[]> {
  const keys = apiKeysOf(network);
  if (keys.length < 2) return checkApiKey(within(network)).then((check) => [check]);
  return Promise.all(
    keys.map(async (apiKey, index) => {
      const check = await checkApiKey(within({ ...network, apiKey, apiKeys: undefined }));
      const fix = index > 0 ? { fix: check.fix?.replace(/apiKey$/, 'apiKeys') ?? null } : {};
      return { ...check, name: `${index + 1} of ${keys.length}`, ...fix };
    }),
  );
}

/** Checks that the service accepts the API key, which requests, gasless transfers and a referrer require. */
export async function checkApiKey({ network, reach }: CheckedNetwork): Promise<HealthCheck.Check> {
  const { name, apiKey, referrer } = network;
  const fix = ShellCommand.line`ferry config set networks.${name}.apiKey`;
  if (apiKey === undefined && referrer !== undefined)
    return HealthCheck.fail('api-key', 'A referrer is set without an API key: the service refuses every quote.', {
      fix,
    });
  if (apiKey === undefined)
    return HealthCheck.warn(
      'api-key',
      'No API key is set: quotes work, but gasless transfers and request records do not.',
      { hint: 'The team behind the service issues keys.', fix },
    );
  try {
    const service = await reach.service();
    await inTime('service.timeout', 'The service', () => service.requests({ limit: 1 }));
    return HealthCheck.ok('api-key', 'The service accepts the API key.', {
      facts: referrer === undefined ? [] : [['referrer', referrer]],
    });
  } catch (error) {
    const check = HealthCheck.fromError('api-key', error, { fix });
    if (check.code === 'auth.refused') return check;
    return { ...check, verdict: 'warn', summary: `The API key could not be checked. ${check.summary}` };
  }
}

/** A block older than this is a warning, except on the sandbox. */
const oldMs = 120_000;

/**
 * Checks that a chain's node responds, serves that chain and is in sync. Also returns the time of its latest block.
 *
 * @param setting where the node is set
 */
export async function checkChain(
  chain: Chain,
  { network, reach, clock }: CheckedNetwork,
  setting: 'rpcUrl' | 'rpcUrls' = 'rpcUrl',
): Promise<{ check: HealthCheck.Check; timestamp: bigint | undefined }> {
  const { name } = chain;
  const fix = settingUrl(`networks.${network.name}.chains.${name}.${setting}`, chain.urlVariable);
  const url: readonly Fact[] = chain.rpcUrl === undefined ? [] : [['node', Url.redact(chain.rpcUrl)]];
  try {
    const node = await reach.chain(chain);
    const { tip, latencyMs } = await inTime('chain.unreachable', `The RPC node of ${name}`, async () => {
      assertChain(chain, await node.chainId());
      const askedAt = clock.now();
      return { tip: await node.tip(), latencyMs: clock.now() - askedAt };
    });
    const ageMs = Math.max(0, clock.now() - Number(tip.timestamp) * 1000);
    const age = `${Math.round(ageMs / 1000)} s`;
    const facts: Fact[] = [...url, ['block', String(tip.number)], ['age', age], ['latency', `${latencyMs} ms`]];
    const answers = `Chain ${chain.id} answers in ${latencyMs} ms with block ${tip.number}`;
    // The sandbox mines a block per transaction, not on a schedule.
    const check =
      network.name === 'sandbox'
        ? HealthCheck.ok('chain', `${answers}.`, { name, facts })
        : ageMs > oldMs
          ? HealthCheck.warn('chain', `${answers}, which is ${age} old: the node lags behind.`, { name, facts, fix })
          : HealthCheck.ok('chain', `${answers}, ${age} old.`, { name, facts });
    return { check, timestamp: tip.timestamp };
  } catch (error) {
    const check = HealthCheck.fromError('chain', error, { name, fix, facts: url });
    // A chain without a node can still be a destination.
    return { check: check.code === 'chain.no-rpc' ? { ...check, verdict: 'warn' } : check, timestamp: undefined };
  }
}

/** Checks that the venue responds and has the account. Empty if the network has no venue. */
export async function checkVenue(
  wallet: Address | undefined,
  { network, reach, clock }: CheckedNetwork,
): Promise<HealthCheck.Check[]> {
  if (!network.chains.some(({ vm }) => vm === 'lvm')) return [];
  const url: readonly Fact[] = network.venue?.baseUrl ? [['url', Url.redact(network.venue.baseUrl)]] : [];
  try {
    const venue = await reach.venue();
    const index = network.venue?.accountIndex;
    const { account, latencyMs } = await inTime('venue.timeout', 'The venue', async () => {
      const askedAt = clock.now();
      const asked = index === undefined ? venue.firstAccountOf(wallet ?? unusedWallet) : venue.account(index);
      return { account: await asked, latencyMs: clock.now() - askedAt };
    });
    if (!account && index !== undefined) throw VenueAccount.unknownVenueAccount({ index }, network);
    const is = index === undefined ? 'is yours' : 'exists';
    const whose = account ? `; account ${account.index} ${is}` : wallet ? '; your wallet has no account there' : '';
    const facts: Fact[] = [...url, ['latency', `${latencyMs} ms`]];
    return [HealthCheck.ok('venue', `The venue answers in ${latencyMs} ms${whose}.`, { facts })];
  } catch (error) {
    const check = HealthCheck.fromError('venue', error, { facts: url });
    const fix = check.fix ?? settingUrl(`networks.${network.name}.venue.baseUrl`, network.venue?.urlVariable);
    return [{ ...check, fix, ...(check.code === 'venue.unconfigured' ? { verdict: 'warn' as const } : {}) }];
  }
}

/** An address without a known key, for a check without a wallet. */
const unusedWallet: Address = '0x000000000000000000000000000000000000dEaD';

/** Runs a request; a timeout becomes an error that names the server. */
async function inTime<T>(code: Code, who: string, ask: () => Promise<T>): Promise<T> {
  return ask().catch((error: unknown) => {
    throw error instanceof Error && error.name === 'TimeoutError'
      ? new BaseError(code, `${who} did not respond in time.`, {
          hint: 'Wait longer with --timeout, or use another one.',
        })
      : error;
  });
}
