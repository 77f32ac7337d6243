/** Simulates a chain reorganization that loses one transaction. */

import { numberToHex } from 'viem';
import { isEqual } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from '../chain/nodeRpc.js';

import type { Mining, ResumeMining } from './mining.js';

/**
 * Replaces the block of a transaction and all later ones. Every other transaction keeps its block, except later ones of
 * the same sender, which the nonce gap invalidates. Returns the transaction's signed bytes; undefined if the chain does
 * not have it.
 */
export async function reorganize(rpcUrl: string, mining: Mining, hash: string): Promise<Hex | undefined> {
  const resumeMining: ResumeMining = await mining.pause();
  try {
    const [lost, raw, height] = await nodeRpc.callAll(rpcUrl, [
      ['eth_getTransactionByHash', hash],
      ['eth_getRawTransactionByHash', hash],
      ['eth_blockNumber'],
    ]);
    const { blockNumber, from, nonce } = (lost ?? {}) as Partial<Transaction>;
    if (typeof blockNumber !== 'string' || from === undefined || nonce === undefined) return undefined;
    const depth = Number(height) - Number(blockNumber) + 1;
    const kept = (await blocksFrom(rpcUrl, Number(blockNumber), depth)).flatMap((transactions, index) =>
      transactions
        .filter((other) => !isEqual(other.from, from) || Number(other.nonce) < Number(nonce))
        .map((transaction) => ({ transaction, index })),
    );
    const owners = [
      ...new Set(kept.flatMap(({ transaction }) => (isImpersonated(transaction) ? transaction.from : []))),
    ];
    for (const owner of owners) await nodeRpc.call(rpcUrl, 'anvil_impersonateAccount', owner);
    const pairs = await Promise.all(
      kept.map(async ({ transaction, index }) => [await contentOf(rpcUrl, transaction), index]),
    );
    await nodeRpc.call(rpcUrl, 'anvil_reorg', depth, pairs);
    for (const owner of owners) await nodeRpc.call(rpcUrl, 'anvil_stopImpersonatingAccount', owner);
    return raw as Hex;
  } finally {
    await resumeMining();
  }
}

type Transaction = { hash: Hex; from: Hex; to: Hex | null; nonce: Hex; blockNumber: Hex; r: Hex; s: Hex; input: Hex };

async function blocksFrom(rpcUrl: string, first: number, count: number): Promise<readonly (readonly Transaction[])[]> {
  const blocks = await nodeRpc.callAll(
    rpcUrl,
    Array.from({ length: count }, (_, i) => ['eth_getBlockByNumber', numberToHex(first + i), true] as const),
  );
  return blocks.map((block) => (block as { transactions: readonly Transaction[] }).transactions);
}

/** Whether the transaction is unsigned, sent by impersonation. */
function isImpersonated({ r, s }: Transaction): boolean {
  return BigInt(r) === 0n && BigInt(s) === 0n;
}

/** A transaction in the form that `anvil_reorg` takes: signed bytes, or a transaction request. */
async function contentOf(rpcUrl: string, transaction: Transaction): Promise<unknown> {
  if (!isImpersonated(transaction)) return await nodeRpc.call(rpcUrl, 'eth_getRawTransactionByHash', transaction.hash);
  const { from, to, input } = transaction;
  const { value, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction as unknown as Record<string, Hex>;
  return { from, to, input, value, gas, maxFeePerGas, maxPriorityFeePerGas };
}
