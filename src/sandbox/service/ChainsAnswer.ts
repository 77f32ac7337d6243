/** Builds the response of `GET /chains`. */

import type * as Chains from '../../core/api/catalog/Chains.js';
import type { Address } from '../../core/base/Address.js';
import * as Market from '../values/Market.js';

/** A chain with its RPC URL and solver, or the venue, which has no node. */
export type Chain =
  | (Pick<Market.EvmChain, 'vm' | 'id' | 'slug' | 'displayName' | 'contracts' | 'tokens'> & {
      rpcUrl: string;
      solver: Address;
    })
  | Pick<Market.VenueChain, 'vm' | 'id' | 'slug' | 'displayName' | 'relayer' | 'tokens'>
  | (Market.SvmChain & { rpcUrl: string; solver: string });

/** All chains, or those in a comma-separated list of ids. */
export function from(chains: readonly Chain[], includeChains?: string | undefined): Chains.Response {
  const wanted = includeChains?.split(',').map((id) => id.trim());
  return { chains: chains.filter((chain) => !wanted || wanted.includes(String(chain.id))).map(chainOf) };
}

function chainOf(chain: Chain): Chains.Chain {
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
    withdrawalFee: 0,
    depositFee: 0,
    surgeEnabled: false,
    featuredTokens: listed.map((token) => ({ ...bridgeable(token), metadata: { logoURI: token.logoURI } })),
    erc20Currencies: erc20s.map((token) => ({
      ...bridgeable(token),
      supportsPermit: token.takesPermits === true,
      withdrawalFee: 0,
      depositFee: 0,
      surgeEnabled: false,
    })),
    solverCurrencies: listed.map(currencyOf),
    iconUrl: '',
    logoUrl: '',
    ...(contracts && { contracts }),
    vmType: vm,
    baseChainId: null,
    statusMessage: null,
    solverAddresses: [filler],
    tags: ['sandbox'],
    protocol: { v2: { chainId: slug, depository: payee, depositoryVault: null } },
  };
}

/** RPC URL, contracts, solver and deposit address of a chain. */
function endpointsOf(chain: Chain) {
  if (chain.vm === 'lvm') return { rpcUrl: '', contracts: undefined, filler: chain.relayer, payee: chain.relayer };
  if (chain.vm === 'svm')
    return { rpcUrl: chain.rpcUrl, contracts: undefined, filler: chain.solver, payee: chain.solver };
  const { router, approvalProxy, depository, multicall3 } = chain.contracts;
  const contracts = {
    multicall3,
    erc20Router: router,
    approvalProxy,
    v3: { erc20Router: router, approvalProxy },
  };
  return { rpcUrl: chain.rpcUrl, contracts, filler: chain.solver, payee: depository };
}

function bridgeable(token: Market.Token): Chains.ChainCurrency {
  return { ...currencyOf(token), supportsBridging: true };
}

function currencyOf(token: Market.Token): Chains.ChainCurrency {
  const { symbol, name, address, decimals } = token;
  return { id: Market.assetOf(token).toLowerCase(), symbol, name, address, decimals };
}
