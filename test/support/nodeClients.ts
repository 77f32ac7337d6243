/** viem clients of the sandbox's chains. */
import {
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  type Hex,
  type PublicClient,
  publicActions,
  RpcRequestError,
  TransactionReceiptNotFoundError,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { gasPrice } from '../../src/sandbox/chain/anvil.js';
import * as nodeRpc from '../../src/sandbox/chain/nodeRpc.js';
import type { Account } from '../../src/sandbox/values/devAccounts.js';
import { until } from './until.js';

/** Connection details of a chain. */
export type Endpoint = { name: string; id: number; rpcUrl: string };

/** Blocks are mined with each transaction, within milliseconds. */
const pollingInterval = 20;

const { maxFeePerGas, maxPriorityFeePerGas } = gasPrice;
const ownFees = { maxFeePerGas, maxPriorityFeePerGas };

/** A read-only client. */
export function connect(endpoint: Endpoint) {
  return createPublicClient(options(endpoint)).extend(receipts);
}

/** A client that also signs in this process and sends at the sandbox's own gas price. */
export function connectAs(endpoint: Endpoint, account: Account) {
  return createWalletClient({ ...options(endpoint), account: privateKeyToAccount(account.privateKey) })
    .extend(publicActions)
    .extend(receipts);
}

/**
 * viem asks for a receipt once in each block. anvil shows a block before its receipts, while its transactions are still in
 * the pool: if no other block follows, the receipt would never come.
 */
function receipts({ getTransactionReceipt }: Pick<PublicClient, 'getTransactionReceipt'>) {
  const found = (hash: Hex) =>
    getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
      return undefined;
    });
  return { waitForTransactionReceipt: ({ hash }: { hash: Hex }) => until(() => found(hash), 'a receipt') };
}

function options({ name, id, rpcUrl }: Endpoint) {
  const chain = defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    // The node's default fee is a hundred times higher.
    prepareTransactionRequest: async (request) =>
      request.gasPrice === undefined && request.maxFeePerGas === undefined
        ? ({ ...request, ...ownFees } as typeof request)
        : request,
  });
  // A local node either answers or is down, so retrying is pointless. No caching: every read is fresh.
  const transport = custom({ request: (call) => ask(rpcUrl, call) }, { retryCount: 0 });
  return { chain, transport, pollingInterval, cacheTime: 0 } as const;
}

/** Asks the node, and fails as viem's own transports do. @throws RpcRequestError */
async function ask(url: string, body: { method: string; params?: readonly unknown[] }): Promise<unknown> {
  try {
    return await nodeRpc.call(url, body.method, ...(body.params ?? []));
  } catch (error) {
    if (!(error instanceof nodeRpc.NodeRpcError && error.answered)) throw error;
    throw new RpcRequestError({ body, error: error.answered, url });
  }
}
