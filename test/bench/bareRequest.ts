/** How every bare transfer begins and ends: with a quote, and with the request polled to its delivery. */
import type { Address, Hex } from 'viem';

export const headers = { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' };

/** The part of a quote that is sent or signed. */
export type Quote<Data> = { requestId: string; steps: { items: { data: Data }[] }[] };

export type Transaction = {
  to: Address;
  data: Hex;
  value: string;
  chainId: number;
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
};

export async function quoted<Data = Transaction>(baseUrl: string, body: string): Promise<Quote<Data>> {
  const answer = await fetch(`${baseUrl}/quote/v2`, { method: 'POST', headers, body });
  return (await answer.json()) as Quote<Data>;
}

export async function delivered(baseUrl: string, requestId: string): Promise<void> {
  for (;;) {
    const told = await fetch(`${baseUrl}/intents/status/v3?requestId=${requestId}`);
    const { status } = (await told.json()) as { status: string };
    if (status === 'success') break;
    if (status === 'failure' || status === 'refund') throw new Error(status);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.stdout.write(`${JSON.stringify({ ok: true, data: { status: 'success' } })}\n`);
}
