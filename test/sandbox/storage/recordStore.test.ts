import { describe, expect, test } from 'vitest';
import { type FrameLog, inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { createRecordStore, type Item } from '../../../src/sandbox/storage/recordStore.js';

const itemOf = (sequence: number, change: Partial<Item> = {}): Item => ({
  id: `id ${sequence}`,
  alias: `alias ${sequence}`,
  sequence,
  createdAtMs: sequence * 10,
  updatedAtMs: sequence * 10,
  weight: -sequence,
  expiresAtMs: Infinity,
  isActive: false,
  words: [`parity ${sequence % 2}`, `number ${sequence}`],
  body: { sequence },
  ...change,
});

function filled(log: FrameLog = inMemory()) {
  const store = createRecordStore(log, 0);
  for (let sequence = 1; sequence <= 6; sequence++) store.put(itemOf(sequence), BigInt(sequence));
  return store;
}

const found = (bodies: Iterable<unknown>): number[] =>
  Array.from(bodies, (body) => (body as { sequence: number }).sequence);

describe('search', () => {
  test.each([
    [{}, [1, 2, 3, 4, 5, 6]],
    [{ isDescending: true }, [6, 5, 4, 3, 2, 1]],
    [{ by: 'weight' }, [6, 5, 4, 3, 2, 1]],
    [{ words: [['parity 1']] }, [1, 3, 5]],
    [{ words: [['parity 1'], ['number 3', 'number 5', 'number 6']] }, [3, 5]],
    [{ from: 30, to: 50 }, [3, 4, 5]],
  ] as const)('default: %j', (search, sequences) => {
    expect(found(filled().search(search))).toEqual(sequences);
  });

  test('behavior: reads no more than is asked for, and sorts what came out of order', () => {
    const store = filled();
    store.put(itemOf(7, { createdAtMs: 15 }), 0n);
    expect(found(store.search())).toEqual([1, 7, 2, 3, 4, 5, 6]);
    const [first] = store.search({ isDescending: true });
    expect(first).toEqual({ sequence: 6 });
  });
});

describe('put', () => {
  test('behavior: the last version counts, also after it is read back', () => {
    const log = inMemory();
    const store = filled(log);
    store.put(itemOf(2, { body: { sequence: 2, is: 'new' }, isActive: true }), 77n);
    for (const each of [store, createRecordStore(log, 0)]) {
      expect(each.get('ID 2')).toEqual({ sequence: 2, is: 'new' });
      expect(each.getByAlias('alias 2')).toEqual({ sequence: 2, is: 'new' });
      expect([each.get('id 9'), each.getByAlias('id 2')]).toEqual([undefined, undefined]);
      expect([found(each.active()), each.lastSequence()]).toEqual([[2], 6]);
    }
    expect(createRecordStore(log, 0).balance).toBe(77n);
    expect(store.waste().wasted).toBeGreaterThan(0);
  });
});

describe('patch', () => {
  test('default: all of them, in order; one after the last record has the last word', () => {
    const log = inMemory();
    const store = filled(log);
    store.patch({ a: 1 });
    store.patch({ a: 2 });
    const again = createRecordStore(log, 0);
    expect([again.patches, again.balance]).toEqual([[{ a: 1 }, { a: 2 }], undefined]);
  });
});

describe('forget', () => {
  test('default: an expired record is gone from everything, and from a copy', () => {
    const store = filled();
    store.put(itemOf(7, { expiresAtMs: 100 }), 0n);
    expect(store.hasSince(70, 'parity 1')).toBe(true);
    store.forget(100);
    expect([store.get('id 7'), store.getByAlias('alias 7'), store.hasSince(70, 'parity 1')]).toEqual([
      undefined,
      undefined,
      false,
    ]);
    const copy = inMemory();
    store.copyTo(copy, [{ last: 1 }]);
    const again = createRecordStore(copy, 0);
    expect([found(again.search()), again.patches]).toEqual([[1, 2, 3, 4, 5, 6], [{ last: 1 }]]);
  });
});

describe('writtenSince', () => {
  test('default', () => {
    const store = filled();
    expect(found(store.writtenSince(0))).toHaveLength(6);
    expect(found(store.writtenSince(Date.now() + 1_000))).toEqual([]);
  });
});
