/**
 * Repeats on a restored chain what was written of it after its snapshot, and compares each block with the first time.
 *
 * Roots of state and receipts must be the same. Block hashes are not, since anvil draws a random number for each block;
 * and a block from the last moments before a crash may come back with a time that differs by a second.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Hex } from '../../core/base/Hex.js';
import * as ChainEntry from './ChainEntry.js';
import * as nodeRpc from './nodeRpc.js';

/** Thrown if a chain cannot be brought back to where it was. */
export class LostChainError extends Error {
  override name = 'LostChainError';
}

/** How long a transaction that was in no block yet may take to be mined. */
const minedWithinMs = 2_000;

/**
 * Repeats the entries. The chain must not mine on its own meanwhile; afterwards it does.
 *
 * @returns the block of the snapshot
 * @throws LostChainError
 */
export async function replay(rpcUrl: string, entries: readonly ChainEntry.ChainEntry[]): Promise<number> {
  const start = Number(await nodeRpc.call(rpcUrl, 'eth_blockNumber'));
  const raws = new Map<Hex, { raw: Hex; atMs: number }>();
  const blocks: ChainEntry.Block[] = [];
  for (const entry of entries) {
    if ('change' in entry) throw new LostChainError(`it ended before ${entry.change} was written`);
    if ('raw' in entry) raws.set(entry.hash, entry);
    if ('refused' in entry) raws.delete(entry.refused);
    if ('block' in entry && entry.block.number > start) blocks.push(entry.block);
  }
  const isMoved = raws.size > 0 || blocks.length > 0;
  // The node's clock began when it did, and would refuse the times of blocks before.
  if (isMoved) await nodeRpc.call(rpcUrl, 'anvil_setTime', await time(rpcUrl));
  if (blocks.length > 0) {
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', false);
    for (const block of blocks) await repeat(rpcUrl, block, raws);
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', true);
  }
  for (const [hash, { raw, atMs }] of raws)
    if ((await nodeRpc.call(rpcUrl, 'eth_getTransactionByHash', hash)) === null) await send(rpcUrl, hash, raw, atMs);
  // From here on the time is that of the machine, unless the chain was ahead of it.
  if (isMoved) await nodeRpc.call(rpcUrl, 'anvil_setTime', Math.max(Math.floor(Date.now() / 1000), await time(rpcUrl)));
  return start;
}

async function repeat(
  rpcUrl: string,
  block: ChainEntry.Block,
  raws: Map<Hex, { raw: Hex; atMs: number }>,
): Promise<void> {
  const { number, timestamp, hashes } = block;
  const lost = (why: string): LostChainError => new LostChainError(`block ${number} ${why}`);
  try {
    await nodeRpc.call(rpcUrl, 'evm_setNextBlockTimestamp', timestamp);
    for (const hash of hashes) {
      const known = raws.get(hash);
      if (!known) throw lost(`has a transaction that was not written`);
      await nodeRpc.call(rpcUrl, 'eth_sendRawTransaction', known.raw);
      raws.delete(hash);
    }
    await nodeRpc.call(rpcUrl, 'evm_mine');
  } catch (error) {
    throw error instanceof nodeRpc.NodeRpcError ? lost(`cannot be repeated: ${error.message}`) : error;
  }
  const again = (await nodeRpc.call(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as ChainEntry.RpcBlock;
  if (JSON.stringify(ChainEntry.blockOf(again)) !== JSON.stringify(block)) throw lost('is not as it was');
}

/** Sends a transaction that was in no block yet. The chain may refuse it, as it would have. */
async function send(rpcUrl: string, hash: Hex, raw: Hex, atMs: number): Promise<void> {
  const timestamp = Math.max(Math.floor(atMs / 1000), (await time(rpcUrl)) + 1);
  try {
    await nodeRpc.call(rpcUrl, 'evm_setNextBlockTimestamp', timestamp);
    await nodeRpc.call(rpcUrl, 'eth_sendRawTransaction', raw);
  } catch (error) {
    if (error instanceof nodeRpc.NodeRpcError) return;
    throw error;
  }
  for (const until = Date.now() + minedWithinMs; Date.now() < until; await delay(5)) {
    if ((await nodeRpc.call(rpcUrl, 'eth_getTransactionReceipt', hash)) !== null) return;
    const { queued } = (await nodeRpc.call(rpcUrl, 'txpool_status')) as { queued: Hex };
    // A gap in the nonces: it was not mined the first time either.
    if (Number(queued) > 0) return;
  }
}

async function time(rpcUrl: string): Promise<number> {
  const block = (await nodeRpc.call(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as ChainEntry.RpcBlock;
  return Number(block.timestamp);
}
