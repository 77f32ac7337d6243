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
  let count = 0;
  const blocks: Block[] = [];
  const ids = createHashTable();
  const aliases = createHashTable();

  /** The block of a slot that is in use, and the slot's place in it. */
  const at = (slot: Slot): [Block, number] => [blocks[Math.floor(slot / blockSlots)] as Block, slot % blockSlots];
  const numberOf = (slot: Slot, column: NumberColumn): number => {
    const [block, place] = at(slot);
    return block[column][place] ?? 0;
  };

  return {
    count: () => count,
    set(known, summary, place) {
      const slot = known ?? count;
      if (known === undefined) {
        if (count === blocks.length * blockSlots) blocks.push(createBlock());
        count += 1;
        ids.add(summary.id, slot);
        if (summary.alias[0] !== 0 || summary.alias[1] !== 0) aliases.add(summary.alias, slot);
      }
      const [block, row] = at(slot);
      block.offset[row] = place.offset;
      block.length[row] = place.length;
      block.sequence[row] = summary.sequence;
      block.createdAtMs[row] = summary.createdAtMs;
      block.updatedAtMs[row] = summary.updatedAtMs;
      block.writtenAtMs[row] = summary.writtenAtMs;
      block.weight[row] = summary.weight;
      block.expiresAtMs[row] = summary.expiresAtMs;
      block.flags[row] = summary.isActive ? flags.active : 0;
      block.signatures.set(summary.signature, row * Signature.words);
      return slot;
    },
    byId: (id) => ids.find(id),
    byAlias: (alias) => aliases.find(alias),
    placeOf: (slot) => ({ offset: numberOf(slot, 'offset'), length: numberOf(slot, 'length') }),
    get: numberOf,
    isActive: (slot) => numberOf(slot, 'flags') === flags.active,
    isForgotten: (slot) => numberOf(slot, 'flags') === flags.forgotten,
    forget(nowMs) {
      let forgotten = 0;
      for (let slot = 0; slot < count; slot++) {
        if (numberOf(slot, 'expiresAtMs') > nowMs || numberOf(slot, 'flags') !== 0) continue;
        const [block, row] = at(slot);
        block.flags[row] = flags.forgotten;
        forgotten += 1;
      }
      return forgotten;
    },
    mayHave(slot, mask) {
      const [block, row] = at(slot);
      return Signature.mayHave(block.signatures, row * Signature.words, mask);
    },
  };
}

/** Records of a block. The index grows by whole blocks: nothing is copied, and little is empty. */
const blockSlots = 4_096;

type Block = ReturnType<typeof createBlock>;
type NumberColumn = Exclude<keyof Block, 'signatures'>;

function createBlock() {
  return {
    offset: new Float64Array(blockSlots),
    createdAtMs: new Float64Array(blockSlots),
    updatedAtMs: new Float64Array(blockSlots),
    writtenAtMs: new Float64Array(blockSlots),
    weight: new Float64Array(blockSlots),
    expiresAtMs: new Float64Array(blockSlots),
    length: new Uint32Array(blockSlots),
    sequence: new Uint32Array(blockSlots),
    flags: new Uint8Array(blockSlots),
    signatures: new Uint32Array(blockSlots * Signature.words),
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
