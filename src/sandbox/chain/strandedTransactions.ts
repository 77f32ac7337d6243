/**
 * Finds transactions that a node has forgotten in its pool. On a busy machine anvil at times leaves one there that is ready
 * until another comes, or lets one wait for a predecessor that is mined already: whoever sent it would wait for ever.
 */
import * as nodeRpc from './nodeRpc.js';

/** How often the pool is looked at. What is seen a second time is stranded: the nodes mine at once. */
const everyMs = 1_000;

type Pooled = { hash: string; from: string; nonce: string };
type Pool = Readonly<Record<'pending' | 'queued', Readonly<Record<string, Readonly<Record<string, Pooled>>>>>>;

/** Mines what is stranded on each chain, from time to time. Returns what ends that. */
export function mineStranded(rpcUrls: readonly string[]): () => void {
  const looks = rpcUrls.map((url) => createLook(url));
  // A chain that does not answer is noticed elsewhere.
  const timer = setInterval(() => void Promise.allSettled(looks.map((look) => look())), everyMs).unref();
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
async function poolOf(rpcUrl: string): Promise<readonly (Pooled & { isQueued: boolean })[]> {
  const [status, isAutomatic] = (await nodeRpc.callAll(rpcUrl, [['txpool_status'], ['anvil_getAutomine']])) as [
    Record<'pending' | 'queued', string>,
    boolean,
  ];
  if (!isAutomatic || Number(status.pending) + Number(status.queued) === 0) return [];
  const pool = (await nodeRpc.call(rpcUrl, 'txpool_content')) as Pool;
  return (['pending', 'queued'] as const).flatMap((part) =>
    Object.values(pool[part]).flatMap((ofAccount) =>
      Object.values(ofAccount).map((each) => ({ ...each, isQueued: part === 'queued' })),
    ),
  );
}

/** Gives the node the transactions of an account anew, if one waits although its nonce is next. */
async function sendAgain(from: string, pooled: readonly Pooled[], rpcUrl: string): Promise<void> {
  const own = pooled.filter((each) => each.from === from).toSorted((a, b) => Number(a.nonce) - Number(b.nonce));
  const [next, ...raws] = await nodeRpc.callAll(rpcUrl, [
    ['eth_getTransactionCount', from, 'latest'],
    ...own.map(({ hash }) => ['eth_getRawTransactionByHash', hash] as const),
  ]);
  if (Number(next) !== Number(own[0]?.nonce) || raws.includes(null)) return;
  await nodeRpc.call(rpcUrl, 'anvil_removePoolTransactions', from);
  for (const raw of raws) await nodeRpc.call(rpcUrl, 'eth_sendRawTransaction', raw);
}
