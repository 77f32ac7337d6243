/**
 * The least that a transfer can be, by viem: the same quote fetched, its transactions sent one by one, their receipts
 * awaited, the request polled to the same state. Nothing is checked. What `ferry execute` is measured against.
 */
import { createPublicClient, createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** @import { Address, Hex } from 'viem' */

/**
 * The part of a quote that is sent.
 *
 * @typedef {{ requestId: string, steps: { items: { data: Transaction }[] }[] }} Quote
 * @typedef {{ to: Address, data: Hex, value: string, maxFeePerGas: string, maxPriorityFeePerGas: string }} Transaction
 */

const [baseUrl, rpcUrl, body = ''] = process.argv.slice(2);
// The first of the well-known development keys.
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const headers = { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' };

const answer = await fetch(`${baseUrl}/quote/v2`, { method: 'POST', headers, body });
const quote = /** @type {Quote} */ (await answer.json());
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
for (;;) {
  const told = await fetch(`${baseUrl}/intents/status/v3?requestId=${quote.requestId}`);
  const { status } = /** @type {{ status: string }} */ (await told.json());
  if (status === 'success') break;
  if (status === 'failure' || status === 'refund') throw new Error(status);
  await new Promise((resolve) => setTimeout(resolve, 50));
}
process.stdout.write(`${JSON.stringify({ ok: true, data: { status: 'success' } })}\n`);
