import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/sandbox/ledger/Entry.js';
import * as entryStore from '../../../src/sandbox/ledger/entryStore.js';
import { type FrameLog, inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { add, ledgerAt } from '../../support/entries.js';

const example = await add(ledgerAt(0));

/** A request like a real one: the first has most, the last was updated first. */
function entryAt(sequence: number, change: Partial<Entry> = {}): Entry {
  const { order, quote } = example;
  const currencyIn = { ...quote.details.currencyIn, amountUsd: String(100 - sequence) };
  return {
    ...example,
    ...{ sequence, createdAtMs: sequence * 10, updatedAtMs: 1_000 - sequence },
    order: { ...order, requestId: `0x${sequence}`, referrer: sequence % 2 ? 'odd' : 'even', deadline: 0 },
    quote: { ...quote, details: { ...quote.details, currencyIn } },
    ...change,
  };
}

const opened = (log: FrameLog, nowMs = 0) => entryStore.open(log, nowMs, () => {}).store;

function filled(log: FrameLog = inMemory()): entryStore.EntryStore {
  const store = opened(log);
  for (let sequence = 1; sequence <= 6; sequence++) entryStore.put(store, entryAt(sequence), BigInt(sequence));
  return store;
}

const found = (entries: Iterable<Entry>): number[] => Array.from(entries, ({ sequence }) => sequence);
const byId = (store: entryStore.EntryStore, id: string) =>
  entryStore.find(store, id, ({ order }) => order.requestId === id);

describe('search', () => {
  test.each([
    [{}, [1, 2, 3, 4, 5, 6]],
    [{ isDescending: true }, [6, 5, 4, 3, 2, 1]],
    [{ by: 'weight' }, [6, 5, 4, 3, 2, 1]],
    [{ by: 'updatedAtMs', from: 995 }, [5, 4, 3, 2, 1]],
    [{ words: [['referrer=odd']] }, [1, 3, 5]],
    [{ words: [['referrer=odd', 'referrer=even'], ['referrer=odd']] }, [1, 3, 5]],
    [{ words: [['referrer=none']] }, []],
    [{ from: 30, to: 50 }, [3, 4, 5]],
  ] as const)('default: %j', (search, sequences) => {
    expect(found(entryStore.search(filled(), search))).toEqual(sequences);
  });

  test('behavior: sorts what came out of order, or was left out', () => {
    const store = filled();
    entryStore.put(store, entryAt(9_000, { createdAtMs: 15 }), 0n);
    expect(found(entryStore.search(store))).toEqual([1, 9_000, 2, 3, 4, 5, 6]);
  });
});

describe('put', () => {
  test('default: the last version counts, also after it is read back', () => {
    const log = inMemory();
    const store = filled(log);
    const changed = entryAt(2, { status: 'pending', details: 'new' });
    entryStore.put(store, changed, 77n);
    const again = entryStore.open(log, 0, () => {});
    for (const each of [store, again.store]) {
      expect(byId(each, '0x2')).toEqual(changed);
      expect(byId(each, '0x9')).toBeUndefined();
      expect(each.last).toBe(6);
    }
    expect([found(again.active), again.sponsorUsd]).toEqual([[2], 77n]);
  });

  test('behavior: an id whose hash is that of another is not it', () => {
    expect(entryStore.find(filled(), '0x2', () => false)).toBeUndefined();
  });
});

describe('patch', () => {
  test('default: all of them, in order; one after the last request has the last word', () => {
    const log = inMemory();
    const store = filled(log);
    for (const a of [1n, 2n]) entryStore.patch(store, { a });
    const patches: unknown[] = [];
    const { sponsorUsd } = entryStore.open(log, 0, (patch) => patches.push(patch));
    expect([patches, sponsorUsd]).toEqual([[{ a: 1n }, { a: 2n }], undefined]);
  });
});

describe('forget', () => {
  const dayMs = 86_400_000;

  test('default: an expired request is gone from everything, and from a copy', () => {
    const store = opened(inMemory());
    entryStore.put(store, entryAt(1), 0n);
    entryStore.put(store, entryAt(2, { status: 'success' }), 0n);
    entryStore.forget(store, dayMs - 1);
    expect([byId(store, '0x1')?.sequence, entryStore.isAwaited(store, 0)]).toEqual([1, true]);
    entryStore.forget(store, dayMs);
    expect([byId(store, '0x1'), entryStore.isAwaited(store, 0), found(entryStore.search(store))]).toEqual([
      ...[undefined, false],
      [2],
    ]);
    const copy = inMemory();
    entryStore.copyTo(store, copy, [{ last: 1 }]);
    expect([found(entryStore.search(opened(copy))), copy.size() < store.log.size()]).toEqual([[2], true]);
  });

  test('behavior: one with unfinished work is kept', async () => {
    const store = opened(inMemory());
    entryStore.put(store, entryAt(1, { heldBy: 'a fault' }), 0n);
    entryStore.forget(store, 2 * dayMs);
    expect([found(entryStore.search(store)), entryStore.isAwaited(store, 0)]).toEqual([[1], true]);
  });

  test('behavior: nothing of it stays in memory', () => {
    const store = opened(inMemory());
    entryStore.put(store, entryAt(1), 0n);
    entryStore.put(store, entryAt(9_000, { status: 'success' }), 0n);
    expect(store.blocks.size).toBe(2);
    entryStore.forget(store, dayMs);
    expect(store.blocks.size).toBe(1);
  });
});
