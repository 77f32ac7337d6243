/**
 * Keeps a chain on disk: its state as its node has it, with what waits in the pool, soon after each change. Until that is
 * written, a second file says that the chain has changed. It is there before the change is, so that after a kill nobody
 * takes an old state for the last one.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../core/base/Hex.js';
import { StateFileError } from '../storage/frameLog.js';
import * as nodeRpc from './nodeRpc.js';
import { readPool } from './upkeep.js';

export type ChainKeeper = Awaited<ReturnType<typeof create>>;

export type Files = {
  folder: string;
  name: string;
  /** Replaces a file as a whole. */
  replace(path: string, text: string): void;
  onFailure(error: StateFileError): void;
};

/** What a node dumped, and the signed transactions of its pool. */
export type Saved = { state: string; pending: readonly Hex[] };

/** Thrown if a chain cannot be brought back to where it was. */
export class LostChainError extends Error {
  override name = 'LostChainError';
}

/** How often blocks are looked for that nobody announced. */
const quietMs = 500;
/** A state is written so long after a change, and so far from the last one, in multiples of the time that it took. */
const settleMs = 100;
const spacing = 20;
const mostApartMs = 5_000;

/** Reads a saved chain. @throws LostChainError */
export function read({ folder, name }: Pick<Files, 'folder' | 'name'>): Saved {
  const [state, changed] = pathsOf({ folder, name });
  if (!existsSync(state)) throw new LostChainError('it ended before it was first written');
  if (existsSync(changed)) throw new LostChainError(`it ended before ${readFileSync(changed, 'utf8')} was written`);
  try {
    return JSON.parse(readFileSync(state, 'utf8')) as Saved;
  } catch {
    throw new LostChainError('its snapshot is damaged');
  }
}

/** Starts to keep a running chain; writes a new one at once. @throws StateFileError */
export async function create(rpcUrl: string, files: Files & { isContinued: boolean }) {
  const [statePath, changedPath] = pathsOf(files);
  let changes = 0;
  let isMarked = false;
  let saved = files.isContinued ? await latestHash(rpcUrl) : undefined;
  const end = new AbortController();
  let wake: () => void = () => {};

  function write(path: string, text: string): void {
    // A removed folder is not created again.
    if (!existsSync(files.folder)) return;
    try {
      files.replace(path, text);
    } catch (error) {
      const failure = new StateFileError(path, 'written', error);
      files.onFailure(failure);
      throw failure;
    }
  }

  function mark(what: string): void {
    changes += 1;
    if (!isMarked) write(changedPath, what);
    isMarked = true;
    wake();
  }

  async function save(): Promise<void> {
    const hash = await latestHash(rpcUrl);
    if (hash === saved && !isMarked) return;
    if (!isMarked) mark('a block');
    const before = changes;
    const pending = await pendingOf(rpcUrl);
    const state = (await nodeRpc.call(rpcUrl, 'anvil_dumpState')) as string;
    write(statePath, JSON.stringify({ state, pending } satisfies Saved));
    saved = hash;
    if (changes > before) return;
    rmSync(changedPath, { force: true });
    isMarked = false;
  }

  async function follow(): Promise<void> {
    for (let tookMs = 0; !end.signal.aborted; ) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, isMarked ? 0 : quietMs);
      });
      const apartMs = Math.min(mostApartMs, Math.max(settleMs, tookMs * spacing));
      await sleep(apartMs, undefined, { signal: end.signal }).catch(() => undefined);
      const began = performance.now();
      if (!end.signal.aborted) await save().catch(() => undefined);
      tookMs = performance.now() - began;
    }
  }

  await save();
  const following = follow();
  async function abandon(): Promise<void> {
    end.abort();
    wake();
    await following;
  }

  return {
    /** Writes that something is about to change the chain. The result says that it has. @throws StateFileError */
    willChange(what: string): () => void {
      mark(what);
      return () => mark(what);
    },
    /** Ends without writing any more: the chain is gone, or the folder is somebody else's. */
    abandon,
    /** Writes the last state. */
    async stop(): Promise<void> {
      await abandon();
      await save();
    },
  };
}

function pathsOf({ folder, name }: Pick<Files, 'folder' | 'name'>): readonly [state: string, changed: string] {
  return [join(folder, `${name}.state`), join(folder, `${name}.changed`)];
}

async function latestHash(rpcUrl: string): Promise<Hex> {
  return ((await nodeRpc.call(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as { hash: Hex }).hash;
}

/** The signed transactions that wait, in the order of their nonces. */
async function pendingOf(rpcUrl: string): Promise<readonly Hex[]> {
  const raws = await nodeRpc.callAll(
    rpcUrl,
    (await readPool(rpcUrl)).map(({ hash }) => ['eth_getRawTransactionByHash', hash] as const),
  );
  return raws.filter((raw): raw is Hex => raw !== null);
}
