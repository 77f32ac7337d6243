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
  /** The positions of requests with unfinished work. */
  active: Set<number>;
  /** The balance of the sponsor in millionths of a US dollar, written with whatever is written next. */
  sponsorUsd: bigint;
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
type Head = { sponsorUsd: number; request?: Request; patch?: string; dictionary?: true };
type Request = {
  sequence: number;
  createdAtMs: number;
  updatedAtMs: number;
  weight: number;
  /** Null for a paid one. */
  expiresAtMs: number | null;
  isActive: boolean;
  keys: readonly number[];
  marks: readonly number[];
};

/** Initial balance of the built-in sponsor: 100,000 US dollars. */
const sponsorStartUsd = 100_000_000_000n;

/** How long after its order an unpaid request expires: a deposit that comes late is still refunded. */
const lateMs = 86_400_000;

/**
 * Reads where the requests of a log are, and its patches. Requests that expired before `nowMs` are left out.
 *
 * @throws DamagedLogError
 */
export function open(log: FrameLog, nowMs: number, onPatch: (patch: unknown) => void): EntryStore {
  const store: EntryStore = {
    ...{ log, blocks: new Map(), active: new Set(), sponsorUsd: sponsorStartUsd },
    ...{ last: 0, dictionary: undefined, live: 0, versions: 0 },
  };
  for (const { content, place } of log.frames()) {
    const { sponsorUsd, request, patch, dictionary } = headOf(content);
    store.sponsorUsd = BigInt(sponsorUsd);
    if (dictionary) store.dictionary = Buffer.from(bodyOf(content));
    if (patch !== undefined) onPatch(BigintJson.parse(patch));
    if (request) note(store, request, place);
  }
  forget(store, nowMs);
  return store;
}

/** Appends a request. @throws StateFileError */
export function put(store: EntryStore, entry: Entry): void {
  const { sequence, createdAtMs, updatedAtMs, order, quote, status } = entry;
  const text = Buffer.from(BigintJson.stringify(entry));
  if (!store.dictionary) append(store, { dictionary: true }, text);
  store.dictionary ??= text;
  // While there is work on it, it is kept.
  const expiresAtMs = isActive(entry) ? Number.MAX_SAFE_INTEGER : order.deadline * 1_000 + lateMs;
  const request: Request = {
    ...{ sequence, createdAtMs, updatedAtMs },
    weight: Number(Usd.from(quote.details.currencyIn.amountUsd) ?? 0n),
    expiresAtMs: status === 'waiting' ? expiresAtMs : null,
    isActive: isActive(entry),
    keys: [keyOf(order.requestId), order.protocol ? keyOf(order.protocol.orderId) : 0],
    marks: [...marksOf(RecordFacets.wordsOf(entry))],
  };
  const body = deflateRawSync(text, { level: 3, memLevel: 6, dictionary: store.dictionary });
  note(store, request, append(store, { request }, body));
}

/** Appends a change of something else. @throws StateFileError */
export function patch(store: EntryStore, change: unknown): void {
  append(store, { patch: BigintJson.stringify(change) });
}

/** The request with an id, by its hash and then by a look. */
export function find(store: EntryStore, id: string, idOf: (entry: Entry) => string | undefined): Entry | undefined {
  const key = keyOf(id);
  for (const [number, { keys, places }] of [...store.blocks].reverse())
    for (let at = keys.indexOf(key); at >= 0; at = keys.indexOf(key, at + 1)) {
      const row = Math.floor(at / keyWords);
      const entry = places[row] ? read(store, number * blockRows + row) : undefined;
      if (entry && idOf(entry)?.toLowerCase() === id.toLowerCase()) return entry;
    }
  return undefined;
}

/** Requests in order, read one by one. */
export function* search(store: EntryStore, options: Search = {}): Iterable<Entry> {
  const { words = [], by = 'createdAtMs', isDescending = false, from = -Infinity, to = Infinity } = options;
  const masks = words.map((group) => group.map((word) => marksOf([word])));
  const values = new Map<number, number>();
  for (const { sequence, block, row } of rows(store)) {
    const isMarked = (mask: Uint32Array): boolean =>
      mask.every((bits, word) => ((block.marks[row * markWords + word] ?? 0) & bits) >>> 0 === bits);
    if (!masks.every((group) => group.some(isMarked))) continue;
    const created = block.createdAtMs[row] ?? 0;
    const value = by === 'createdAtMs' ? created : (headOf(contentOf(store, sequence)).request?.[by] ?? 0);
    if (value >= from && value <= to) values.set(sequence, value);
  }
  const order = [...values].sort(([a, first], [b, second]) => first - second || a - b);
  if (isDescending) order.reverse();
  for (const [sequence] of order) if (placeOf(store, sequence)) yield read(store, sequence);
}

/** Those with unfinished work, oldest first. */
export function active(store: EntryStore): Entry[] {
  return [...store.active].sort((a, b) => a - b).map((sequence) => read(store, sequence));
}

/** Unix time in milliseconds of the request that was added last; 0 before the first. */
export function newestMs({ blocks, last }: EntryStore): number {
  return blocks.get(Math.floor(last / blockRows))?.createdAtMs[last % blockRows] ?? 0;
}

/** Leaves out the unpaid requests that expired before a time. */
export function forget(store: EntryStore, nowMs: number): void {
  for (const { block, row } of rows(store)) {
    if ((block.expiresAtMs[row] ?? 0) > nowMs) continue;
    block.places[row] = 0;
    store.live -= 1;
  }
  for (const [number, { places }] of store.blocks)
    if (places.every((place) => place === 0)) store.blocks.delete(number);
}

/** Writes what is needed into another log. */
export function copyTo(store: EntryStore, target: FrameLog, patches: readonly unknown[]): void {
  const copy = { ...store, log: target };
  for (const { sequence } of rows(store)) target.append(contentOf(store, sequence));
  for (const change of patches) patch(copy, change);
  // Last, since the balance of the last frame counts.
  if (store.dictionary) append(copy, { dictionary: true }, store.dictionary);
}

function note(store: EntryStore, request: Request, place: number): void {
  const { sequence, createdAtMs, expiresAtMs, keys, marks } = request;
  if (!placeOf(store, sequence)) store.live += 1;
  store.versions += 1;
  store.last = Math.max(store.last, sequence);
  if (request.isActive) store.active.add(sequence);
  else store.active.delete(sequence);
  const number = Math.floor(sequence / blockRows);
  const block = store.blocks.get(number) ?? createBlock();
  store.blocks.set(number, block);
  const row = sequence % blockRows;
  block.places[row] = place + 1;
  block.createdAtMs[row] = createdAtMs;
  block.expiresAtMs[row] = expiresAtMs ?? Infinity;
  block.keys.set(keys, row * keyWords);
  block.marks.set(marks, row * markWords);
}

/** The place of a request plus one; 0 if there is none. */
function placeOf({ blocks }: EntryStore, sequence: number): number {
  return blocks.get(Math.floor(sequence / blockRows))?.places[sequence % blockRows] ?? 0;
}

/** Where all requests are, oldest first. */
function* rows({ blocks }: EntryStore): Iterable<{ sequence: number; block: Block; row: number }> {
  for (const [number, block] of [...blocks].sort(([a], [b]) => a - b))
    for (let row = 0; row < blockRows; row++)
      if (block.places[row]) yield { sequence: number * blockRows + row, block, row };
}

function contentOf(store: EntryStore, sequence: number): Buffer {
  return store.log.read(placeOf(store, sequence) - 1);
}

/** What is undefined is not in the log. */
function read(store: EntryStore, sequence: number): Entry {
  const text = inflateRawSync(bodyOf(contentOf(store, sequence)), { dictionary: store.dictionary });
  return { ...initial, ...(BigintJson.parse(text.toString()) as Entry) };
}

function append(
  { log, sponsorUsd }: EntryStore,
  head: Omit<Head, 'sponsorUsd'>,
  body: Uint8Array = Buffer.alloc(0),
): number {
  const line = `${JSON.stringify({ sponsorUsd: Number(sponsorUsd), ...head })}\n`;
  return log.append(Buffer.concat([Buffer.from(line), body]));
}

/** @throws DamagedLogError */
function headOf(content: Buffer): Head {
  try {
    const head = JSON.parse(content.toString('utf8', 0, content.indexOf('\n'))) as Head;
    if (typeof head.sponsorUsd === 'number') return head;
  } catch {
    // Told below.
  }
  throw new DamagedLogError('A frame of the ledger has no head.');
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
