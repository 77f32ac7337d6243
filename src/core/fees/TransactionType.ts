/** What kind of transaction a pair of currencies makes, by the lists of spec section 8. */
import * as Address from '../base/Address.js';
import * as Network from '../network/Network.js';
import type * as Currency from '../quote/Currency.js';

/** A kind of transaction, by which the platform’s fee goes. */
export type TransactionType = 'bridge' | 'wrap' | 'stablecoin' | 'major' | 'minor';

/** One side of a pair, as far as its kind depends on it. */
export type Side = {
  chainId: number;
  /** In the spelling of the lists: `USDm` and `USDM` are two tokens. The venue's own dollar is `USDC`. */
  symbol: string;
  isNative: boolean;
  /** Whether it is the chain's wrapped native token. */
  isWrapped: boolean;
};

/** A currency of an answer or a record, where any part may be missing. */
export type Named = {
  chainId?: number | undefined;
  address?: string | undefined;
  symbol?: string | undefined;
};

/** Spec section 8, in its spelling. */
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

/** Spec section 8. */
export const majorTokens: readonly string[] = ['ETH', 'WETH', 'BTC', 'WBTC', 'SOL', 'WSOL', 'POL', 'BNB', 'PLUME'];

/**
 * The type of a transaction. The same token on both sides is bridged, or merely sent. A native asset and its wrapped
 * token are a wrap on one chain, and on two chains whatever the lists make of them. A listed and an unlisted token are
 * a minor swap: the lists speak of pairs of listed ones.
 */
export function from(origin: Side, destination: Side): TransactionType {
  if (origin.symbol === destination.symbol) return 'bridge';
  if (isWrapPair(origin, destination)) return 'wrap';
  if (isStablecoin(origin) && isStablecoin(destination)) return 'stablecoin';
  return isListed(origin) && isListed(destination) ? 'major' : 'minor';
}

/** Whether a symbol is on one of the lists. */
export function isListed({ symbol }: Pick<Side, 'symbol'>): boolean {
  return majorStablecoins.includes(symbol) || majorTokens.includes(symbol);
}

/** A side of a pair that was typed. */
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
 * A side that the service names. What ferry knows by its address goes by ferry's own symbol, anything else by the
 * service's; undefined where there is none.
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
