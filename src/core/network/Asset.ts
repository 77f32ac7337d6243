/**
 * Assets: what the shipped tokens are worth. A token's asset is shipped data and never concluded from its symbol, which
 * anybody can give to a token. Tokens of one asset, such as ether and its wrapped form, are worth the same.
 */
import * as AddressText from '../base/AddressText.js';
import type * as Network from './Network.js';

/** The asset of tokens that stand for one US dollar each. */
export const dollar = 'USD';

/** The asset of a token; undefined if ferry does not know what it is worth. */
export function of(chain: Network.Chain, address: string): string | undefined {
  return [chain.native, ...chain.tokens].find((token) => AddressText.isEqual(token.address, address))?.asset;
}
