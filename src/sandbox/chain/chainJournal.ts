/**
 * Keeps a chain on disk: a snapshot from time to time, and after it every signed transaction before the chain has it,
 * and every block after. Changes of another kind, such as a balance that was set, only a snapshot can hold; one is taken
 * at once.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256 } from 'viem';
import type { Hex } from '../../core/base/Hex.js';
import * as frameLog from '../storage/frameLog.js';
import { StateFileError } from '../storage/StateFileError.js';
import * as ChainEntry from './ChainEntry.js';
import * as nodeRpc from './nodeRpc.js';

export type ChainJournal = {
  /** Writes a signed transaction that is about to be sent. @throws StateFileError */
  willSend(raw: Hex): void;
  /** The chain refused a transaction, or dropped it. */
  wasRefused(hash: Hex): void;
  /**
   * Writes that something is about to change the chain that a transaction cannot repeat. The result takes a snapshot
   * once that is done. @throws StateFileError
   */
  willChange(what: string): () => void;
  /** Writes a transaction that the node signed itself. */
  adopt(hash: Hex): Promise<void>;
  /** Writes the blocks that were mined since the last time. */
  catchUp(): Promise<void>;
  /** Catches up and takes a last snapshot if one is needed. */
  stop(): Promise<void>;
  /** Ends without writing any more: the chain is gone, or the folder is somebody else's. */
  abandon(): Promise<void>;
};

export type Place = {
  folder: string;
  name: string;
  /** Replaces a file as a whole. */
  replace(path: string, text: string): void;
  onFailure(error: StateFileError): void;
};

/** A saved chain: its last snapshot, and what was written since. */
export type Saved = { state: string; entries: readonly ChainEntry.ChainEntry[] };

/** How often new blocks are looked for: while transactions wait for one, and otherwise. */
const busyMs = 20;
const quietMs = 500;
/** A transaction that the chain neither mined nor has waiting after this long was refused. */
const refusedAfterMs = 3_000;
/** A snapshot is taken after this many blocks, and more on a long chain, where it takes longer. */
const leastBlocks = 500;

/**
 * Reads a saved chain; undefined if there is no snapshot.
 *
 * @throws DamagedLogError · StateFileError
 */
export function read({ folder, name, onFailure }: Place, generations: readonly number[]): Saved | undefined {
  const latest = generations.filter((generation) => existsSync(snapshotPath(folder, name, generation))).at(-1);
  if (latest === undefined) return undefined;
  const entries = generations
    .filter((generation) => generation >= latest && existsSync(logPath(folder, name, generation)))
    .flatMap((generation) => {
      const log = frameLog.open(logPath(folder, name, generation), onFailure);
      try {
        return Array.from(log.frames(), ({ content }) => ChainEntry.from(content));
      } finally {
        log.close();
      }
    });
  return { state: readFileSync(snapshotPath(folder, name, latest), 'utf8'), entries };
}

/** Starts to keep a running chain, with a snapshot. Earlier generations of its files are removed. */
export async function create(
  rpcUrl: string,
  place: Place & { generations: readonly number[]; isUnchanged: boolean },
): Promise<ChainJournal> {
  const { folder, name, onFailure } = place;
  let generation = place.generations.at(-1) ?? 0;
  let log: frameLog.FrameLog | undefined;
  /** Sent and not in a block yet. */
  const waiting = new Map<Hex, { raw: Hex; atMs: number }>();
  let last: { number: number; hash: Hex } = { number: -1, hash: '0x' };
  let blocksSince = 0;
  let changesInProgress = 0;
  let needsSnapshot = false;
  let hasEntries = false;
  let isStopped = false;
  let wake: () => void = () => {};
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  function write(entry: ChainEntry.ChainEntry): void {
    log?.append(ChainEntry.toBuffer(entry));
    hasEntries = true;
  }

  function markChange(what: string): void {
    write({ change: what });
    needsSnapshot = true;
  }

  /** A transaction that came another way: from an account that the node holds, or through a WebSocket. */
  async function writeForeign(hash: Hex): Promise<void> {
    const [transaction, raw] = (await nodeRpc.callAll(rpcUrl, [
      ['eth_getTransactionByHash', hash],
      ['eth_getRawTransactionByHash', hash],
    ])) as [{ r?: Hex; s?: Hex; blockNumber: Hex | null } | null, Hex | null];
    if (transaction?.blockNumber && Number(transaction.blockNumber) <= last.number) return;
    const isSigned = transaction !== null && BigInt(transaction.r ?? 0) + BigInt(transaction.s ?? 0) > 0n;
    if (isSigned && raw) {
      write({ raw, hash, atMs: Date.now() });
      waiting.set(hash, { raw, atMs: Date.now() });
    } else markChange('a transaction of an impersonated account');
  }

  async function writeBlocks(): Promise<void> {
    const latest = (await nodeRpc.call(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as ChainEntry.RpcBlock;
    const height = Number(latest.number);
    if (latest.hash === last.hash) return await writeRefused();
    const numbers = Array.from({ length: Math.max(0, height - last.number) }, (_, i) => last.number + 1 + i);
    const isLong = numbers.length > leastBlocks;
    const [known, ...blocks] = (await nodeRpc.callAll(
      rpcUrl,
      [last.number, ...(isLong ? [] : numbers)].map((number) => [
        'eth_getBlockByNumber',
        `0x${Math.max(0, number).toString(16)}`,
        false,
      ]),
    )) as (ChainEntry.RpcBlock | null)[];
    if (isLong || known?.hash !== last.hash) {
      markChange(isLong ? 'many blocks' : 'a reorganization');
      last = { number: height, hash: latest.hash };
      return;
    }
    for (const block of blocks) {
      if (!block) break;
      for (const hash of block.transactions) {
        if (!waiting.has(hash)) await writeForeign(hash);
        waiting.delete(hash);
      }
      write({ block: ChainEntry.blockOf(block) });
      last = { number: Number(block.number), hash: block.hash };
      blocksSince += 1;
    }
  }

  async function writeRefused(): Promise<void> {
    const old = [...waiting].filter(([, { atMs }]) => Date.now() - atMs > refusedAfterMs);
    for (const [hash, sent] of old) {
      const found = (await nodeRpc.call(rpcUrl, 'eth_getTransactionByHash', hash)) as {
        blockNumber: Hex | null;
      } | null;
      if (found === null) wasRefused(hash);
      else if (found.blockNumber && Number(found.blockNumber) <= last.number) waiting.delete(hash);
      else waiting.set(hash, { ...sent, atMs: Date.now() });
    }
  }

  function wasRefused(hash: Hex): void {
    waiting.delete(hash);
    write({ refused: hash });
  }

  async function snapshot(): Promise<void> {
    // A removed folder is not created again.
    if (!existsSync(folder)) return;
    const next = generation + 1;
    const nextLog = frameLog.open(logPath(folder, name, next), onFailure);
    const old = log;
    log = nextLog;
    write({ since: Date.now() });
    for (const [hash, { raw, atMs }] of waiting) write({ raw, hash, atMs });
    needsSnapshot = false;
    if (changesInProgress > 0) markChange('a change in progress');
    blocksSince = 0;
    hasEntries = waiting.size > 0 || needsSnapshot;
    old?.close();
    const state = (await nodeRpc.call(rpcUrl, 'anvil_dumpState')) as string;
    if (!existsSync(folder)) return;
    const path = snapshotPath(folder, name, next);
    try {
      place.replace(path, state);
    } catch (error) {
      const failure = new StateFileError(path, 'written', error);
      onFailure(failure);
      throw failure;
    }
    for (let done = generation; done >= 0 && remove(folder, name, done); done--);
    generation = next;
  }

  const isSnapshotDue = (): boolean =>
    (needsSnapshot && changesInProgress === 0) || blocksSince >= Math.max(leastBlocks, last.number / 4);

  async function follow(): Promise<void> {
    while (!isStopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waiting.size > 0 ? busyMs : quietMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (isStopped) return;
      await inTurn(async () => {
        await writeBlocks();
        if (isSnapshotDue()) await snapshot();
      }).catch(() => undefined);
    }
  }

  const latest = (await nodeRpc.call(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as ChainEntry.RpcBlock;
  last = { number: Number(latest.number), hash: latest.hash };
  if (place.isUnchanged) {
    log = frameLog.open(logPath(folder, name, generation), onFailure);
  } else {
    await snapshot();
  }
  const following = follow();

  /** Returns whether it was still following. */
  async function endFollowing(): Promise<boolean> {
    if (isStopped) return false;
    isStopped = true;
    wake();
    await following;
    await turn;
    return true;
  }

  return {
    willSend(raw) {
      const hash = keccak256(raw);
      const atMs = Date.now();
      write({ raw, hash, atMs });
      const isFirst = waiting.size === 0;
      waiting.set(hash, { raw, atMs });
      if (isFirst) wake();
    },
    wasRefused,
    willChange(what) {
      markChange(what);
      changesInProgress += 1;
      return () => {
        changesInProgress -= 1;
        wake();
      };
    },
    adopt: (hash) =>
      inTurn(async () => {
        if (!waiting.has(hash)) await writeForeign(hash);
      }),
    catchUp: () => inTurn(writeBlocks),
    async abandon() {
      if (await endFollowing()) log?.close();
    },
    async stop() {
      if (!(await endFollowing())) return;
      await inTurn(async () => {
        await writeBlocks();
        if (hasEntries) await snapshot();
      });
      log?.close();
    },
  };
}

function snapshotPath(folder: string, name: string, generation: number): string {
  return join(folder, `${name}.${generation}.state`);
}

function logPath(folder: string, name: string, generation: number): string {
  return join(folder, `${name}.${generation}.log`);
}

/** Removes the files of a generation. Returns whether there were any. */
function remove(folder: string, name: string, generation: number): boolean {
  const paths = [snapshotPath(folder, name, generation), logPath(folder, name, generation)];
  const had = paths.some((path) => existsSync(path));
  for (const path of paths) rmSync(path, { force: true });
  return had;
}
