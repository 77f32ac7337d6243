/** Classifies a quote by its currencies, and the platform fee of each class in basis points. */
import { assetOf, type Chain, isWrapPair, type Token } from './Market.js';

export type TransactionType = 'bridge' | 'wrap' | 'stablecoin' | 'major' | 'minor';

const majorStablecoins: ReadonlySet<string> = new Set([
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
]);

const majorTokens: ReadonlySet<string> = new Set(['ETH', 'WETH', 'BTC', 'WBTC', 'SOL', 'WSOL', 'POL', 'BNB', 'PLUME']);

/** Of the input. */
export const platformBps: Readonly<Record<TransactionType, bigint>> = {
  bridge: 0n,
  wrap: 0n,
  stablecoin: 1n,
  major: 6n,
  minor: 15n,
};

/**
 * The class of a swap between two currencies. The native token and its wrapped form are a wrap on one chain and a major
 * swap across chains; a listed and an unlisted token are a minor swap.
 */
export function classify(from: { chain: Chain; token: Token }, to: { chain: Chain; token: Token }): TransactionType {
  const a = assetOf(from.token);
  const b = assetOf(to.token);
  if (a === b) return 'bridge';
  const { chain } = from;
  if (chain.vm === 'evm' && chain.id === to.chain.id && isWrapPair(chain, from.token, to.token)) return 'wrap';
  if (majorStablecoins.has(a) && majorStablecoins.has(b)) return 'stablecoin';
  if (isListed(a) && isListed(b)) return 'major';
  return 'minor';
}

function isListed(symbol: string): boolean {
  return majorStablecoins.has(symbol) || majorTokens.has(symbol);
}
