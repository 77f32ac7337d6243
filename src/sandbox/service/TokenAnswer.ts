/** Builds the response of `GET /chains/{chainId}/currencies/{address}`. */
import type * as TokenDetails from '../../core/api/foreign/TokenDetails.js';
import * as Market from '../values/Market.js';

type Chain = Pick<Market.Chain, 'vm' | 'id' | 'tokens'>;

/** The currency at the address; undefined if the sandbox has no such chain or currency. */
export function from(
  chains: readonly Chain[],
  { chainId, address }: TokenDetails.Parameters,
): TokenDetails.Response | undefined {
  const chain = chains.find(({ id }) => id === chainId);
  const token = chain && Market.tokenAt(chain, address);
  if (!token) return undefined;
  const { symbol, name, decimals, logoURI, verified, priceUsd } = token;
  const metadata = { logoURI, verified, isNative: Market.isNative(token) };
  const price = Number(priceUsd) / 1e6;
  return { chainId, address: token.address, symbol, name, decimals, vmType: chain.vm, metadata, price };
}
