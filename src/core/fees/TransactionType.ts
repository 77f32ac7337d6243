/** Classifies a pair of currencies by the token lists of spec section 8, which determines the platform fee. */
import * as Address from '../base/Address.js';
import * as Network from '../network/Network.js';
import type * as Currency from '../quote/Currency.js';

/** The types of transactions, which determine the platform fee. */
export const types = ['bridge', 'wrap', 'stablecoin', 'major', 'minor'] as const;

export type TransactionType = (typeof types)[number];

/** One side of a pair, as far as the type depends on it. */
export type Side = {
  chainId: number;
  /** Case-sensitive, spelled as in the lists: `USDm` and `USDM` differ. The venue's dollar is `USDC`. */
  symbol: string;
  isNative: boolean;
  /** Whether the token is the chain's wrapped native token. */
  isWrapped: boolean;
};

/** A currency in an answer or a record; any field may be missing. */
export type Named = {
  chainId?: number | undefined;
  address?: string | undefined;
  symbol?: string | undefined;
};

/** The major stablecoins of spec section 8, spelled as there. */
export const majorStablecoins: readonly string[] = [
  'USDC',
  'USDC.e',
  'USDT',
  'USDT0',
  'DAI',
  'USDe',
  'USDS',
  'USD1',
  'PYUSD',
  'USDG',
  'mUSD',
  'USDm',
  'USDH',
  'pUSD',
  'PlumeUSD',
];

/** The major tokens of spec section 8. */
export const majorTokens: readonly string[] = ['ETH', 'WETH', 'BTC', 'WBTC', 'SOL', 'WSOL', 'POL', 'BNB', 'PLUME'];

/**
 * The type of a transaction. The same symbol on both sides is a bridge, even on one chain. A native asset and its
 * wrapped token are a wrap on one chain; across chains the lists decide. A pair with an unlisted token is a minor swap.
 */
export function from(origin: Side, destination: Side): TransactionType {
  if (origin.symbol === destination.symbol) return 'bridge';
  if (isWrapPair(origin, destination)) return 'wrap';
  if (isStablecoin(origin) && isStablecoin(destination)) return 'stablecoin';
  return isListed(origin) && isListed(destination) ? 'major' : 'minor';
}

export function isListed({ symbol }: Pick<Side, 'symbol'>): boolean {
  return majorStablecoins.includes(symbol) || majorTokens.includes(symbol);
}

export function sideOf({ chain, token }: Currency.Currency): Side {
  const { wrapped } = chain.contracts;
  return {
    chainId: chain.id,
    symbol: chain.vm === 'lvm' ? 'USDC' : token.symbol,
    isNative: Address.isEqual(token.address, chain.native.address),
    isWrapped: wrapped !== undefined && Address.isEqual(token.address, wrapped),
  };
}

/**
 * The side of a currency named by the service. The symbol is ferry's if the address is known, else the service's.
 *
 * @returns undefined if there is no symbol
 */
export function sideNamed({ chainId, address, symbol }: Named, network: Network.Network): Side | undefined {
  const chain = chainId === undefined ? undefined : Network.chainById(network, chainId);
  const token = chain && address !== undefined ? Network.token(chain, address) : undefined;
  if (chain && token) return sideOf({ chain, token });
  if (symbol === undefined) return undefined;
  const isNative = address === Address.native;
  return { chainId: chainId ?? 0, symbol: symbol.replace(/ \(Perp\)$/, ''), isNative, isWrapped: false };
}

function isStablecoin({ symbol }: Side): boolean {
  return majorStablecoins.includes(symbol);
}

function isWrapPair(a: Side, b: Side): boolean {
  return a.chainId === b.chainId && ((a.isNative && b.isWrapped) || (a.isWrapped && b.isNative));
}
