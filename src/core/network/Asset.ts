/**
 * Assets: what the shipped tokens are worth. A token's asset is shipped data and never concluded from its symbol, which
 * anybody can give to a token. Tokens of one asset, such as ether and its wrapped form, are worth the same.
 */
import type { Address } from '../base/Address.js';
import type * as Network from './Network.js';

/** The asset of tokens that stand for one US dollar each. */
export const dollar = 'USD';

/** A price feed on a chain, with Chainlink's interface: the dollars that one unit of an asset costs. */
export type Feed = {
  address: Address;
  /** Decimals of its answer. */
  decimals: number;
  /** Seconds after which it publishes a round at the latest. */
  heartbeat: number;
};

/** The asset of a token; undefined if ferry does not know what it is worth. */
export function of(chain: Network.Chain, address: string): string | undefined {
  const wanted = address.toLowerCase();
  return [chain.native, ...chain.tokens].find((token) => token.address.toLowerCase() === wanted)?.asset;
}
