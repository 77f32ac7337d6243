/** A network: one deployment of the service with the chains it reaches. */
import type { Address } from '../base/Address.js';
import { BaseError } from '../base/Errors.js';
import { nearest } from '../text/DidYouMean.js';
import type { Limits } from './RateLimit.js';

/** A deployment of the service, the chains that it reaches, and whom ferry believes there. */
export type Network = {
  name: string;
  /** Undefined for the sandbox until it runs. */
  baseUrl: string | undefined;
  /** Whether a transfer on it moves real money. */
  realMoney: boolean;
  apiKey?: string | undefined;
  referrer?: string | undefined;
  /** How many requests its service may be asked; undefined for as many as one likes. */
  rateLimit?: Limits | undefined;
  chains: readonly Chain[];
  /** Who may fill orders and the chain by which orders name them; who else submits for the service. */
  solver?: { chainSlug: string; addresses: readonly Address[]; relayers?: readonly Address[] } | undefined;
  /** Where the venue itself is asked and paid; undefined where ferry does not know it. */
  venue?: Venue | undefined;
};

/** The venue behind chain 3586256: another host than the service, with signatures and account numbers of its own. */
export type Venue = {
  /** Undefined for the sandbox until it runs. */
  baseUrl: string | undefined;
  /** What the venue's signatures are bound to. It is not the service's chain id, and no answer tells it. */
  signingChainId: number;
  /** The user's account there; else the wallet's first. */
  accountIndex?: number | undefined;
  /** The slot of the API key that signs. */
  apiKeyIndex?: number | undefined;
};

/** A chain as ferry knows it: by its own data or the user’s, never by the service’s word. */
export type Chain = {
  /** The service's chain id; for an EVM chain also the one that is signed. */
  id: number;
  /** What a person types: `base`, `alpha`. */
  name: string;
  displayName: string;
  /** The name in `protocol.v2`. */
  slug: string;
  vm: 'evm' | 'lvm';
  native: Token;
  rpcUrl?: string | undefined;
  explorerUrl?: string | undefined;
  contracts: Contracts;
  tokens: readonly Token[];
};

/** The contracts that may be paid or approved, and what an account may be delegated to. */
export type Contracts = {
  depository?: Address | undefined;
  router?: Address | undefined;
  approvalProxy?: Address | undefined;
  /** The wrapped native token. */
  wrapped?: Address | undefined;
  /** The code to which an account may be delegated (EIP-7702). It is neither paid nor approved. */
  batchExecutor?: Address | undefined;
  /** On the venue: the account indices that take withdrawals. */
  accounts?: readonly string[] | undefined;
};

/** A token of a chain. */
export type Token = {
  symbol: string;
  name: string;
  /** EVM address, or the venue's currency `0`. */
  address: string;
  decimals: number;
};

/** The chain of a name or id as typed. @throws request.unknown-chain */
export function chain(network: Network, text: string): Chain {
  const wanted = text.toLowerCase();
  const found = network.chains.find((c) => c.name === wanted || String(c.id) === wanted);
  if (!found) throw new UnknownChainError(network, text);
  return found;
}

/** The chain of an id, if the network has it. */
export function chainById(network: Network, id: number): Chain | undefined {
  return network.chains.find((c) => c.id === id);
}

/** The native asset or a well-known token of the chain, by symbol or address in any case. */
export function token(on: Chain, text: string): Token | undefined {
  const wanted = text.toLowerCase();
  return [on.native, ...on.tokens].find((t) => t.symbol.toLowerCase() === wanted || t.address.toLowerCase() === wanted);
}

/** A transaction's page in the chain's explorer; undefined where the chain has none. */
export function transactionUrl({ explorerUrl }: Pick<Chain, 'explorerUrl'>, txHash: string): string | undefined {
  return explorerUrl ? `${explorerUrl}/tx/${txHash}` : undefined;
}

/** No chain of that name or id. */
export class UnknownChainError extends BaseError {
  override name = 'UnknownChainError';
  constructor(network: Network, text: string) {
    const names = network.chains.map((c) => c.name);
    const near = nearest(text, names);
    super('request.unknown-chain', `The network ${network.name} has no chain "${text}".`, {
      facts: [['chains', names.length > 8 ? `${names.slice(0, 8).join(', ')}, …` : names.join(', ')]],
      hint: near ? `Did you mean ${near}?` : undefined,
      next: 'ferry chains',
    });
  }
}

/** A chain of which no node is known. */
export class NoRpcError extends BaseError {
  override name = 'NoRpcError';
  constructor(chain: string, network: Network) {
    super('chain.no-rpc', `No RPC URL is configured for ${chain}.`, {
      hint: `Set FERRY_RPC_URL_${chain.toUpperCase()}, or write it to your configuration.`,
      next: `ferry config set networks.${network.name}.chains.${chain}.rpcUrl <url>`,
    });
  }
}
