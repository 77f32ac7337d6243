/** The tokens of the model, what they are worth by no word of the service's, and the network that ferry knows them by. */
import type { Address } from '../../../src/core/base/Address.js';
import type * as Network from '../../../src/core/network/Network.js';
import * as market from '../market.js';
import * as quoted from '../quoted.js';

export type ChainName = 'alpha' | 'beta';

export type ModelToken = {
  chain: ChainName;
  symbol: string;
  address: Address;
  decimals: number;
  /** Millionths of a dollar for a whole token; zero if nobody but the service has a price. */
  priceUsd: bigint;
};

/** What a token is the same as, in ferry's data; a token without an asset has no price. */
const assets: Readonly<Record<string, string>> = {
  ETH: 'ETH',
  WETH: 'ETH',
  USDC: 'USD',
  USDT: 'USD',
  DAI: 'USD',
  GULL: 'GULL',
};

const kelp = (tag: string): Address => `0x${tag}${'6'.padStart(39, '0')}`;

const chains = { alpha: market.alpha, beta: market.beta } as const;

export const tokens: readonly ModelToken[] = (['alpha', 'beta'] as const).flatMap((chain) => [
  ...chains[chain].tokens.map(({ symbol, address, decimals, priceUsd }) => ({
    ...{ chain, symbol, address, decimals, priceUsd },
  })),
  { chain, symbol: 'KELP', address: kelp(chain === 'alpha' ? 'a' : 'b'), decimals: 18, priceUsd: 0n },
]);

export function token(chain: ChainName, symbol: string): ModelToken {
  const found = tokens.find((each) => each.chain === chain && each.symbol === symbol);
  if (!found) throw new Error(`no ${symbol} on ${chain}`);
  return found;
}

/** Whether two tokens are worth the same by what they are. */
export function isSameAsset(one: ModelToken, other: ModelToken): boolean {
  return assets[one.symbol] !== undefined && assets[one.symbol] === assets[other.symbol];
}

/** Millionths of a dollar. */
export function worth({ decimals, priceUsd }: ModelToken, amount: bigint): bigint {
  return (amount * priceUsd) / 10n ** BigInt(decimals);
}

/** Base units that are worth so many millionths of a dollar; of what has no price, as many as dollars. */
export function amountOf({ decimals, priceUsd }: ModelToken, usd: bigint): bigint {
  return (usd * 10n ** BigInt(decimals)) / (priceUsd === 0n ? 1_000_000n : priceUsd);
}

export function chainId(chain: ChainName): number {
  return chains[chain].id;
}

export function contracts(chain: ChainName): (typeof market.alpha)['contracts'] {
  return chains[chain].contracts;
}

/** Where the price of an asset is read: the same address on every chain of the model. */
const feedOf: Readonly<Record<string, Address>> = {
  ETH: '0xfeed000000000000000000000000000000000001',
  GULL: '0xfeed000000000000000000000000000000000002',
};

/** What a feed answers, with eight decimals. */
export function feedAnswer(feed: string): bigint {
  const asset = Object.keys(feedOf).find((each) => feedOf[each] === feed.toLowerCase());
  if (!asset) throw new Error(`no feed at ${feed}`);
  return token('alpha', asset).priceUsd * 100n;
}

/** The chains as ferry is shipped them. */
export const network: Network.Network = {
  ...quoted.network,
  chains: quoted.network.chains.map((chain) => {
    const name = chain.name as ChainName;
    const known = (shipped: Network.Token): Network.Token => ({ ...shipped, asset: assets[shipped.symbol] });
    const { address, decimals } = token(name, 'KELP');
    return {
      ...chain,
      native: known(chain.native),
      tokens: [...chain.tokens.map(known), { symbol: 'KELP', name: 'Kelp', address, decimals }],
      contracts: { ...chain.contracts, kyberSwap: contracts(name).aggregator },
      feeds: Object.fromEntries(
        Object.entries(feedOf).map(([asset, feed]) => [asset, { address: feed, decimals: 8, heartbeat: 3600 }]),
      ),
    };
  }),
};
