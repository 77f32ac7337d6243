import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Summary } from '../../../src/sandbox/storage/RecordFrame.js';
import { createRecordIndex, type RecordIndex } from '../../../src/sandbox/storage/recordIndex.js';
import * as Signature from '../../../src/sandbox/storage/Signature.js';
import * as ScratchFile from '../../../src/sandbox/storage/scratchFile.js';
import { temporaryFolder } from '../../support/ferry.js';

const summaryOf = (number: number): Summary => ({
  sequence: number,
  createdAtMs: number,
  updatedAtMs: number,
  writtenAtMs: number,
  weight: number,
  expiresAtMs: number % 2 === 0 ? number : Infinity,
  isActive: number % 4 === 0,
  balance: 0n,
  id: Signature.hash(`id ${number}`),
  alias: number % 3 === 0 ? Signature.hash(`alias ${number}`) : [0, 0],
  signature: Signature.of([`word ${number}`]),
});

describe('createRecordIndex', () => {
  test('default: thousands of records, each found by its ids', () => {
    const index = createRecordIndex();
    for (let number = 0; number < 5_000; number++)
      index.set(undefined, summaryOf(number), { offset: number * 10, length: number });
    expect(index.count()).toBe(5_000);
    for (const number of [0, 1, 999, 1_024, 4_998]) {
      const [slot = -1, ...others] = index.byId(Signature.hash(`id ${number}`));
      expect([index.placeOf(slot), others]).toEqual([{ offset: number * 10, length: number }, []]);
      expect([...index.byAlias(Signature.hash(`alias ${number}`))]).toEqual(number % 3 === 0 ? [slot] : []);
      expect(index.mayHave(slot, Signature.of([`word ${number}`]))).toBe(true);
      expect(index.isActive(slot)).toBe(number % 4 === 0);
    }
    expect([...index.byId(Signature.hash('id 5000'))]).toEqual([]);
  });

  test('behavior: with a scratch file, what is not in memory is as it was', () => {
    const folder = temporaryFolder();
    const files: (ScratchFile.ScratchFile | undefined)[] = [];
    const scratch = () => {
      files.push(ScratchFile.open(join(folder, 'index')));
      return files.at(-1);
    };
    const [plain, spilled] = [createRecordIndex(), createRecordIndex(scratch)];
    const all = 40_000;
    for (const index of [plain, spilled]) {
      for (let number = 0; number < all; number++)
        index.set(undefined, summaryOf(number), { offset: number * 10, length: number });
      // Older ones change later, far from one another.
      for (let number = 0; number < all; number += 997)
        index.set(number, { ...summaryOf(number), updatedAtMs: all + number }, { offset: 7, length: number });
      index.forget(20_000);
    }
    const rowOf = (index: RecordIndex, slot: number): unknown[] => [
      index.placeOf(slot),
      index.get(slot, 'updatedAtMs'),
      index.isActive(slot),
      index.isForgotten(slot),
      index.mayHave(slot, Signature.of([`word ${slot}`])),
    ];
    for (let slot = 0; slot < all; slot += 37) expect(rowOf(spilled, slot)).toEqual(rowOf(plain, slot));
    expect([...spilled.byId(Signature.hash('id 3'))]).toEqual([3]);
    for (const file of files) file?.close();
  });

  test('behavior: what cannot be written stays in memory', () => {
    const file = ScratchFile.open(join(temporaryFolder(), 'index'));
    file?.close();
    const index = createRecordIndex(() => file);
    for (let number = 0; number < 40_000; number++)
      index.set(undefined, summaryOf(number), { offset: 1, length: number });
    expect([0, 39_999].map((slot) => index.placeOf(slot).length)).toEqual([0, 39_999]);
  });

  test('behavior: a later version takes the place of the one before', () => {
    const index = createRecordIndex();
    const slot = index.set(undefined, summaryOf(1), { offset: 1, length: 1 });
    index.set(slot, { ...summaryOf(1), updatedAtMs: 9 }, { offset: 2, length: 3 });
    expect([index.count(), index.get(slot, 'updatedAtMs'), index.placeOf(slot)]).toEqual([
      1,
      9,
      { offset: 2, length: 3 },
    ]);
  });

  test('behavior: forgets what expired and is not active', () => {
    const index = createRecordIndex();
    for (let number = 0; number < 12; number++) index.set(undefined, summaryOf(number), { offset: 0, length: 0 });
    expect(index.forget(6)).toBe(2);
    expect(Array.from({ length: 12 }, (_, slot) => slot).filter(index.isForgotten)).toEqual([2, 6]);
    expect(index.forget(6)).toBe(0);
  });
});
