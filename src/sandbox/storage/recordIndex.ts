/**
 * Where each record is and what it is found and sorted by, in columns of numbers: about a hundred bytes of memory each,
 * however large the record.
 */
import type { Summary } from './RecordFrame.js';
import * as Signature from './Signature.js';

/** The number of a record in the index. */
export type Slot = number;

export type Place = { offset: number; length: number };

export type SortColumn = 'createdAtMs' | 'updatedAtMs' | 'weight';

export type RecordIndex = {
  count(): number;
  /** Sets a record's latest version: the one of a slot, or a new one. */
  set(slot: Slot | undefined, summary: Summary, place: Place): Slot;
  /** The slots that may have an id. */
  byId(id: readonly [number, number]): Iterable<Slot>;
  byAlias(alias: readonly [number, number]): Iterable<Slot>;
  placeOf(slot: Slot): Place;
  /** Undefined for one that is forgotten. */
  get(slot: Slot, column: SortColumn | 'sequence' | 'expiresAtMs' | 'writtenAtMs'): number;
  isActive(slot: Slot): boolean;
  isForgotten(slot: Slot): boolean;
  /** Forgets records that expired before a time. Returns how many. */
  forget(nowMs: number): number;
  mayHave(slot: Slot, mask: Uint32Array): boolean;
};

export function createRecordIndex(): RecordIndex {
  let capacity = 1_024;
  let count = 0;
  const numbers = {
    offset: new Float64Array(capacity),
    createdAtMs: new Float64Array(capacity),
    updatedAtMs: new Float64Array(capacity),
    writtenAtMs: new Float64Array(capacity),
    weight: new Float64Array(capacity),
    expiresAtMs: new Float64Array(capacity),
    length: new Uint32Array(capacity),
    sequence: new Uint32Array(capacity),
    flags: new Uint8Array(capacity),
    signatures: new Uint32Array(capacity * Signature.words),
  };
  const ids = createHashTable();
  const aliases = createHashTable();

  function grow(): void {
    const before = capacity;
    // By a quarter: what is empty costs memory, too.
    capacity = Math.ceil(capacity * 1.25);
    for (const [name, column] of Object.entries(numbers)) {
      const length = (column.length / before) * capacity;
      const next = new (column.constructor as new (length: number) => typeof column)(length);
      next.set(column as never);
      Reflect.set(numbers, name, next);
    }
  }

  return {
    count: () => count,
    set(known, summary, place) {
      const slot = known ?? count;
      if (known === undefined) {
        if (count === capacity) grow();
        count += 1;
        ids.add(summary.id, slot);
        if (summary.alias[0] !== 0 || summary.alias[1] !== 0) aliases.add(summary.alias, slot);
      }
      numbers.offset[slot] = place.offset;
      numbers.length[slot] = place.length;
      numbers.sequence[slot] = summary.sequence;
      numbers.createdAtMs[slot] = summary.createdAtMs;
      numbers.updatedAtMs[slot] = summary.updatedAtMs;
      numbers.writtenAtMs[slot] = summary.writtenAtMs;
      numbers.weight[slot] = summary.weight;
      numbers.expiresAtMs[slot] = summary.expiresAtMs;
      numbers.flags[slot] = summary.isActive ? flags.active : 0;
      numbers.signatures.set(summary.signature, slot * Signature.words);
      return slot;
    },
    byId: (id) => ids.find(id),
    byAlias: (alias) => aliases.find(alias),
    placeOf: (slot) => ({ offset: numbers.offset[slot] ?? 0, length: numbers.length[slot] ?? 0 }),
    get: (slot, column) => numbers[column][slot] ?? 0,
    isActive: (slot) => numbers.flags[slot] === flags.active,
    isForgotten: (slot) => numbers.flags[slot] === flags.forgotten,
    forget(nowMs) {
      let forgotten = 0;
      for (let slot = 0; slot < count; slot++) {
        if ((numbers.expiresAtMs[slot] ?? 0) > nowMs || numbers.flags[slot] !== 0) continue;
        numbers.flags[slot] = flags.forgotten;
        forgotten += 1;
      }
      return forgotten;
    },
    mayHave: (slot, mask) => Signature.mayHave(numbers.signatures, slot * Signature.words, mask),
  };
}

const flags = { active: 1, forgotten: 2 } as const;

type HashTable = {
  add(key: readonly [number, number], slot: Slot): void;
  find(key: readonly [number, number]): Iterable<Slot>;
};

/** Open addressing: the first half of a key says where to look, the second half what to look for. */
function createHashTable(): HashTable {
  let size = 4_096;
  let used = 0;
  /** Slot plus one, first half, second half. */
  let cells = new Uint32Array(size * 3);

  function place(first: number, second: number, slot: Slot): void {
    let at = first % size;
    while (cells[at * 3] !== 0) at = (at + 1) % size;
    cells.set([slot + 1, first, second], at * 3);
  }

  return {
    add([first, second], slot) {
      if (used * 5 >= size * 4) {
        const old = cells;
        size *= 2;
        cells = new Uint32Array(size * 3);
        for (let at = 0; at < old.length; at += 3) {
          const known = old[at] ?? 0;
          if (known !== 0) place(old[at + 1] ?? 0, old[at + 2] ?? 0, known - 1);
        }
      }
      place(first, second, slot);
      used += 1;
    },
    *find([first, second]) {
      for (let at = first % size; cells[at * 3] !== 0; at = (at + 1) % size)
        if (cells[at * 3 + 1] === first && cells[at * 3 + 2] === second) yield (cells[at * 3] ?? 0) - 1;
    },
  };
}
