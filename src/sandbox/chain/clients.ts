/** viem clients of the sandbox's chains. */
import { createPublicClient, createWalletClient, defineChain, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Account } from '../values/devAccounts.js';
import { gasPrice } from './anvil.js';

/** What a client needs to know of a chain; every `chains.Chain` has it. */
export type Endpoint = { name: string; id: number; rpcUrl: string };

/** Blocks come with their transactions, within milliseconds. */
const pollingInterval = 20;

const { maxFeePerGas, maxPriorityFeePerGas } = gasPrice;
const ownFees = { maxFeePerGas, maxPriorityFeePerGas };

/** A client that reads. */
export function connect(endpoint: Endpoint) {
  return createPublicClient(options(endpoint));
}

/** A client that reads, signs in this process, and pays the sandbox's own gas price. */
export function connectAs(endpoint: Endpoint, account: Account) {
  return createWalletClient({ ...options(endpoint), account: privateKeyToAccount(account.privateKey) }).extend(
    publicActions,
  );
}

function options({ name, id, rpcUrl }: Endpoint) {
  const chain = defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    // Asked for what is missing, the node would suggest a hundred times that.
    prepareTransactionRequest: async (request) =>
      request.gasPrice === undefined && request.maxFeePerGas === undefined
        ? ({ ...request, ...ownFees } as typeof request)
        : request,
  });
  // A node on this machine either answers or is gone: trying again helps neither. Nothing read is ever old.
  return { chain, transport: http(rpcUrl, { retryCount: 0 }), pollingInterval, cacheTime: 0 } as const;
}
