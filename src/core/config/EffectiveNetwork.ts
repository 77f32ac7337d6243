/** The network in use: the shipped table with the user's settings applied. */

import { BaseError } from '../base/Errors.js';
import type { Secret } from '../base/Secret.js';
import * as Url from '../base/Url.js';
import { type Chain, type Network, usualName } from '../network/Network.js';
import * as NetworkRegistry from '../network/NetworkRegistry.js';
import * as RateLimit from '../network/RateLimit.js';
import type { SandboxInstance } from '../ports/SandboxProcess.js';
import { nearest } from '../text/DidYouMean.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as TerminalText from '../text/TerminalText.js';
import type * as Config from './Config.js';
import type { ChainSettings, NetworkSettings } from './ConfigFile.js';
import * as SettingDefinitions from './SettingDefinitions.js';
import type * as SettingFormat from './SettingFormat.js';
import { formatSource } from './SettingFormat.js';

/**
 * Builds a network by name, by default the configured one.
 *
 * Variables (`FERRY_BASE_URL`, `FERRY_API_KEY`, `FERRY_API_KEYS`, `FERRY_REFERRER`, `FERRY_RPC_URL_…`) apply to the
 * network in use; the user file applies to the networks that it names. An API key belongs to the origin that it was
 * configured for: if a source of higher precedence changes the origin, the key is omitted.
 *
 * @throws config.unknown-network · config.invalid for an unknown chain that the file does not describe
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
    urlVariable: variableOf(config.baseUrl),
    realMoney: shipped.realMoney,
    solver: shipped.solver,
    ...apiKeys(config, settings, shipped, { configured, baseUrl }),
    // A referrer is useless without its key: the service rejects it.
    referrer:
      config.referrer.value ??
      (isSameOrigin(configured, baseUrl) ? settings?.referrer?.value : undefined) ??
      shipped.referrer,
    rateLimit: rateLimit(config, settings, baseUrl),
    allow: config.allow.value ?? settings?.allow?.value,
    witnesses: config.witnesses.value === 'two' ? 'two' : undefined,
    venue: venue(config, settings, shipped),
    chains: chains(name, shipped, settings).map((chain) => {
      const variable = SettingDefinitions.rpcUrlVariable(chain.name).slice(SettingDefinitions.rpcUrlPrefix.length);
      const [first, more] = [config.rpcUrls.get(variable), config.moreRpcUrls.get(variable)];
      return {
        ...chain,
        ...(first && { rpcUrl: first.value, urlVariable: variableOf(first) }),
        ...(more && { rpcUrls: more.value, urlsVariable: variableOf(more) }),
      };
    }),
  };
}

/** The variable that a setting comes from; undefined if it comes from elsewhere. */
function variableOf({ source }: Pick<Config.Row, 'source'>): string | undefined {
  return source.kind === 'env' ? source.name : undefined;
}

/**
 * The user's limit, else the published ones, which do not apply to the sandbox or a service on this machine. A
 * project's limit applies in addition.
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
 * The venue's URL and signing chain id. A network that does not ship with ferry has a venue only if the user file sets
 * its signing chain id.
 */
function venue(config: Config.Config, settings: NetworkSettings | undefined, shipped: Network): Network['venue'] {
  const signingChainId = settings?.venue.signingChainId?.value ?? shipped.venue?.signingChainId;
  if (signingChainId === undefined) return undefined;
  return {
    baseUrl: config.venueUrl.value ?? settings?.venue.baseUrl?.value ?? shipped.venue?.baseUrl,
    urlVariable: variableOf(config.venueUrl),
    signingChainId,
    accounts: shipped.venue?.accounts,
    accountIndex: settings?.venue.accountIndex?.value,
    apiKeyIndex: settings?.venue.apiKeyIndex?.value,
  };
}

/** The sandbox's network with the URLs of the running sandbox; URLs that the user set are kept. */
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

/** @throws config.unknown-network unless the network ships with ferry or the user file sets its base URL */
export function assertKnown(config: Config.Config, name: string): void {
  if (!NetworkRegistry.isShipped(name) && !config.networks.get(name)?.baseUrl)
    throw new UnknownNetworkError(config, name);
}

/** Warnings for the user: nodes of a chain that no network has, and an API key that another origin does not get. */
export async function warnings(config: Config.Config, network: Network): Promise<string[]> {
  const settings = config.networks.get(network.name);
  const key = settings?.apiKey ?? settings?.apiKeys;
  const unknown = await unknownChains(config, network);
  if (!key || network.apiKey !== undefined || network.baseUrl === undefined) return unknown;
  return [
    ...unknown,
    `The API key of ${network.name} in ${formatSource(key.source)} belongs to a different origin and is not sent to ${Url.redact(network.baseUrl)}.`,
  ];
}

/** Variables for the nodes of a chain that neither the network in use nor another one has: a typo would leave them unused. */
async function unknownChains(config: Config.Config, network: Network): Promise<string[]> {
  const set = [...config.rpcUrls.values(), ...config.moreRpcUrls.values()].flatMap((each) => variableOf(each) ?? []);
  const chainOf = (variable: string): string => variable.replace(/^FERRY_RPC_URLS?_/, '');
  const suffix = (chain: string): string => chainOf(SettingDefinitions.rpcUrlVariable(chain));
  const here = network.chains.map(({ name }) => suffix(name));
  const odd = set.filter((variable) => !here.includes(chainOf(variable)));
  if (odd.length === 0) return [];
  const shipped = (await NetworkRegistry.all()).flatMap(({ chains }) => chains.map(({ name }) => name));
  const own = [...config.networks.values()].flatMap(({ chains }) => [...chains.keys()]);
  const elsewhere = new Set([...shipped, ...own].map(suffix));
  return odd
    .filter((variable) => !elsewhere.has(chainOf(variable)))
    .map((variable) => {
      const chain = chainOf(variable);
      const usual = suffix(usualName(chain));
      const near = here.includes(usual) ? usual : nearest(chain, here);
      const hint = near ? ` Did you mean ${variable.slice(0, -chain.length)}${near}?` : '';
      return `${TerminalText.escape(variable)} names no chain that ferry knows, so its nodes are not asked.${hint}`;
    });
}

/**
 * A network that does not ship with ferry. By default it moves real money. Of the shipped chains it has those that the
 * file names, or mainnet's if it names none; chains that the file describes are added to them.
 */
async function ownNetwork(name: string, settings: NetworkSettings | undefined): Promise<Network> {
  const realMoney = settings?.realMoney?.value ?? true;
  const tables = await NetworkRegistry.all();
  const known = tables.flatMap((table) => (table.name === 'sandbox' ? table.chains.map(withoutHolders) : table.chains));
  const named = [...(settings?.chains ?? [])].flatMap(([key, each]) => findChain(known, key, each) ?? []);
  const shipped = named.length > 0 ? named : (await NetworkRegistry.load('mainnet')).chains;
  return { name, baseUrl: undefined, realMoney, chains: shipped };
}

/**
 * Contracts of public chains are the same for every service. The sandbox's chain ids may refer to any chain, and the
 * keys that deployed its contracts are public, so on other networks those contracts must be pinned.
 */
function withoutHolders(chain: Chain): Chain {
  return { ...chain, contracts: { wrapped: chain.contracts.wrapped } };
}

/** The chains with the user's URLs applied, plus those that the user describes. */
function chains(name: string, shipped: Network, settings: NetworkSettings | undefined): readonly Chain[] {
  const laid = new Map(shipped.chains.map((chain) => [chain.id, chain]));
  for (const [key, each] of settings?.chains ?? []) {
    const chain = findChain([...laid.values()], key, each) ?? described(name, key, each);
    assertSame(name, key, chain, each);
    laid.set(chain.id, {
      ...chain,
      rpcUrl: each.rpcUrl?.value ?? chain.rpcUrl,
      ...(each.rpcUrls === undefined ? {} : { rpcUrls: each.rpcUrls.value }),
      explorerUrl: each.explorerUrl?.value ?? chain.explorerUrl,
    });
  }
  return [...laid.values()];
}

/** Finds a chain by key, which is its name or id, else by the id that the file sets. */
function findChain(among: readonly Chain[], key: string, { id }: ChainSettings): Chain | undefined {
  const named = among.find((chain) => chain.name === key.toLowerCase() || String(chain.id) === key);
  return named ?? among.find((chain) => chain.id === id?.value);
}

/** What ferry must be told of a chain that it does not ship, in the order to set it, and what to type. None has a default. */
const examples = {
  id: '<chain id>',
  vm: 'evm',
  nativeSymbol: '<symbol>',
  nativeDecimals: '<decimals>',
} as const satisfies Partial<Record<keyof ChainSettings, string>>;
const needed = Object.keys(examples) as (keyof typeof examples)[];

/** A chain without shipped data: its tokens are known by address only, its contracts are unknown. */
function described(network: string, key: string, settings: ChainSettings): Chain {
  const { id, vm, nativeSymbol, nativeDecimals } = settings;
  if (!id || !vm || !nativeSymbol || !nativeDecimals) {
    const [source] = Object.values(settings).map((each) => each.source);
    const at = `networks.${network}.chains.${key}`;
    const missing = needed.filter((each) => !settings[each]);
    const { expects } = SettingDefinitions.chainFormats[missing[0] ?? 'id'];
    throw new BaseError(
      'config.invalid',
      `ferry does not know the chain ${key}, so ${at} needs ${missing.join(', ')}.`,
      {
        facts: source && 'path' in source ? [['file', source.path]] : [],
        hint: `${missing[0]} is ${expects}.`,
        next: `${ShellCommand.line`ferry config set ${at}.${missing[0] ?? 'id'}`} ${examples[missing[0] ?? 'id']} --network sandbox`,
      },
    );
  }
  const symbol = nativeSymbol.value;
  return {
    id: id.value,
    name: key.toLowerCase(),
    displayName: key,
    slug: key.toLowerCase(),
    vm: vm.value,
    native: {
      symbol,
      name: symbol,
      address: '0x0000000000000000000000000000000000000000',
      decimals: nativeDecimals.value,
    },
    contracts: {},
    tokens: [],
  };
}

/** A file may repeat what is known of a chain, but not change it: only its URLs are the user's choice. */
function assertSame(network: string, key: string, chain: Chain, settings: ChainSettings): void {
  const { symbol, decimals } = chain.native;
  const known = { id: chain.id, vm: chain.vm, nativeSymbol: symbol, nativeDecimals: decimals };
  for (const each of needed) {
    const said = settings[each];
    if (said && said.value !== known[each])
      throw new BaseError(
        'config.invalid',
        `Setting networks.${network}.chains.${key}.${each} must be ${known[each]}, the ${each} of ${chain.name}.`,
        {
          facts: 'path' in said.source ? [['file', said.source.path]] : [],
          hint: 'Of a chain that ferry knows, the file may choose the URLs only. Contracts are accepted with ferry contracts accept.',
          next: ShellCommand.line`ferry config set networks.${network}.chains.${key}.${each} ${known[each]} --network sandbox`,
        },
      );
  }
}

/** The keys of one source: those of variables and those of the file are never sent together. */
function apiKeys(
  config: Config.Config,
  settings: NetworkSettings | undefined,
  shipped: Network,
  { configured, baseUrl }: { configured: string | undefined; baseUrl: string | undefined },
): Pick<Network, 'apiKey' | 'apiKeys'> {
  const all = ({ apiKey, apiKeys }: Keys): string[] => [
    ...new Set([apiKey?.value, ...(apiKeys?.value ?? [])].flatMap((each) => each?.reveal() ?? [])),
  ];
  const of = ([apiKey, ...more]: readonly string[]): Pick<Network, 'apiKey' | 'apiKeys'> =>
    more.length === 0 ? { apiKey } : { apiKey, apiKeys: more };
  const typed = all(config);
  if (typed.length > 0) {
    // FERRY_API_KEY belongs to FERRY_BASE_URL. A URL from a flag overrides the URL, so it does not inherit the key.
    const beside = config.baseUrl.source.kind === 'flag' ? configured : baseUrl;
    return of(isSameOrigin(beside, baseUrl) ? typed : []);
  }
  const filed = settings ? all(settings) : [];
  if (filed.length > 0) return of(isSameOrigin(configured, baseUrl) ? filed : []);
  // The shipped key is the sandbox's and public, whatever the sandbox's URL.
  const isOwn = shipped.baseUrl === undefined || isSameOrigin(shipped.baseUrl, baseUrl);
  return of(isOwn && shipped.apiKey !== undefined ? [shipped.apiKey] : []);
}

type Keys = {
  apiKey?: SettingFormat.Setting<Secret | undefined>;
  apiKeys?: SettingFormat.Setting<readonly Secret[] | undefined>;
};

function isSameOrigin(a: string | undefined, b: string | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  return new URL(a).origin === new URL(b).origin;
}

export class UnknownNetworkError extends BaseError {
  override name = 'UnknownNetworkError';
  /** The network that was meant, if one has nearly that name. */
  readonly near: string | undefined;
  constructor(config: Config.Config, name: string) {
    const known = [...new Set([...NetworkRegistry.names, ...config.networks.keys()])].filter((each) => each !== name);
    const near = nearest(name, known) ?? known.find((each) => name.length >= 3 && each.startsWith(name.toLowerCase()));
    const isHalf = config.networks.has(name);
    const { value, source } = config.network;
    super('config.unknown-network', `Unknown network ${name}.`, {
      facts: [
        ...('path' in source && value === name ? ([['set in', source.path]] as const) : []),
        ['networks', known.join(', ')],
      ],
      hint: isHalf
        ? `The user file mentions ${name} but does not set its baseUrl.`
        : near
          ? `Did you mean ${near}?`
          : 'A network of your own needs a base URL.',
      // With an existing network, so the command itself can run. No network becomes the default by a mistyped name.
      next:
        near && !isHalf
          ? 'ferry config list --network sandbox'
          : ShellCommand.line`ferry config set networks.${name}.baseUrl <url> --network sandbox`,
    });
    this.near = isHalf ? undefined : near;
  }
}
