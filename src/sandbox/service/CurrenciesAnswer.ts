/** Builds the response of `POST /currencies/v2`: a search of the sandbox's tokens. */

import type * as CurrenciesV2 from '../../core/api/catalog/CurrenciesV2.js';
import { isEqual } from '../../core/base/Address.js';
import * as Market from '../values/Market.js';

type Chain = Pick<Market.Chain, 'vm' | 'id' | 'tokens'>;

const defaultLimit = 20;

/** The tokens that match every filter of the request, grouped by chain. */
export function from(chains: readonly Chain[], request: CurrenciesV2.Request): CurrenciesV2.Response {
  const { chainIds, limit = defaultLimit } = request;
  return chains
    .filter((chain) => !chainIds?.length || chainIds.includes(chain.id))
    .flatMap((chain) => {
      const tokens: readonly Market.Token[] = chain.tokens;
      return tokens.filter((token) => isWanted(token, chain, request)).map((token) => entryOf(token, chain));
    })
    .slice(0, limit);
}

function isWanted(token: Market.Token, chain: Chain, request: CurrenciesV2.Request): boolean {
  const { term, address, currencyId, tokens, verified, depositAddressOnly } = request;
  if (depositAddressOnly && !(chain.vm === 'evm' && Market.isSolverCurrency(token))) return false;
  if (address !== undefined && !isEqual(token.address, address)) return false;
  if (currencyId !== undefined && Market.assetOf(token).toLowerCase() !== currencyId.toLowerCase()) return false;
  if (verified !== undefined && token.verified !== verified) return false;
  if (tokens?.length && !tokens.some((name) => isEqual(name, `${chain.id}:${token.address}`))) return false;
  return !term || isFound(token, term.toLowerCase());
}

function isFound({ symbol, name, address }: Market.Token, term: string): boolean {
  return symbol.toLowerCase().includes(term) || name.toLowerCase().includes(term) || address.toLowerCase() === term;
}

function entryOf(token: Market.Token, chain: Chain): CurrenciesV2.Currency {
  const { address, symbol, name, decimals, logoURI, verified } = token;
  const metadata = { logoURI, verified, isNative: Market.isNative(token) };
  return { chainId: chain.id, address, symbol, name, decimals, vmType: chain.vm, metadata };
}
