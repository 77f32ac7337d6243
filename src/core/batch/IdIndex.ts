/**
 * Remembers which ids of a batch were seen, in 20 to 60 bytes each however long they are. An id and the text stored
 * with it are kept as hashes: of different ids, two in 2^96 would be taken for the same.
 */
import { sha256, stringToBytes } from 'viem/utils';

export type IdIndex = {
  /** The number of ids. */
  readonly size: number;
  /** The tag stored with the id; undefined if the id is not there. */
  find(id: string): number | undefined;
  /** Stores a tag with an id, in place of an earlier one. */
  set(id: string, tag: number): void;
  /** Stores a tag with an id that is not there; returns the tag of one that is, which stays. */
  add(id: string, tag: number): number | undefined;
};

/** Words of a hash that identify an id. */
const words = 3;

/** Creates an empty index. */
export function create(): IdIndex {
  let capacity = 1024;
  let hashes = new Uint32Array(capacity * words);
  let tags = emptyTags(capacity);
  let size = 0;

  /** The id's slot, or the free one where it belongs. */
  const slotOf = ([a, b, c]: Hash): number => {
    for (let slot = a & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
      if (Number.isNaN(tags[slot])) return slot;
      const at = slot * words;
      if (hashes[at] === a && hashes[at + 1] === b && hashes[at + 2] === c) return slot;
    }
  };
  const tagAt = (slot: number): number | undefined => {
    const tag = tags[slot];
    return tag === undefined || Number.isNaN(tag) ? undefined : tag;
  };
  const put = (hash: Hash, tag: number, slot = slotOf(hash)): void => {
    if (Number.isNaN(tags[slot])) size++;
    hashes.set(hash, slot * words);
    tags[slot] = tag;
  };
  const grow = (): void => {
    const [oldHashes, oldTags] = [hashes, tags];
    capacity *= 2;
    hashes = new Uint32Array(capacity * words);
    tags = emptyTags(capacity);
    size = 0;
    for (const [slot, tag] of oldTags.entries()) {
      const [a = 0, b = 0, c = 0] = oldHashes.subarray(slot * words, (slot + 1) * words);
      if (!Number.isNaN(tag)) put([a, b, c], tag);
    }
  };

  return {
    get size() {
      return size;
    },
    find: (id) => tagAt(slotOf(hash(id))),
    set(id, tag) {
      if (size >= capacity * 0.6) grow();
      put(hash(id), tag);
    },
    add(id, tag) {
      if (size >= capacity * 0.6) grow();
      const hashed = hash(id);
      const slot = slotOf(hashed);
      const before = tagAt(slot);
      if (before === undefined) put(hashed, tag, slot);
      return before;
    },
  };
}

/** A number that stands for a text: equal for equal texts, and different for others but for one in 2^52. */
export function tagOf(text: string): number {
  const [a, b] = hash(text);
  return a * 2 ** 20 + (b >>> 12);
}

/** The first words of 32 bits of the SHA-256 of a text: ids may come from somebody who gains by a collision. */
type Hash = readonly [number, number, number];

function hash(text: string): Hash {
  const digest = sha256(stringToBytes(text), 'bytes');
  const { buffer, byteOffset } = digest;
  const view = new DataView(buffer, byteOffset);
  return [view.getUint32(0), view.getUint32(4), view.getUint32(8)];
}

function emptyTags(capacity: number): Float64Array {
  return new Float64Array(capacity).fill(Number.NaN);
}
