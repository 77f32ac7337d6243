/** What `GET /chains` says of the sandbox's chains. */
import type { Address } from '../core/Address.js';
import type * as Chains from '../core/contract/Chains.js';
import * as Market from './Market.js';

/** A chain as it stands, with the URL of its node and the accounts that fill. */
export type Chain = Pick<Market.Chain, 'id' | 'slug' | 'displayName' | 'contracts' | 'tokens'> & {
  rpcUrl: string;
  solver: Address;
};

/** Every chain, or those whose ids are listed with commas between. */
export function from(chains: readonly Chain[], includeChains?: string | undefined): Chains.Response {
  const wanted = includeChains?.split(',').map((id) => id.trim());
  return { chains: chains.filter((chain) => !wanted || wanted.includes(String(chain.id))).map(chainOf) };
}

function chainOf(chain: Chain): Chains.Chain {
  const { id, slug, displayName, contracts, tokens, rpcUrl, solver } = chain;
  const own = tokens.filter(Market.isNative).map(currencyOf);
  const erc20s = tokens.filter((token) => !Market.isNative(token)).map(currencyOf);
  return {
    id,
    name: slug,
    displayName,
    httpRpcUrl: rpcUrl,
    wsRpcUrl: rpcUrl.replace(/^http/, 'ws'),
    explorerUrl: '',
    explorerName: '',
    explorerPaths: null,
    depositEnabled: true,
    tokenSupport: 'Limited',
    disabled: false,
    partialDisableLimit: 0,
    blockProductionLagging: false,
    currency: own[0] ?? null,
    withdrawalFee: 0,
    depositFee: 0,
    surgeEnabled: false,
    featuredTokens: [...own, ...erc20s],
    erc20Currencies: erc20s,
    solverCurrencies: [...own, ...erc20s],
    iconUrl: '',
    logoUrl: '',
    contracts: {
      multicall3: null,
      multicaller: null,
      onlyOwnerMulticaller: null,
      relayReceiver: null,
      erc20Router: contracts.router,
      approvalProxy: contracts.approvalProxy,
      v3: { erc20Router: contracts.router, approvalProxy: contracts.approvalProxy },
    },
    vmType: 'evm',
    baseChainId: null,
    statusMessage: null,
    solverAddresses: [solver],
    tags: ['sandbox'],
    protocol: { v2: { chainId: slug, depository: contracts.depository, depositoryVault: null } },
  };
}

function currencyOf(token: Market.Token): Chains.ChainCurrency {
  const { symbol, name, address, decimals, logoURI, verified } = token;
  return {
    id: symbol.toLowerCase(),
    symbol,
    name,
    address,
    decimals,
    supportsBridging: true,
    supportsPermit: symbol === 'USDC',
    withdrawalFee: 0,
    depositFee: 0,
    surgeEnabled: false,
    metadata: { logoURI, verified, isNative: Market.isNative(token) },
  };
}
