/** A snapshot of the state that prices depend on. */
import { type Address, isEqual, native } from '../../core/base/Address.js';
import type { Deployment } from './deployment.js';
import type * as PartyAccount from './PartyAccount.js';

export type Market<chain extends Chain = Chain> = {
  /** Unix time in milliseconds. */
  nowMs: number;
  chains: readonly chain[];
};

/** An EVM chain, the venue, which has accounts but no contracts, or the chain that only pays out. */
export type Chain = EvmChain | VenueChain | SvmChain;

type ChainIdentity = {
  id: number;
  /** The identifier in `protocol.v2`. */
  slug: string;
  displayName: string;
};

export type EvmChain = ChainIdentity & {
  vm: 'evm';
  gasPriceWei: bigint;
  /** Fee cap of step transactions. */
  maxFeePerGasWei: bigint;
  maxPriorityFeePerGasWei: bigint;
  contracts: Contracts;
  /** Includes the native token. */
  tokens: readonly EvmToken[];
  pools: readonly Pool[];
};

export type Contracts = { wrapped: Address } & Pick<
  Deployment,
  | 'depository'
  | 'router'
  | 'approvalProxy'
  | 'multicall3'
  | 'aggregator'
  | 'swapExecutor'
  | 'depositFactory'
  | 'depositImplementation'
>;

export type VenueChain = ChainIdentity & {
  vm: 'lvm';
  /** The service's account: receives deposits and pays withdrawals. */
  relayer: PartyAccount.Index;
  /** Holds a single currency. */
  tokens: readonly VenueToken[];
  /** Minimum transfer, in base units. */
  minTransfer: bigint;
  /** The accounts involved in the quote. */
  accounts: readonly VenueAccount[];
};

/** The chain of Solana's kind. Nothing is deposited there. */
export type SvmChain = ChainIdentity & {
  vm: 'svm';
  /** SOL, which pays the fees, and what the solver pays out. */
  tokens: readonly SvmToken[];
};

/** Amounts in base units of the venue's currency. */
export type VenueAccount = {
  index: PartyAccount.Index;
  balance: bigint;
  /** The fee for a transfer to the relayer, on top of the amount. */
  transferFee: bigint;
  /** Deducted by the venue from the account's first credit; 0 once the account has been credited. */
  activationFee: bigint;
};

export type Token = EvmToken | VenueToken | SvmToken;

export type EvmToken = TokenFields & { address: Address };

/** With what the relayer can pay out; on the chains the solver has more than anybody can ask for. */
export type VenueToken = TokenFields & { address: typeof venueCurrency; solverBalance?: bigint | undefined };

export type SvmToken = TokenFields & { address: PartyAccount.Key };

type TokenFields = {
  symbol: string;
  /** The symbol of the underlying asset, if it differs from `symbol`. */
  asset?: string | undefined;
  name: string;
  decimals: number;
  /** USD per whole token, in millionths. */
  priceUsd: bigint;
  /** Whether a nonzero allowance must be reset to zero before it can be changed, as with USDT. */
  needsZeroApproval?: boolean | undefined;
  /** Whether the token supports EIP-3009 and EIP-2612. */
  takesPermits?: boolean | undefined;
};

/** The venue's placeholder for a token address: its only currency, USDC. */
export const venueCurrency = '0';

/** What stands for SOL on the chain of Solana's kind. */
const solNative = '11111111111111111111111111111111';

export type Pool = {
  address: Address;
  token0: Address;
  token1: Address;
  reserve0: bigint;
  reserve1: bigint;
  feeBps: bigint;
};

/** The user's balance and allowances of the origin currency. */
export type Wallet = {
  balance: bigint;
  depositoryAllowance: bigint;
  approvalProxyAllowance: bigint;
};

export const emptyWallet: Wallet = { balance: 0n, depositoryAllowance: 0n, approvalProxyAllowance: 0n };

export function chainById<chain extends Chain>(market: Pick<Market<chain>, 'chains'>, id: number): chain | undefined {
  return market.chains.find((chain) => chain.id === id);
}

/** The token at an address (case-insensitive), if the chain lists it. */
export function tokenAt<chain extends Tokens>(chain: chain, address: string): TokenOf<chain> | undefined {
  return chain.tokens.find((token) => isEqual(token.address, address));
}

/** The chain's native token. Throws if the market lists none. */
export function nativeOf<chain extends Tokens & { slug: string }>(chain: chain): TokenOf<chain> {
  const token = chain.tokens.find(isNative);
  if (!token) throw new Error(`The market of ${chain.slug} has no native token.`);
  return token;
}

/** The token of the same asset on another chain. */
export function counterpart<chain extends Tokens>(chain: chain, token: Token): TokenOf<chain> | undefined {
  return chain.tokens.find((candidate) => assetOf(candidate) === assetOf(token));
}

type Tokens = { tokens: readonly Token[] };
type TokenOf<chain extends Tokens> = chain['tokens'][number];

/** The asset that a token represents on every chain: `USDC` for the venue's `USDC (Perp)`. */
export function assetOf(token: Token): string {
  return token.asset ?? token.symbol;
}

/** Whether the solver takes deposits of the token for any order. */
export function isSolverCurrency(token: Token): boolean {
  return isNative(token) || assetOf(token) === 'USDC';
}

export function isNative(token: Pick<Token, 'address'>): boolean {
  return [venueCurrency, solNative].includes(token.address) || isEqual(token.address, native);
}

/** An address as the service states it: an EVM address in lower case. */
export function stated(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address;
}

export function accountAt(chain: VenueChain, index: PartyAccount.Account): VenueAccount | undefined {
  return chain.accounts.find((account) => account.index === index);
}

/** Whether the two tokens are the native token and its wrapped form, in either order. */
export function isWrapPair(chain: EvmChain, a: Token, b: Token): boolean {
  const { wrapped } = chain.contracts;
  return (isNative(a) && isEqual(b.address, wrapped)) || (isEqual(a.address, wrapped) && isNative(b));
}

/** The address that pools use for a token: the wrapped token's address for the native token. */
export function poolAddress(chain: EvmChain, token: EvmToken): Address {
  return isNative(token) ? chain.contracts.wrapped : token.address;
}
