/** Mines blocks that no transaction asks for: for the time of the latest block, and for transactions that a node forgot. */
import type { Hex } from '../../core/base/Hex.js';
import * as nodeRpc from './nodeRpc.js';

/** An older block is followed by an empty one. Feeds are trusted for an hour. */
export const oldestSeconds = 600;
const freshEveryMs = 60_000;

/**
 * Mines a block on each chain that has no fresh one, now and from time to time: the nodes mine for transactions alone, and
 * what goes by the time of a block, such as a price feed, would be old in a sandbox of yesterday. Returns what ends that.
 */
export async function keepFresh(rpcUrls: readonly string[], clock: () => number): Promise<() => void> {
  const look = async (): Promise<void> => {
    await Promise.all(rpcUrls.map((url) => refresh(url, clock())));
  };
  await look();
  // A chain that does not answer is noticed elsewhere.
  const timer = setInterval(() => void look().catch(() => undefined), freshEveryMs).unref();
  return () => clearInterval(timer);
}

async function refresh(rpcUrl: string, nowMs: number): Promise<void> {
  const [latest, mines] = (await nodeRpc.callAll(rpcUrl, [
    ['eth_getBlockByNumber', 'latest', false],
    ['anvil_getAutomine'],
  ])) as [{ timestamp: Hex }, boolean];
  // Mining was turned off on purpose.
  if (mines && nowMs / 1000 - Number(latest.timestamp) > oldestSeconds) await nodeRpc.call(rpcUrl, 'anvil_mine', '0x1');
}

/** How often the pool is looked at. What is seen a second time is stranded: the nodes mine at once. */
const lookEveryMs = 1_000;

type Pooled = { hash: Hex; from: string; nonce: string; isQueued: boolean };
type Pool = Readonly<
  Record<'pending' | 'queued', Readonly<Record<string, Readonly<Record<string, Omit<Pooled, 'isQueued'>>>>>>
>;

/**
 * Mines what is stranded on each chain, from time to time: on a busy machine anvil at times leaves a transaction in its
 * pool that is ready until another comes, or lets one wait for a predecessor that is mined already. Returns what ends that.
 */
export function mineStranded(rpcUrls: readonly string[]): () => void {
  const looks = rpcUrls.map((url) => createLook(url));
  // A chain that does not answer is noticed elsewhere.
  const timer = setInterval(() => void Promise.allSettled(looks.map((look) => look())), lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** Looks at the pool of a node; each time at what was there the time before. */
export function createLook(rpcUrl: string): () => Promise<void> {
  let seen = new Set<string>();
  const mined = new Set<string>();
  return async () => {
    const pooled = await poolOf(rpcUrl);
    const stranded = pooled.filter(({ hash }) => seen.has(hash));
    seen = new Set(pooled.map(({ hash }) => hash));
    const fresh = stranded.filter(({ hash }) => !mined.has(hash));
    // One whose fee is too low is mined for once: it is not the node's fault that it stays.
    for (const { hash } of fresh) mined.add(hash);
    if (fresh.length > 0) await nodeRpc.call(rpcUrl, 'evm_mine');
    const waiting = stranded.filter((each) => each.isQueued && !fresh.includes(each));
    for (const from of new Set(waiting.map((each) => each.from))) await sendAgain(from, pooled, rpcUrl);
  };
}

/** The transactions of the pool; none while somebody holds mining back. */
async function poolOf(rpcUrl: string): Promise<readonly Pooled[]> {
  const [status, isAutomatic] = (await nodeRpc.callAll(rpcUrl, [['txpool_status'], ['anvil_getAutomine']])) as [
    Record<'pending' | 'queued', string>,
    boolean,
  ];
  if (!isAutomatic || Number(status.pending) + Number(status.queued) === 0) return [];
  return await readPool(rpcUrl);
}

/** What waits, in the order of the nonces. */
export async function readPool(rpcUrl: string): Promise<readonly Pooled[]> {
  const pool = (await nodeRpc.call(rpcUrl, 'txpool_content')) as Pool;
  const all = (['pending', 'queued'] as const).flatMap((part) =>
    Object.values(pool[part]).flatMap((own) =>
      Object.values(own).map((each) => ({ ...each, isQueued: part === 'queued' })),
    ),
  );
  return all.sort((a, b) => Number(a.nonce) - Number(b.nonce));
}

/** Gives the node the transactions of an account anew, if one waits although its nonce is next. */
async function sendAgain(from: string, pooled: readonly Pooled[], rpcUrl: string): Promise<void> {
  const own = pooled.filter((each) => each.from === from);
  const [next, ...raws] = await nodeRpc.callAll(rpcUrl, [
    ['eth_getTransactionCount', from, 'latest'],
    ...own.map(({ hash }) => ['eth_getRawTransactionByHash', hash] as const),
  ]);
  if (Number(next) !== Number(own[0]?.nonce) || raws.includes(null)) return;
  await nodeRpc.call(rpcUrl, 'anvil_removePoolTransactions', from);
  for (const raw of raws) await nodeRpc.call(rpcUrl, 'eth_sendRawTransaction', raw);
}
