/** The state of the sandbox's world at one moment, as far as prices depend on it. */
import { type Address, isEqual, native } from '../core/Address.js';

export type Market = {
  /** Unix time in milliseconds. */
  nowMs: number;
  solver: Address;
  /** Takes the fees of swaps that run in the user's own transaction. */
  feeCollector: Address;
  chains: readonly Chain[];
};

export type Chain = {
  id: number;
  /** The name in `protocol.v2`. */
  slug: string;
  displayName: string;
  /** What a unit of gas costs now. */
  gasPriceWei: bigint;
  /** What a step's transaction may pay at most. */
  maxFeePerGasWei: bigint;
  maxPriorityFeePerGasWei: bigint;
  contracts: { depository: Address; router: Address; approvalProxy: Address; wrapped: Address };
  /** The native asset among them. */
  tokens: readonly Token[];
  pools: readonly Pool[];
};

export type Token = {
  symbol: string;
  name: string;
  decimals: number;
  address: Address;
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
export function chainById(market: Market, id: number): Chain | undefined {
  return market.chains.find((chain) => chain.id === id);
}

/** The token of an address in any case, if the chain has it. */
export function tokenAt(chain: Chain, address: string): Token | undefined {
  return chain.tokens.find((token) => isEqual(token.address, address));
}

/** The chain's own currency. */
export function nativeOf(chain: Chain): Token {
  const token = tokenAt(chain, native);
  if (!token) throw new Error(`The market of ${chain.slug} has no native token.`);
  return token;
}

/** The token that stands for another chain's token: the one of the same symbol. */
export function counterpart(chain: Chain, token: Token): Token | undefined {
  return chain.tokens.find((candidate) => candidate.symbol === token.symbol);
}

export function isNative(token: Token): boolean {
  return isEqual(token.address, native);
}

/** Whether the two are the chain's own currency and its wrapped token, either way round. */
export function isWrapPair(chain: Chain, a: Token, b: Token): boolean {
  const { wrapped } = chain.contracts;
  return (isNative(a) && isEqual(b.address, wrapped)) || (isEqual(a.address, wrapped) && isNative(b));
}

/** The address that pools know: the wrapped token's for the chain's own currency. */
export function poolAddress(chain: Chain, token: Token): Address {
  return isNative(token) ? chain.contracts.wrapped : token.address;
}
