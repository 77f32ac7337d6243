/** The network in use: the shipped table with the user's own settings laid over it. */

import { BaseError } from '../base/Errors.js';
import * as Url from '../base/Url.js';
import type { Chain, Network } from '../network/Network.js';
import * as NetworkRegistry from '../network/NetworkRegistry.js';
import * as RateLimit from '../network/RateLimit.js';
import type { SandboxInstance } from '../ports/SandboxProcess.js';
import { nearest } from '../text/DidYouMean.js';
import type * as Config from './Config.js';
import type { ChainSettings, NetworkSettings } from './ConfigFile.js';
import { rpcUrlVariable } from './SettingDefinitions.js';
import { formatSource } from './SettingFormat.js';

/**
 * The network of a name, by default the configured one.
 *
 * Variables (`FERRY_BASE_URL`, `FERRY_API_KEY`, `FERRY_REFERRER`, `FERRY_RPC_URL_…`) speak of the network in use,
 * the user file of the one it names. An API key belongs to the origin that stood when it was set down: where
 * something of higher precedence leads to another origin, the key is left out.
 *
 * @throws config.unknown-network · config.invalid for a chain that ferry does not know and the file does not describe
 */
export async function from(config: Config.Config, name: string = config.network.value): Promise<Network> {
  assertKnown(config, name);
  const settings = config.networks.get(name);
  const shipped = NetworkRegistry.isShipped(name) ? await NetworkRegistry.load(name) : await ownNetwork(name, settings);
  const configured = settings?.baseUrl?.value ?? shipped.baseUrl;
  const baseUrl = config.baseUrl.value ?? configured;
  return {
    name,
    baseUrl,
    realMoney: shipped.realMoney,
    solver: shipped.solver,
    apiKey: apiKey(config, settings, shipped, { configured, baseUrl }),
    // A referrer is good for nothing without its key, and the service refuses it.
    referrer:
      config.referrer.value ??
      (isSameOrigin(configured, baseUrl) ? settings?.referrer?.value : undefined) ??
      shipped.referrer,
    rateLimit: rateLimit(config, settings, baseUrl),
    venue: venue(config, settings, shipped),
    chains: chains(name, shipped, settings).map((chain) => {
      const rpcUrl = config.rpcUrls.get(rpcUrlVariable(chain.name).slice('FERRY_RPC_URL_'.length))?.value;
      return rpcUrl === undefined ? chain : { ...chain, rpcUrl };
    }),
  };
}

/**
 * What the user says, else what the service publishes, which a sandbox or a service on this machine does not keep to. A
 * project's limit comes on top.
 */
function rateLimit(
  { rateLimit: general }: Config.Config,
  settings: NetworkSettings | undefined,
  baseUrl: string | undefined,
): RateLimit.Limits | undefined {
  const { kind } = general.source;
  const own = kind === 'flag' || kind === 'env' ? undefined : settings?.rateLimit;
  const project = kind === 'project' ? general.value : undefined;
  const stated = own?.value ?? (kind === 'project' ? undefined : general.value);
  const isRemote = baseUrl !== undefined && !Url.isLoopback(new URL(baseUrl));
  const all = Math.min(stated ?? Number.POSITIVE_INFINITY, project ?? Number.POSITIVE_INFINITY);
  const limits = {
    ...(stated === undefined && isRemote ? RateLimit.published : {}),
    ...(Number.isFinite(all) ? { all } : {}),
  };
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/**
 * Where the venue is and what its signatures are bound to. A network of the user's own has one where the file names its
 * signing chain id.
 */
function venue(config: Config.Config, settings: NetworkSettings | undefined, shipped: Network): Network['venue'] {
  const signingChainId = settings?.venue.signingChainId?.value ?? shipped.venue?.signingChainId;
  if (signingChainId === undefined) return undefined;
  return {
    baseUrl: config.venueUrl.value ?? settings?.venue.baseUrl?.value ?? shipped.venue?.baseUrl,
    signingChainId,
    accountIndex: settings?.venue.accountIndex?.value,
    apiKeyIndex: settings?.venue.apiKeyIndex?.value,
  };
}

/** The sandbox's network with the URLs of the one that runs; what the user has set stays. */
export function atInstance(
  network: Network,
  { baseUrl, venueUrl, rpcUrls }: Pick<SandboxInstance, 'baseUrl' | 'venueUrl' | 'rpcUrls'>,
): Network {
  return {
    ...network,
    baseUrl,
    venue: network.venue && { ...network.venue, baseUrl: network.venue.baseUrl ?? venueUrl },
    chains: network.chains.map((chain) => ({ ...chain, rpcUrl: chain.rpcUrl ?? rpcUrls[chain.name] })),
  };
}

/** @throws config.unknown-network unless ferry ships it or the user file gives it a base URL */
export function assertKnown(config: Config.Config, name: string): void {
  if (!NetworkRegistry.isShipped(name) && !config.networks.get(name)?.baseUrl)
    throw new UnknownNetworkError(config, name);
}

/** What the user should know of it: a key that is not sent because the base URL leads elsewhere. */
export function warnings(config: Config.Config, network: Network): string[] {
  const key = config.networks.get(network.name)?.apiKey;
  if (!key || network.apiKey !== undefined || network.baseUrl === undefined) return [];
  return [
    `The API key of ${network.name} in ${formatSource(key.source)} belongs to another origin and is not sent to ${Url.redact(network.baseUrl)}.`,
  ];
}

/** A network of the user's own: real money unless the file says otherwise, mainnet's chains unless it names some. */
async function ownNetwork(name: string, settings: NetworkSettings | undefined): Promise<Network> {
  const realMoney = settings?.realMoney?.value ?? true;
  if (!settings?.chains.size) {
    const mainnet = await NetworkRegistry.load('mainnet');
    return { name, baseUrl: undefined, realMoney, chains: mainnet.chains };
  }
  const tables = await Promise.all(NetworkRegistry.names.map(NetworkRegistry.load));
  const known = tables.flatMap((table) => (table.name === 'sandbox' ? table.chains.map(withoutHolders) : table.chains));
  const named = [...settings.chains].flatMap(([key, each]) => findChain(known, key, each) ?? []);
  return { name, baseUrl: undefined, realMoney, chains: named };
}

/**
 * A public chain's contracts are the same whoever's service names them. The ids of the sandbox's chains may stand for
 * any chain, and everybody has the keys that deployed its contracts: elsewhere those have to be pinned.
 */
function withoutHolders(chain: Chain): Chain {
  return { ...chain, contracts: { wrapped: chain.contracts.wrapped } };
}

/** The chains with the user's URLs, and those that the user describes. */
function chains(name: string, shipped: Network, settings: NetworkSettings | undefined): readonly Chain[] {
  const laid = new Map(shipped.chains.map((chain) => [chain.id, chain]));
  for (const [key, each] of settings?.chains ?? []) {
    const chain = findChain(shipped.chains, key, each) ?? described(name, key, each);
    if (each.id && each.id.value !== chain.id) throw new ChainIdError(name, key, chain);
    laid.set(chain.id, {
      ...chain,
      rpcUrl: each.rpcUrl?.value ?? chain.rpcUrl,
      explorerUrl: each.explorerUrl?.value ?? chain.explorerUrl,
    });
  }
  return [...laid.values()];
}

/** By its name or id as the key, else by the id that the file gives. */
function findChain(among: readonly Chain[], key: string, { id }: ChainSettings): Chain | undefined {
  const named = among.find((chain) => chain.name === key.toLowerCase() || String(chain.id) === key);
  return named ?? among.find((chain) => chain.id === id?.value);
}

/** A chain that ferry ships no data of: its tokens go by address, its contracts are unknown. */
function described(network: string, key: string, { id, rpcUrl, explorerUrl }: ChainSettings): Chain {
  if (!id) throw new UndescribedChainError(network, key, rpcUrl?.source ?? explorerUrl?.source);
  return {
    id: id.value,
    name: key.toLowerCase(),
    displayName: key,
    slug: key.toLowerCase(),
    vm: 'evm',
    native: { symbol: 'ETH', name: 'Ether', address: '0x0000000000000000000000000000000000000000', decimals: 18 },
    contracts: {},
    tokens: [],
  };
}

function apiKey(
  config: Config.Config,
  settings: NetworkSettings | undefined,
  shipped: Network,
  { configured, baseUrl }: { configured: string | undefined; baseUrl: string | undefined },
): string | undefined {
  const typed = config.apiKey.value;
  if (typed) {
    // The key and the URL of the environment stand side by side. A URL from above it is another matter.
    const beside = config.baseUrl.source.kind === 'flag' ? configured : baseUrl;
    return isSameOrigin(beside, baseUrl) ? typed.reveal() : undefined;
  }
  if (settings?.apiKey) return isSameOrigin(configured, baseUrl) ? settings.apiKey.value.reveal() : undefined;
  // The shipped key is public: it is the sandbox's, wherever that runs.
  return shipped.baseUrl === undefined || isSameOrigin(shipped.baseUrl, baseUrl) ? shipped.apiKey : undefined;
}

function isSameOrigin(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return new URL(a).origin === new URL(b).origin;
}

export class UnknownNetworkError extends BaseError {
  override name = 'UnknownNetworkError';
  constructor(config: Config.Config, name: string) {
    const known = [...new Set([...NetworkRegistry.names, ...config.networks.keys()])].filter((each) => each !== name);
    const near = nearest(name, known);
    const isHalf = config.networks.has(name);
    super('config.unknown-network', `There is no network ${name}.`, {
      facts: [['networks', known.join(', ')]],
      hint: isHalf
        ? `The user file names ${name} and gives it no baseUrl.`
        : near
          ? `Did you mean ${near}?`
          : 'A network of your own needs the base URL of its service.',
      // Under a network that exists, so that the command can run.
      next:
        near && !isHalf
          ? `ferry config set network ${near} --network sandbox`
          : `ferry config set networks.${name}.baseUrl <url> --network sandbox`,
    });
  }
}

export class UndescribedChainError extends BaseError {
  override name = 'UndescribedChainError';
  constructor(network: string, key: string, source: Config.Row['source'] | undefined) {
    super('config.invalid', `ferry ships no chain ${key}, so networks.${network}.chains.${key} needs its id.`, {
      facts: source && 'path' in source ? [['file', source.path]] : [],
      next: `ferry config set networks.${network}.chains.${key}.id <chain id> --network sandbox`,
    });
  }
}

export class ChainIdError extends BaseError {
  override name = 'ChainIdError';
  constructor(network: string, key: string, chain: Chain) {
    super('config.invalid', `networks.${network}.chains.${key}.id must be ${chain.id}, the id of ${chain.name}.`);
  }
}
