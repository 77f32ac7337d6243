/**
 * Where each record is and what it is found and sorted by, in columns of numbers: about a hundred bytes each, however
 * large the record. Those of the records used last are in memory; the others are in scratch files if there can be any.
 */
import { createIdTable } from './idTable.js';
import type { Summary } from './RecordFrame.js';
import * as Signature from './Signature.js';
import type { ScratchFile } from './scratchFile.js';

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

/** @param scratch opens a new scratch file each time */
export function createRecordIndex(scratch: () => ScratchFile | undefined = () => undefined): RecordIndex {
  let count = 0;
  const blocks = createBlocks(scratch());
  const ids = createIdTable(scratch());
  const aliases = createIdTable(scratch());

  const numberOf = (slot: Slot, column: NumberColumn): number =>
    blocks.at(Math.floor(slot / blockSlots))[column][slot % blockSlots] ?? 0;

  return {
    count: () => count,
    set(known, summary, place) {
      const slot = known ?? count;
      if (known === undefined) {
        count += 1;
        ids.add(summary.id, slot);
        if (summary.alias[0] !== 0 || summary.alias[1] !== 0) aliases.add(summary.alias, slot);
      }
      const block = blocks.toChange(Math.floor(slot / blockSlots));
      const row = slot % blockSlots;
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
        blocks.toChange(Math.floor(slot / blockSlots)).flags[slot % blockSlots] = flags.forgotten;
        forgotten += 1;
      }
      return forgotten;
    },
    mayHave(slot, mask) {
      const { signatures } = blocks.at(Math.floor(slot / blockSlots));
      return Signature.mayHave(signatures, (slot % blockSlots) * Signature.words, mask);
    },
  };
}

/** Records of a block. */
const blockSlots = 1_024;
/** Blocks in memory. */
const mostLoaded = 24;

type Block = ReturnType<typeof createBlock>;
type NumberColumn = Exclude<keyof Block, 'signatures' | 'bytes'>;

/** The columns of one block, one after the other in the same bytes. */
function createBlock() {
  const [wide, narrow] = [blockSlots * Float64Array.BYTES_PER_ELEMENT, blockSlots * Uint32Array.BYTES_PER_ELEMENT];
  const buffer = new ArrayBuffer(6 * wide + (2 + Signature.words) * narrow + blockSlots);
  const rest = 6 * wide;
  return {
    bytes: new Uint8Array(buffer),
    offset: new Float64Array(buffer, 0, blockSlots),
    createdAtMs: new Float64Array(buffer, wide, blockSlots),
    updatedAtMs: new Float64Array(buffer, 2 * wide, blockSlots),
    writtenAtMs: new Float64Array(buffer, 3 * wide, blockSlots),
    weight: new Float64Array(buffer, 4 * wide, blockSlots),
    expiresAtMs: new Float64Array(buffer, 5 * wide, blockSlots),
    length: new Uint32Array(buffer, rest, blockSlots),
    sequence: new Uint32Array(buffer, rest + narrow, blockSlots),
    signatures: new Uint32Array(buffer, rest + 2 * narrow, blockSlots * Signature.words),
    flags: new Uint8Array(buffer, rest + (2 + Signature.words) * narrow, blockSlots),
  };
}

type Blocks = {
  /** A block as it is; a new one is empty. */
  at(number: number): Block;
  /** The same, to write to. */
  toChange(number: number): Block;
};

/** Blocks that are written to the scratch file, if they changed, when others are used. */
function createBlocks(scratch: ScratchFile | undefined): Blocks {
  /** The block used last is the last one. */
  const loaded = new Map<number, Block>();
  const changed = new Set<number>();
  const written = new Set<number>();
  let current: { number: number; block: Block } | undefined;

  function load(number: number): Block {
    const block = loaded.get(number) ?? createBlock();
    if (loaded.delete(number) || !written.has(number)) return block;
    scratch?.read(block.bytes, number * block.bytes.length);
    return block;
  }

  /** Makes room for one. A block that cannot be written stays. */
  function unload(file: ScratchFile): void {
    for (const [number, { bytes }] of loaded) {
      if (loaded.size < mostLoaded) return;
      if (changed.has(number) && !file.write(bytes, number * bytes.length)) continue;
      if (changed.delete(number)) written.add(number);
      loaded.delete(number);
    }
  }

  function at(number: number): Block {
    if (current?.number === number) return current.block;
    const block = load(number);
    if (scratch) unload(scratch);
    loaded.set(number, block);
    current = { number, block };
    return block;
  }

  return {
    at,
    toChange(number) {
      changed.add(number);
      return at(number);
    },
  };
}

const flags = { active: 1, forgotten: 2 } as const;
