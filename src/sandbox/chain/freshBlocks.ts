/**
 * Keeps the time of a chain's latest block near that of the machine, as on a real chain. The nodes mine for transactions
 * alone, and what goes by the time of a block, such as a price feed, would be old in a sandbox of yesterday.
 */
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from './nodeRpc.js';

/** An older block is followed by an empty one. Feeds are trusted for an hour. */
export const oldestSeconds = 600;
const everyMs = 60_000;

/** Mines a block on each chain that has no fresh one, now and from time to time. Returns what ends that. */
export async function keepFresh(rpcUrls: readonly string[], clock: () => number): Promise<() => void> {
  const look = async (): Promise<void> => {
    await Promise.all(rpcUrls.map((url) => refresh(url, clock())));
  };
  await look();
  // A chain that does not answer is noticed elsewhere.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs).unref();
  return () => clearInterval(timer);
}

async function refresh(rpcUrl: string, nowMs: number): Promise<void> {
  const [latest, mines] = (await nodeRpc.callAll(rpcUrl, [
    ['eth_getBlockByNumber', 'latest', false],
    ['anvil_getAutomine'],
  ])) as [{ timestamp: Hex }, boolean];
  // Whoever turned mining off wants no block.
  if (mines && nowMs / 1000 - Number(latest.timestamp) > oldestSeconds) await nodeRpc.call(rpcUrl, 'anvil_mine', '0x1');
}
