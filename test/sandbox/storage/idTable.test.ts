import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createIdTable, type IdTable } from '../../../src/sandbox/storage/idTable.js';
import * as Signature from '../../../src/sandbox/storage/Signature.js';
import * as ScratchFile from '../../../src/sandbox/storage/scratchFile.js';
import { temporaryFolder } from '../../support/ferry.js';

type Key = readonly [number, number];

/** Adds keys in order, each with its place as its slot. */
function fill(table: IdTable, keys: readonly Key[]): void {
  for (const [slot, key] of keys.entries()) table.add(key, slot);
}

const all = 120_000;
const keys = Array.from({ length: all }, (_, number): Key => Signature.hash(`id ${number}`));

function scratchFile(): ScratchFile.ScratchFile {
  const file = ScratchFile.open(join(temporaryFolder(), 'ids'));
  if (!file) throw new Error('There can be no scratch file here.');
  onTestFinished(() => file.close());
  return file;
}

describe('createIdTable', () => {
  test.each([
    ['in memory', () => undefined],
    ['with a scratch file', scratchFile],
    [
      'with a disk that is full after the second time',
      () => {
        const file = scratchFile();
        let writes = 0;
        return {
          ...file,
          write: (bytes: Uint8Array, position: number) => ++writes <= 2 && file.write(bytes, position),
        };
      },
    ],
  ])('default: finds every key and no other, %s', (_, scratch) => {
    const table = createIdTable(scratch());
    fill(table, keys);
    const isFound = (slot: number): boolean => [...table.find(keys[slot] ?? [0, 0])].join() === String(slot);
    expect(Array.from({ length: Math.ceil(all / 7) }, (_, at) => at * 7).filter((slot) => !isFound(slot))).toEqual([]);
    const others = Array.from({ length: 2_000 }, (_, number) => Signature.hash(`other ${number}`));
    expect(others.flatMap((key) => [...table.find(key)])).toEqual([]);
  });

  test('behavior: equal keys, equal halves and the least and greatest values', () => {
    const most = 0xffffffff;
    // More equal first halves than a page has.
    const same = Array.from({ length: 300 }, (_, number): Key => [42, number]);
    const ends: Key[] = [
      [0, 0],
      [0, most],
      [most, 0],
      [most, most],
      [0, 0],
    ];
    const table = createIdTable(scratchFile());
    fill(table, [...ends, ...same, ...keys, ...same]);
    const [start, again] = [ends.length, ends.length + 300 + all];
    for (let second = 0; second < 300; second += 13)
      expect([...table.find([42, second])].sort((a, b) => a - b)).toEqual([start + second, again + second]);
    expect([...table.find([42, 300])]).toEqual([]);
    expect([...table.find([0, 0])].sort()).toEqual([0, 4]);
    expect(ends.slice(1, 4).map((key) => [...table.find(key)])).toEqual([[1], [2], [3]]);
  });
});
