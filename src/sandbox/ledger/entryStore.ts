/**
 * Requests in an append-only log: each change appends the whole request again, compressed, and the last version counts.
 * In memory is, for each, only where that is and what finds it: 48 bytes, by its position in the order of requests. Besides
 * requests, the log takes patches: small changes of whatever else the ledger keeps.
 */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import * as Usd from '../../core/base/Usd.js';
import { DamagedLogError, type FrameLog } from '../storage/frameLog.js';
import * as BigintJson from '../values/BigintJson.js';
import { type Entry, initial, isActive } from './Entry.js';
import * as RecordFacets from './RecordFacets.js';

export type Search = {
  /** Groups of words: the request must have a word of each. Others may be found too; the caller looks again. */
  words?: readonly (readonly string[])[] | undefined;
  by?: 'createdAtMs' | 'updatedAtMs' | 'weight' | undefined;
  /** Newest or largest first; by default oldest first. */
  isDescending?: boolean | undefined;
  /** Bounds of what is sorted by, inclusive. */
  from?: number | undefined;
  to?: number | undefined;
};

export type EntryStore = {
  log: FrameLog;
  /** Rows by number: a row is a position in the order of requests. */
  blocks: Map<number, Block>;
  /** The highest position of a request. */
  last: number;
  /** What requests are compressed against: the first one, which all others are like. */
  dictionary: Buffer | undefined;
  /** Requests, and the versions of them in the log. */
  live: number;
  versions: number;
};

type Block = ReturnType<typeof createBlock>;

const blockRows = 4_096;
const keyWords = 2;
const markWords = 4;

/** The latest versions of so many requests. */
function createBlock() {
  return {
    /** Where they are in the log, plus one; 0 for none. */
    places: new Float64Array(blockRows),
    createdAtMs: new Float64Array(blockRows),
    /** Infinite for a paid one. */
    expiresAtMs: new Float64Array(blockRows),
    /** Hashes of both ids. */
    keys: new Uint32Array(blockRows * keyWords),
    /** A set of words, of which each sets three bits: a word that is not there is almost always told. */
    marks: new Uint32Array(blockRows * markWords),
  };
}

/** The first line of a frame. After that of a request, or of a dictionary, comes the text. */
type Head = Request | { patch: string } | { dictionary: true };
type Request = {
  sequence: number;
  createdAtMs: number;
  updatedAtMs: number;
  weight: number;
  /** Null for a paid one. */
  expiresAtMs: number | null;
  isActive: boolean;
  /** The balance of the sponsor as of this version. */
  sponsorUsd: number;
  keys: readonly number[];
  marks: readonly number[];
};

/** How long after its order an unpaid request expires: a deposit that comes late is still refunded. */
const lateMs = 86_400_000;

/**
 * Reads where the requests of a log are, and its patches. Requests that expired before `nowMs` are left out.
 *
 * @returns also the requests with unfinished work, oldest first, and the balance of the sponsor that was written last
 * @throws DamagedLogError
 */
export function open(log: FrameLog, nowMs: number, onPatch: (patch: unknown) => void) {
  const store: EntryStore = { log, blocks: new Map(), last: 0, dictionary: undefined, live: 0, versions: 0 };
  const active = new Set<number>();
  let sponsorUsd: bigint | undefined;
  for (const { content, place } of log.frames()) {
    const head = headOf(content);
    if ('dictionary' in head) store.dictionary = Buffer.from(bodyOf(content));
    if ('patch' in head) onPatch(BigintJson.parse(head.patch));
    sponsorUsd = 'sequence' in head ? BigInt(head.sponsorUsd) : undefined;
    if (!('sequence' in head)) continue;
    note(store, head, place);
    if (head.isActive) active.add(head.sequence);
    else active.delete(head.sequence);
  }
  forget(store, nowMs);
  return { store, sponsorUsd, active: [...active].sort((a, b) => a - b).map((sequence) => read(store, sequence)) };
}

/** Appends a request, with the balance of the sponsor as of this version. @throws StateFileError */
export function put(store: EntryStore, entry: Entry, sponsorUsd: bigint): void {
  const { sequence, createdAtMs, updatedAtMs, order, quote, status } = entry;
  const text = Buffer.from(BigintJson.stringify(entry));
  if (!store.dictionary) store.log.append(frameOf({ dictionary: true }, text));
  store.dictionary ??= text;
  // While there is work on it, it is kept.
  const expiresAtMs = isActive(entry) ? Number.MAX_SAFE_INTEGER : order.deadline * 1_000 + lateMs;
  const head: Request = {
    ...{ sequence, createdAtMs, updatedAtMs },
    weight: Number(Usd.from(quote.details.currencyIn.amountUsd) ?? 0n),
    expiresAtMs: status === 'waiting' ? expiresAtMs : null,
    isActive: isActive(entry),
    sponsorUsd: Number(sponsorUsd),
    keys: [keyOf(order.requestId), order.protocol ? keyOf(order.protocol.orderId) : 0],
    marks: [...marksOf(RecordFacets.wordsOf(entry))],
  };
  const body = deflateRawSync(text, { level: 3, memLevel: 6, dictionary: store.dictionary });
  note(store, head, store.log.append(frameOf(head, body)));
}

/** Appends a change of something else. @throws StateFileError */
export function patch({ log }: Pick<EntryStore, 'log'>, change: unknown): void {
  log.append(frameOf({ patch: BigintJson.stringify(change) }));
}

/** The request with an id, by its hash and then by a look. */
export function find(store: EntryStore, id: string, isIt: (entry: Entry) => boolean): Entry | undefined {
  const key = keyOf(id);
  for (const [number, { keys }] of [...store.blocks].reverse())
    for (let at = keys.indexOf(key); at >= 0; at = keys.indexOf(key, at + 1)) {
      const sequence = number * blockRows + Math.floor(at / keyWords);
      const entry = has(store, sequence) && read(store, sequence);
      if (entry && isIt(entry)) return entry;
    }
  return undefined;
}

/** Requests in order, read one by one. */
export function* search(store: EntryStore, options: Search = {}): Iterable<Entry> {
  const { words = [], by = 'createdAtMs', isDescending = false, from = -Infinity, to = Infinity } = options;
  const masks = words.map((group) => group.map((word) => marksOf([word])));
  const values = new Map<number, number>();
  for (const sequence of sequences(store)) {
    const { block, row } = rowOf(store, sequence);
    const isMarked = (mask: Uint32Array): boolean =>
      mask.every((bits, word) => ((block.marks[row * markWords + word] ?? 0) & bits) >>> 0 === bits);
    if (!masks.every((group) => group.some(isMarked))) continue;
    const value =
      by === 'createdAtMs' ? (block.createdAtMs[row] ?? 0) : (headOf(contentOf(store, sequence)) as Request)[by];
    if (value >= from && value <= to) values.set(sequence, value);
  }
  const order = [...values].sort(([a, first], [b, second]) => first - second || a - b);
  if (isDescending) order.reverse();
  for (const [sequence] of order) if (has(store, sequence)) yield read(store, sequence);
}

/** Whether a request that was created at or after a time is not paid. */
export function isAwaited(store: EntryStore, sinceMs: number): boolean {
  for (let sequence = store.last; sequence > 0; sequence--) {
    if (!has(store, sequence)) continue;
    const { block, row } = rowOf(store, sequence);
    if ((block.createdAtMs[row] ?? 0) < sinceMs) return false;
    if ((block.expiresAtMs[row] ?? 0) < Infinity) return true;
  }
  return false;
}

export function forget(store: EntryStore, nowMs: number): void {
  for (const sequence of sequences(store)) {
    const { block, row } = rowOf(store, sequence);
    if ((block.expiresAtMs[row] ?? 0) > nowMs) continue;
    block.places[row] = 0;
    store.live -= 1;
  }
  for (const [number, { places }] of store.blocks)
    if (places.every((place) => place === 0)) store.blocks.delete(number);
}

/** Writes what is needed into another log. */
export function copyTo(store: EntryStore, target: FrameLog, patches: readonly unknown[]): void {
  if (store.dictionary) target.append(frameOf({ dictionary: true }, store.dictionary));
  for (const sequence of sequences(store)) target.append(contentOf(store, sequence));
  for (const change of patches) patch({ log: target }, change);
}

function note(store: EntryStore, head: Request, place: number): void {
  const { sequence, createdAtMs, expiresAtMs, keys, marks } = head;
  if (!has(store, sequence)) store.live += 1;
  store.versions += 1;
  store.last = Math.max(store.last, sequence);
  const { block, row } = rowOf(store, sequence);
  block.places[row] = place + 1;
  block.createdAtMs[row] = createdAtMs;
  block.expiresAtMs[row] = expiresAtMs ?? Infinity;
  block.keys.set(keys, row * keyWords);
  block.marks.set(marks, row * markWords);
}

function rowOf({ blocks }: EntryStore, sequence: number): { block: Block; row: number } {
  const number = Math.floor(sequence / blockRows);
  const block = blocks.get(number) ?? createBlock();
  blocks.set(number, block);
  return { block, row: sequence % blockRows };
}

function has({ blocks }: EntryStore, sequence: number): boolean {
  return Boolean(blocks.get(Math.floor(sequence / blockRows))?.places[sequence % blockRows]);
}

/** The positions of all requests. */
function* sequences(store: EntryStore): Iterable<number> {
  for (let sequence = 1; sequence <= store.last; sequence++) if (has(store, sequence)) yield sequence;
}

function contentOf(store: EntryStore, sequence: number): Buffer {
  const { block, row } = rowOf(store, sequence);
  return store.log.read((block.places[row] ?? 0) - 1);
}

/** What is undefined is not in the log. */
function read(store: EntryStore, sequence: number): Entry {
  const text = inflateRawSync(bodyOf(contentOf(store, sequence)), { dictionary: store.dictionary });
  return { ...initial, ...(BigintJson.parse(text.toString()) as Entry) };
}

function frameOf(head: Head, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
}

/** @throws DamagedLogError */
function headOf(content: Buffer): Head {
  try {
    return JSON.parse(content.toString('utf8', 0, content.indexOf('\n'))) as Head;
  } catch {
    throw new DamagedLogError('A frame of the ledger has no head.');
  }
}

function bodyOf(content: Buffer): Buffer {
  return content.subarray(content.indexOf('\n') + 1);
}

function keyOf(id: string): number {
  return crc32(id.toLowerCase());
}

function marksOf(words: readonly string[]): Uint32Array {
  const marks = new Uint32Array(markWords);
  for (const hash of words.map((word) => crc32(word.toLowerCase())))
    for (const bit of [hash & 127, (hash >>> 7) & 127, (hash >>> 14) & 127])
      marks[bit >>> 5] = (marks[bit >>> 5] ?? 0) | (1 << (bit & 31));
  return marks;
}
