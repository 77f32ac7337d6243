/**
 * Records in an append-only log, of which only an index is in memory. Each change appends the whole record again; the
 * last version counts. Besides records, the log takes patches: small changes of whatever else its owner keeps.
 */
import type { JsonValue } from '../values/BigintJson.js';
import type { FrameLog } from './frameLog.js';
import * as RecordFrame from './RecordFrame.js';
import { createRecordIndex, type Slot, type SortColumn } from './recordIndex.js';
import * as Signature from './Signature.js';

export type Item = Pick<
  RecordFrame.Summary,
  'sequence' | 'createdAtMs' | 'updatedAtMs' | 'weight' | 'expiresAtMs' | 'isActive'
> & {
  id: string;
  /** A second id. */
  alias: string | undefined;
  /** Words that the record can be searched for. */
  words: readonly string[];
  body: JsonValue;
};

export type Search = {
  /** Groups of words: the record must have a word of each. Others may be found too; the caller looks again. */
  words?: readonly (readonly string[])[] | undefined;
  by?: SortColumn | undefined;
  /** Newest or largest first; by default oldest first. */
  isDescending?: boolean | undefined;
  /** Bounds of the column that is sorted by, inclusive. */
  from?: number | undefined;
  to?: number | undefined;
};

export type RecordStore = {
  put(item: Item, balance: bigint): void;
  get(id: string): JsonValue | undefined;
  getByAlias(alias: string): JsonValue | undefined;
  /** Bodies in order, read one by one. */
  search(search?: Search): Iterable<JsonValue>;
  /** Bodies of the records with unfinished work, oldest first. */
  active(): readonly JsonValue[];
  /** Bodies of the records that were written at or after a time. */
  writtenSince(ms: number): Iterable<JsonValue>;
  /** Whether a record with one of the words was created at or after a time. */
  hasSince(ms: number, word: string): boolean;
  patch(patch: JsonValue): void;
  /** The patches of the log as it was opened, oldest first. */
  patches: readonly JsonValue[];
  /** The balance of the last record; undefined if there is none, or a patch follows it. */
  balance: bigint | undefined;
  /** The highest sequence of any record. */
  lastSequence(): number;
  /** Forgets expired records. */
  forget(nowMs: number): void;
  /** Bytes of the log that no record needs any more, and of the whole log. */
  waste(): { wasted: number; total: number };
  /** Writes what is needed into another log, oldest first, with patches that say the rest. */
  copyTo(log: FrameLog, patches: readonly JsonValue[]): void;
};

/** Longest useful text to compress against. */
const dictionaryBytes = 32_768;

/** Reads the index from the log. Records that expired before `nowMs` are left out. @throws DamagedLogError */
export function createRecordStore(log: FrameLog, nowMs: number): RecordStore {
  const index = createRecordIndex(() => log.scratch());
  const patches: JsonValue[] = [];
  let dictionary: Buffer | undefined;
  let balance: bigint | undefined;
  let lastSequence = 0;
  let needed = 0;

  const contentOf = (slot: Slot): Buffer => {
    const { offset, length } = index.placeOf(slot);
    return log.read(offset, length);
  };
  const bodyOf = (slot: Slot): JsonValue => RecordFrame.bodyOf(contentOf(slot), dictionary);

  /** Hashes of 64 bits are taken to be the ids: a store has too few records for two to be equal. */
  function first(slots: Iterable<Slot>): Slot | undefined {
    for (const slot of slots) if (!index.isForgotten(slot)) return slot;
    return undefined;
  }

  function note(
    known: Slot | undefined,
    summary: RecordFrame.Summary,
    place: { offset: number; length: number },
  ): void {
    if (known !== undefined) needed -= index.placeOf(known).length;
    needed += place.length;
    index.set(known, summary, place);
    lastSequence = Math.max(lastSequence, summary.sequence);
  }

  for (const { content, offset } of log.frames()) {
    const kind = RecordFrame.kindOf(content);
    if (kind === 'dictionary') dictionary = RecordFrame.dictionaryOf(content);
    if (kind === 'patch') {
      patches.push(RecordFrame.patchOf(content));
      balance = undefined;
    }
    if (kind !== 'record') continue;
    const summary = RecordFrame.summaryOf(content);
    note(first(index.byId(summary.id)), summary, { offset, length: content.length });
    balance = summary.balance;
  }
  index.forget(nowMs);

  function append(item: Item, itemBalance: bigint, known: Slot | undefined): void {
    const summary: RecordFrame.Summary = {
      ...item,
      writtenAtMs: Date.now(),
      balance: itemBalance,
      id: Signature.hash(item.id),
      alias: item.alias === undefined ? [0, 0] : Signature.hash(item.alias),
      signature: Signature.of(item.words),
    };
    if (!dictionary) {
      // The first record is what all others are like.
      const text = Buffer.from(JSON.stringify(item.body)).subarray(0, dictionaryBytes);
      log.append(RecordFrame.ofDictionary(text));
      dictionary = text;
    }
    const content = RecordFrame.ofRecord(summary, item.body, dictionary);
    note(known, summary, { offset: log.append(content), length: content.length });
  }

  const matching = (mask: readonly (readonly Uint32Array[])[], slot: Slot): boolean =>
    !index.isForgotten(slot) && mask.every((group) => group.some((each) => index.mayHave(slot, each)));

  return {
    put: (item, itemBalance) => append(item, itemBalance, first(index.byId(Signature.hash(item.id)))),
    get(id) {
      const slot = first(index.byId(Signature.hash(id)));
      return slot === undefined ? undefined : bodyOf(slot);
    },
    getByAlias(alias) {
      const slot = first(index.byAlias(Signature.hash(alias)));
      return slot === undefined ? undefined : bodyOf(slot);
    },
    *search({ words = [], by = 'createdAtMs', isDescending = false, from = -Infinity, to = Infinity } = {}) {
      const mask = words.map((group) => group.map((word) => Signature.of([word])));
      const slots: Slot[] = [];
      let isSorted = true;
      for (let slot = 0, last = -Infinity; slot < index.count(); slot++) {
        const value = index.get(slot, by);
        if (value < from || value > to || !matching(mask, slot)) continue;
        if (value < last || index.get(slot, 'sequence') < index.get(slots.at(-1) ?? slot, 'sequence')) isSorted = false;
        last = value;
        slots.push(slot);
      }
      if (!isSorted)
        slots.sort(
          (a, b) => index.get(a, by) - index.get(b, by) || index.get(a, 'sequence') - index.get(b, 'sequence'),
        );
      if (isDescending) slots.reverse();
      for (const slot of slots) yield bodyOf(slot);
    },
    active() {
      const slots = Array.from({ length: index.count() }, (_, slot) => slot).filter(index.isActive);
      return slots.map(bodyOf);
    },
    *writtenSince(ms) {
      for (let slot = 0; slot < index.count(); slot++)
        if (index.get(slot, 'writtenAtMs') >= ms && !index.isForgotten(slot)) yield bodyOf(slot);
    },
    hasSince(ms, word) {
      const mask = [[Signature.of([word])]];
      for (let slot = index.count() - 1; slot >= 0 && index.get(slot, 'createdAtMs') >= ms; slot--)
        if (matching(mask, slot)) return true;
      return false;
    },
    patch(patch) {
      log.append(RecordFrame.ofPatch(patch));
    },
    patches,
    balance,
    lastSequence: () => lastSequence,
    forget: (ms) => {
      index.forget(ms);
    },
    waste: () => ({ wasted: log.size() - needed, total: log.size() }),
    copyTo(target, rest) {
      if (dictionary) target.append(RecordFrame.ofDictionary(dictionary));
      for (let slot = 0; slot < index.count(); slot++) if (!index.isForgotten(slot)) target.append(contentOf(slot));
      for (const patch of rest) target.append(RecordFrame.ofPatch(patch));
    },
  };
}
