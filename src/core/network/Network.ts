/** A network: one deployment of the service with the chains it supports. */
import type { Address } from '../base/Address.js';
import * as AddressText from '../base/AddressText.js';
import { BaseError } from '../base/Errors.js';
import { nearest } from '../text/DidYouMean.js';
import * as ShellCommand from '../text/ShellCommand.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Limits } from './RateLimit.js';

/** A deployment of the service, its chains, and the parties that ferry trusts on it. */
export type Network = {
  name: string;
  /** The service's URL; undefined for the sandbox until it runs. */
  baseUrl: string | undefined;
  /** The variable that the URL comes from. It overrides the setting. */
  urlVariable?: string | undefined;
  /** Whether transfers on it move real money. */
  realMoney: boolean;
  apiKey?: string | undefined;
  /** Further API keys of the service, each with limits of its own. */
  apiKeys?: readonly string[] | undefined;
  referrer?: string | undefined;
  /** The service's request limits; undefined for none. */
  rateLimit?: Limits | undefined;
  chains: readonly Chain[];
  /**
   * The addresses that may fill orders, the chain by which orders name them, and the service's other submitting
   * accounts.
   */
  solver?: { chainSlug: string; addresses: readonly Address[]; relayers?: readonly Address[] } | undefined;
  /** Names of facts that the user accepts on one witness here. */
  allow?: readonly string[] | undefined;
  /** `two`: the user lets nothing pass that rests on one witness. */
  witnesses?: 'one' | 'two' | undefined;
  /** The venue; undefined if the network has none that ferry knows. */
  venue?: Venue | undefined;
};

/** The venue behind chain 3586256: a separate host from the service, with its own signatures and account indices. */
export type Venue = {
  /** The venue's URL; undefined for the sandbox until it runs. */
  baseUrl: string | undefined;
  urlVariable?: string | undefined;
  /** The chain id that the venue's signatures are bound to. Not the service's chain id; no endpoint reports it. */
  signingChainId: number;
  /** The user's account on the venue. Defaults to the wallet's first. */
  accountIndex?: number | undefined;
  /** The accounts of wallets that ferry ships, by wallet in lower case: those of the sandbox. */
  accounts?: Readonly<Record<string, string>> | undefined;
  /** The slot of the API key that signs. */
  apiKeyIndex?: number | undefined;
};

/**
 * A kind of chain, named as the service names it: EVM chains, the venue, and the others by their virtual machine or
 * address form.
 */
export type Vm = 'evm' | 'lvm' | 'svm' | 'bvm' | 'tvm' | 'tonvm' | 'hypevm';

/** A chain as shipped with ferry or configured by the user, never as reported by the service. */
export type Chain = {
  /** The service's chain id. For an EVM chain, also the one in signed transactions. */
  id: number;
  /** The name that users type: `base`, `alpha`. */
  name: string;
  displayName: string;
  /** The chain's name in the order protocol. */
  slug: string;
  vm: Vm;
  native: Token;
  rpcUrl?: string | undefined;
  urlVariable?: string | undefined;
  /** Further nodes, which are asked if the first does not answer, and must agree with it on what decides about money. */
  rpcUrls?: readonly string[] | undefined;
  urlsVariable?: string | undefined;
  explorerUrl?: string | undefined;
  /** The highest tip per unit of gas that is paid, in wei, where 3 gwei are too little for the chain. */
  maxTipWei?: bigint | undefined;
  contracts: Contracts;
  tokens: readonly Token[];
  /** Price feeds by asset. */
  feeds?: Readonly<Record<string, Feed>> | undefined;
  /** On a rollup: the feed that says whether its sequencer is up. While it is down, the chain's prices are old. */
  sequencerFeed?: Address | undefined;
};

/** A price feed on a chain, with Chainlink's interface: the dollars that one unit of an asset costs. */
export type Feed = {
  address: Address;
  /** Decimals of its answer. */
  decimals: number;
  /** Seconds after which it publishes a round at the latest. */
  heartbeat: number;
};

/** The contracts that ferry may pay or approve, and the code that an account may delegate to. */
export type Contracts = {
  depository?: Address | undefined;
  router?: Address | undefined;
  approvalProxy?: Address | undefined;
  /** The wrapped native token. */
  wrapped?: Address | undefined;
  /** The code that an account may delegate to (EIP-7702). It is never paid or approved. */
  batchExecutor?: Address | undefined;
  /** KyberSwap's router, which reverts below a swap's minimum. Known where its publisher lists the chain. */
  kyberSwap?: Address | undefined;
  /** Uniswap's router, one of whose commands reverts if a balance is too low. It is never paid or approved. */
  universalRouter?: Address | undefined;
  /** What creates strict deposit addresses, and the code that they run. Neither is paid or approved. */
  depositFactory?: Address | undefined;
  depositImplementation?: Address | undefined;
  /** On the venue: the account indices that receive withdrawals. */
  accounts?: readonly string[] | undefined;
};

/** A token of a chain. */
export type Token = {
  symbol: string;
  name: string;
  /** An address in the form of the chain, or what stands there for its native asset; on the venue the currency `0`. */
  address: string;
  decimals: number;
  /**
   * What it is worth; undefined if ferry does not know. It is shipped data and never concluded from the symbol, which
   * anybody can give to a token. Tokens of one asset, such as ether and its wrapped form, are worth the same.
   */
  asset?: string | undefined;
};

/** The asset of tokens that stand for one US dollar each. */
export const dollar = 'USD';

/** Every API key of the service, the first one first. */
export function apiKeysOf({ apiKey, apiKeys = [] }: Pick<Network, 'apiKey' | 'apiKeys'>): string[] {
  return apiKey === undefined ? [] : [apiKey, ...apiKeys];
}

/** Finds a chain by name, in any case, or by id. @throws request.unknown-chain */
export function chain(network: Network, text: string): Chain {
  const wanted = text.toLowerCase();
  const found = network.chains.find((c) => c.name === wanted || String(c.id) === wanted);
  if (!found) throw new UnknownChainError(network, text);
  return found;
}

/** Finds a chain by id. */
export function chainById(network: Network, id: number): Chain | undefined {
  return network.chains.find((c) => c.id === id);
}

/** Finds the native asset or a well-known token of a chain by symbol, in any case, or by address. */
export function token(on: Chain, text: string): Token | undefined {
  const wanted = text.toLowerCase();
  return [on.native, ...on.tokens].find(
    (t) => t.symbol.toLowerCase() === wanted || AddressText.isEqual(t.address, text),
  );
}

/** The same by address alone: what a service sends as an address must not be taken for a symbol. */
export function tokenAt(on: Chain, address: string): Token | undefined {
  return [on.native, ...on.tokens].find((each) => AddressText.isEqual(each.address, address));
}

/** The URL of a transaction in the chain's explorer; undefined if the chain has none. */
export function transactionUrl({ explorerUrl }: Pick<Chain, 'explorerUrl'>, txHash: string): string | undefined {
  return explorerUrl ? `${explorerUrl}/tx/${txHash}` : undefined;
}

/** What wallets and exchanges call some chains. */
const synonyms: Readonly<Record<string, string>> = {
  arb: 'arbitrum',
  avax: 'avalanche',
  bsc: 'bnb',
  eth: 'ethereum',
  mainnet: 'ethereum',
  matic: 'polygon',
  op: 'optimism',
  pol: 'polygon',
  sol: 'solana',
};

/** The name of the chain that a word stands for elsewhere; else the word itself. */
export function usualName(text: string): string {
  const word = text.toLowerCase();
  return (Object.hasOwn(synonyms, word) ? synonyms[word] : undefined) ?? word;
}

/** Thrown if the network has no chain with that name or id. */
export class UnknownChainError extends BaseError {
  override name = 'UnknownChainError';
  /** The network that was asked. */
  readonly network: string;
  /** What was taken for a chain. */
  readonly text: string;
  /** The chain that was probably meant. */
  readonly near: string | undefined;
  constructor(network: Network, text: string) {
    const names = network.chains.map((c) => c.name);
    const usual = usualName(text);
    const near = names.includes(usual) ? usual : nearest(text, names);
    super('request.unknown-chain', `The network ${network.name} has no chain "${text}".`, {
      facts: [['chains', TerminalText.few(names)]],
      hint: near ? `Did you mean ${near}?` : undefined,
      next: 'ferry chains',
    });
    this.network = network.name;
    this.text = text;
    this.near = near;
  }
}

/** The command that sets another URL, by its key in files and by the variable that it comes from, if any. */
export function settingUrl(key: string, variable: string | undefined): string {
  return variable === undefined ? ShellCommand.line`ferry config set ${key} <url>` : `export ${variable}=<url>`;
}

/** Thrown if a chain has no RPC URL. */
export function noRpc(chain: string, network: Network): BaseError {
  return new BaseError('chain.no-rpc', `No RPC URL is configured for ${chain}.`, {
    hint: `Set FERRY_RPC_URL_${chain.toUpperCase().replaceAll('-', '_')}, or add it to your configuration.`,
    next: ShellCommand.line`ferry config set networks.${network.name}.chains.${chain}.rpcUrl <url>`,
  });
}
