/** Answers about chains and currencies: `GET /chains`, `POST /currencies/v2`, and one currency with its price. */

import type * as Chains from '../../core/api/catalog/Chains.js';
import type * as CurrenciesV2 from '../../core/api/catalog/CurrenciesV2.js';
import type * as ForeignApi from '../../core/api/ForeignApi.js';
import { type Address, isEqual } from '../../core/base/Address.js';
import * as Market from '../values/Market.js';

/** A chain with its RPC URL and solver, or the venue, which has no node. */
type ServedChain =
  | (Pick<Market.EvmChain, 'vm' | 'id' | 'slug' | 'displayName' | 'contracts' | 'tokens'> & {
      rpcUrl: string;
      solver: Address;
    })
  | Pick<Market.VenueChain, 'vm' | 'id' | 'slug' | 'displayName' | 'relayer' | 'tokens'>
  | (Market.SvmChain & { rpcUrl: string; solver: string });

/** The response of `GET /chains`: all chains, or those in a comma-separated list of ids. */
export function chainsOf(chains: readonly ServedChain[], includeChains?: string | undefined): Chains.Response {
  const wanted = includeChains?.split(',').map((id) => id.trim());
  return { chains: chains.filter((chain) => !wanted || wanted.includes(String(chain.id))).map(chainOf) };
}

function chainOf(chain: ServedChain): Chains.Chain {
  const { vm, id, slug, displayName } = chain;
  const tokens: readonly Market.Token[] = chain.tokens;
  const [native] = tokens.filter(Market.isNative);
  const erc20s = tokens.filter((token) => !Market.isNative(token));
  const listed = [...(native ? [native] : []), ...erc20s];
  const { rpcUrl, contracts, filler, payee } = endpointsOf(chain);
  return {
    id,
    name: slug,
    displayName,
    httpRpcUrl: rpcUrl,
    // The node of Solana's kind has no WebSocket.
    wsRpcUrl: vm === 'evm' ? rpcUrl.replace(/^http/, 'ws') : '',
    explorerUrl: '',
    explorerName: '',
    explorerPaths: null,
    depositEnabled: vm !== 'svm',
    tokenSupport: 'Limited',
    disabled: false,
    partialDisableLimit: 0,
    blockProductionLagging: false,
    ...(native && { currency: bridgeable(native) }),
    ...free,
    featuredTokens: listed.map((token) => ({ ...bridgeable(token), metadata: { logoURI: '' } })),
    erc20Currencies: erc20s.map((token) => ({
      ...bridgeable(token),
      supportsPermit: token.takesPermits === true,
      ...free,
    })),
    solverCurrencies: listed.map(currencyOf),
    iconUrl: '',
    logoUrl: '',
    ...(contracts && { contracts }),
    vmType: vm,
    baseChainId: null,
    statusMessage: null,
    solverAddresses: [Market.stated(filler)],
    tags: ['sandbox'],
    protocol: { v2: { chainId: slug, depository: Market.stated(payee), depositoryVault: null } },
  };
}

const free = { withdrawalFee: 0, depositFee: 0, surgeEnabled: false };

/** RPC URL, contracts, solver and deposit address of a chain. */
function endpointsOf(chain: ServedChain) {
  if (chain.vm === 'lvm') return { rpcUrl: '', contracts: undefined, filler: chain.relayer, payee: chain.relayer };
  if (chain.vm === 'svm')
    return { rpcUrl: chain.rpcUrl, contracts: undefined, filler: chain.solver, payee: chain.solver };
  const { router, approvalProxy, depository, multicall3 } = chain.contracts;
  const v3 = { erc20Router: Market.stated(router), approvalProxy: Market.stated(approvalProxy) };
  const contracts = { multicall3: Market.stated(multicall3), ...v3, v3 };
  return { rpcUrl: chain.rpcUrl, contracts, filler: chain.solver, payee: depository };
}

function bridgeable(token: Market.Token): Chains.ChainCurrency {
  return { ...currencyOf(token), supportsBridging: true };
}

function currencyOf(token: Market.Token): Chains.ChainCurrency {
  const { symbol, name, address, decimals } = token;
  const id = Market.assetOf(token).toLowerCase();
  return { id, symbol, name, address: Market.stated(address), decimals };
}

type Chain = Pick<Market.Chain, 'vm' | 'id' | 'tokens'>;

const defaultLimit = 20;

/** The response of `POST /currencies/v2`: the tokens that match every filter of the request, grouped by chain. */
export function currenciesOf(chains: readonly Chain[], request: CurrenciesV2.Request): CurrenciesV2.Response {
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
  if (verified === false) return false;
  if (tokens?.length && !tokens.some((name) => isEqual(name, `${chain.id}:${token.address}`))) return false;
  return !term || isFound(token, term.toLowerCase());
}

function isFound({ symbol, name, address }: Market.Token, term: string): boolean {
  return symbol.toLowerCase().includes(term) || name.toLowerCase().includes(term) || address.toLowerCase() === term;
}

function entryOf(token: Market.Token, chain: Chain): CurrenciesV2.Currency {
  const { address, symbol, name, decimals } = token;
  const metadata = { logoURI: '', verified: true, isNative: Market.isNative(token) };
  return { chainId: chain.id, address: Market.stated(address), symbol, name, decimals, vmType: chain.vm, metadata };
}

/** The currency at the address with its price; undefined if the sandbox has no such chain or currency. */
export function tokenDetails(
  chains: readonly Chain[],
  { chainId, address }: { chainId: number; address: string },
): ForeignApi.TokenDetails | undefined {
  const chain = chains.find(({ id }) => id === chainId);
  const token = chain && Market.tokenAt(chain, address);
  return token && { ...entryOf(token, chain), price: Number(token.priceUsd) / 1e6 };
}
