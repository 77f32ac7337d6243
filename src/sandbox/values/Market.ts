/** The state of the sandbox's world at one moment, as far as prices depend on it. */
import { type Address, isEqual, native } from '../../core/base/Address.js';
import type * as PartyAccount from './PartyAccount.js';

export type Market<chain extends Chain = Chain> = {
  /** Unix time in milliseconds. */
  nowMs: number;
  solver: Address;
  /** Takes the fees of swaps that run in the user's own transaction. */
  feeCollector: Address;
  chains: readonly chain[];
};

/** A chain of contracts, or the venue, which has accounts and nothing else. */
export type Chain = EvmChain | VenueChain;

type Standing = {
  id: number;
  /** The name in `protocol.v2`. */
  slug: string;
  displayName: string;
};

export type EvmChain = Standing & {
  vm: 'evm';
  /** What a unit of gas costs now. */
  gasPriceWei: bigint;
  /** What a step's transaction may pay at most. */
  maxFeePerGasWei: bigint;
  maxPriorityFeePerGasWei: bigint;
  contracts: { depository: Address; router: Address; approvalProxy: Address; wrapped: Address };
  /** The native asset among them. */
  tokens: readonly EvmToken[];
  pools: readonly Pool[];
};

export type VenueChain = Standing & {
  vm: 'lvm';
  /** The account that takes what the service is paid and pays what it owes. */
  relayer: PartyAccount.Index;
  /** Its one currency. */
  tokens: readonly VenueToken[];
  /** Base units that a transfer must have at least. */
  leastTransfer: bigint;
  /** Those that somebody asks about. */
  accounts: readonly VenueAccount[];
};

/** Amounts in base units of the venue's currency. */
export type VenueAccount = {
  index: PartyAccount.Index;
  balance: bigint;
  /** What it pays for a transfer to the relayer, on top of the amount. */
  transferFee: bigint;
  /** What the venue takes of whoever credits it next: nothing once it was credited. */
  activationFee: bigint;
};

export type Token = EvmToken | VenueToken;

export type EvmToken = Traits & { address: Address };

export type VenueToken = Traits & { address: typeof venueCurrency };

type Traits = {
  symbol: string;
  /** The symbol of the same asset on other chains, where it is another. */
  asset?: string | undefined;
  name: string;
  decimals: number;
  /** Millionths of a dollar for one whole token. */
  priceUsd: bigint;
  logoURI: string;
  verified: boolean;
  /** Whether an allowance can only be set from or to zero, as with USDT. */
  needsZeroApproval?: boolean | undefined;
  /** Whether a signature can move it (EIP-3009 and EIP-2612). */
  takesPermits?: boolean | undefined;
  /** What the solver can hand over; undefined for more than enough. */
  solverBalance?: bigint | undefined;
};

/** What stands for the venue's USDC where a chain has an address. */
export const venueCurrency = '0';

/** A constant-product pool. */
export type Pool = {
  address: Address;
  token0: Address;
  token1: Address;
  reserve0: bigint;
  reserve1: bigint;
  feeBps: bigint;
};

/** What the user has of the origin currency, and what may be taken of it. */
export type Wallet = {
  balance: bigint;
  depositoryAllowance: bigint;
  approvalProxyAllowance: bigint;
  /** The user's next nonce of EIP-2612, where the currency takes permits. */
  permitNonce?: bigint | undefined;
};

/** The chain of an id, if there is one. */
export function chainById<chain extends Chain>(market: Pick<Market<chain>, 'chains'>, id: number): chain | undefined {
  return market.chains.find((chain) => chain.id === id);
}

/** The token of an address in any case, if the chain has it. */
export function tokenAt<chain extends Tokens>(chain: chain, address: string): TokenOf<chain> | undefined {
  return chain.tokens.find((token) => isEqual(token.address, address));
}

/** The chain's own currency: what its transactions are paid in. */
export function nativeOf<chain extends Tokens & { slug: string }>(chain: chain): TokenOf<chain> {
  const token = chain.tokens.find(isNative);
  if (!token) throw new Error(`The market of ${chain.slug} has no native token.`);
  return token;
}

/** The token that stands for another chain's token: the one of the same asset. */
export function counterpart<chain extends Tokens>(chain: chain, token: Token): TokenOf<chain> | undefined {
  return chain.tokens.find((candidate) => assetOf(candidate) === assetOf(token));
}

type Tokens = { tokens: readonly Token[] };
type TokenOf<chain extends Tokens> = chain['tokens'][number];

/** What a token is on any chain: `USDC` for the venue's `USDC (Perp)`. */
export function assetOf(token: Token): string {
  return token.asset ?? token.symbol;
}

export function isNative(token: Token): boolean {
  return token.address === venueCurrency || isEqual(token.address, native);
}

/** The account of an index, if there is one. */
export function accountAt(chain: VenueChain, index: PartyAccount.Account): VenueAccount | undefined {
  return chain.accounts.find((account) => account.index === index);
}

/** Whether the two are the chain's own currency and its wrapped token, either way round. */
export function isWrapPair(chain: EvmChain, a: Token, b: Token): boolean {
  const { wrapped } = chain.contracts;
  return (isNative(a) && isEqual(b.address, wrapped)) || (isEqual(a.address, wrapped) && isNative(b));
}

/** The address that pools know: the wrapped token's for the chain's own currency. */
export function poolAddress(chain: EvmChain, token: EvmToken): Address {
  return isNative(token) ? chain.contracts.wrapped : token.address;
}
