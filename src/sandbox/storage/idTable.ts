/**
 * Which records may have an id, by two halves of its hash. The latest are in a hash table in memory. When that is full and
 * there is a scratch file, they are written there in order, and only every 256th key stays in memory.
 */
import type { ScratchFile } from './scratchFile.js';

type Key = readonly [first: number, second: number];

export type IdTable = {
  add(key: Key, slot: number): void;
  /** The slots that were added with a key. */
  find(key: Key): Iterable<number>;
};

/** Entries in the file, in the order of their first halves. */
type Run = { position: number; count: number; firsts: Uint32Array };

/** Of an entry: the first half, the second half, and slot plus one, which is 0 where there is none. */
const words = 3;
/** Cells of the table in memory, before it is written out. */
const mostCells = 32_768;
/** Entries that are read at once. */
const pageEntries = 256;

export function createIdTable(scratch?: ScratchFile | undefined): IdTable {
  let size = 4_096;
  let used = 0;
  let cells = new Uint32Array(size * words);
  const runs: Run[] = [];
  let end = 0;

  /** Open addressing: the first half says where to look. */
  function place(first: number, second: number, marked: number): void {
    let at = first % size;
    while (cells[at * words + 2] !== 0) at = (at + 1) % size;
    cells.set([first, second, marked], at * words);
    used += 1;
  }

  function double(): void {
    const old = cells;
    size *= 2;
    used = 0;
    cells = new Uint32Array(size * words);
    for (let at = 0; at < old.length; at += words)
      if (old[at + 2]) place(old[at] ?? 0, old[at + 1] ?? 0, old[at + 2] ?? 0);
  }

  /** Writes the table out and empties it. Where that is not possible, it stays. */
  function writeOut(file: ScratchFile): boolean {
    // The first half and the cell in one number, which sorts faster than pairs.
    const order = new Float64Array(used);
    let count = 0;
    for (let cell = 0; cell < size; cell++)
      if (cells[cell * words + 2]) order[count++] = (cells[cell * words] ?? 0) * size + cell;
    order.sort();
    const sorted = new Uint32Array(used * words);
    for (const [at, key] of order.entries()) {
      const cell = (key % size) * words;
      sorted.set(cells.subarray(cell, cell + words), at * words);
    }
    if (!file.write(new Uint8Array(sorted.buffer), end)) return false;
    const firsts = Uint32Array.from({ length: Math.ceil(used / pageEntries) }, (_, page) => {
      return sorted[page * pageEntries * words] ?? 0;
    });
    runs.push({ position: end, count: used, firsts });
    end += sorted.byteLength;
    cells.fill(0);
    used = 0;
    return true;
  }

  function* inTable([first, second]: Key): Iterable<number> {
    for (let at = first % size; cells[at * words + 2] !== 0; at = (at + 1) % size)
      if (cells[at * words] === first && cells[at * words + 1] === second) yield (cells[at * words + 2] ?? 0) - 1;
  }

  const page = new Uint32Array(pageEntries * words);

  function inRun({ position, count, firsts }: Run, [first, second]: Key, file: ScratchFile): number[] {
    const found: number[] = [];
    // Equal first halves may begin on the page before.
    for (let at = Math.max(0, lowerBound(firsts, first) - 1); at < firsts.length && (firsts[at] ?? 0) <= first; at++) {
      const entries = Math.min(pageEntries, count - at * pageEntries);
      const part = page.subarray(0, entries * words);
      file.read(
        new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
        position + at * pageEntries * words * Uint32Array.BYTES_PER_ELEMENT,
      );
      for (let entry = 0; entry < part.length; entry += words)
        if (part[entry] === first && part[entry + 1] === second) found.push((part[entry + 2] ?? 0) - 1);
    }
    return found;
  }

  return {
    add([first, second], slot) {
      const isFull = used * 5 >= size * 4;
      if (isFull && !(size >= mostCells && scratch && writeOut(scratch))) double();
      place(first, second, slot + 1);
    },
    *find(key) {
      yield* inTable(key);
      if (scratch) for (const run of runs) yield* inRun(run, key, scratch);
    },
  };
}

/** The first place in a sorted array whose value is not below another. */
function lowerBound(sorted: Uint32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
