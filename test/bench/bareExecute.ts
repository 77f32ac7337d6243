/**
 * The least that a transfer can be, by viem: the same quote fetched, its transactions sent one by one, their receipts
 * awaited, the request polled to the same state. Nothing is checked. What `ferry execute` is measured against.
 */
import { createPublicClient, createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { delivered, quoted } from './bareRequest.js';

const [baseUrl = '', rpcUrl, body = ''] = process.argv.slice(2);
// The first of the well-known development keys.
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');

const quote = await quoted(baseUrl, body);
const node = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50 });
const wallet = createWalletClient({ account, transport: http(rpcUrl) });
for (const { items } of quote.steps)
  for (const { data } of items) {
    const hash = await wallet.sendTransaction({
      chain: null,
      to: data.to,
      data: data.data,
      value: BigInt(data.value),
      maxFeePerGas: BigInt(data.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(data.maxPriorityFeePerGas),
    });
    const { status } = await node.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`${hash} ${status}`);
  }
await delivered(baseUrl, quote.requestId);
