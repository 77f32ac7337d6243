import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/sandbox/ledger/Entry.js';
import * as entryStore from '../../../src/sandbox/ledger/entryStore.js';
import { createLedger } from '../../../src/sandbox/ledger/ledger.js';
import { DamagedLogError, type FrameLog, inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { add, deposited, filled, ledgerAt } from '../../support/entries.js';

describe('createLedger', () => {
  test('default: a request is waiting, and found by either id in any case', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    const { requestId, protocol } = entry.order;
    expect(entry).toMatchObject({ sequence: 1, status: 'waiting', createdAtMs: 1_000, updatedAtMs: 1_000 });
    expect(ledger.byRequestId(requestId.toUpperCase())).toEqual(entry);
    expect(ledger.byOrderId(protocol?.orderId.toUpperCase() ?? '')).toEqual(entry);
    expect(ledger.byRequestId('0x01')).toBeUndefined();
    expect(ledger.byOrderId(requestId)).toBeUndefined();
  });

  test('behavior: an update creates a new entry with a monotonic timestamp', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    ledger.setClock(1_500);
    const moved = ledger.update(entry.order.requestId, { status: 'pending' });
    expect(moved).toMatchObject({ status: 'pending', createdAtMs: 1_000, updatedAtMs: 1_500 });
    expect(entry.status).toBe('waiting');
    ledger.setClock(1_200);
    expect(ledger.update(entry.order.requestId, { status: 'success' }).updatedAtMs).toBe(1_500);
    expect(ledger.lastChangeMs()).toBe(1_500);
    expect([...ledger.search()]).toHaveLength(1);
  });

  test('behavior: round trip through the log', async () => {
    const log = inMemory();
    const ledger = ledgerAt(1_000, log);
    const entry = await add(ledger, { request: { ttl: 60 } });
    await add(ledger, { from: 'alpha/usdc', to: 'alpha/weth' });
    ledger.update(entry.order.requestId, deposited(entry));
    const done = ledger.update(entry.order.requestId, filled(entry, 99_000_000n));
    ledger.chargeSponsor(1_234n);
    ledger.markSeen(313371, 17n);
    const restored = createLedger(() => 2_000, log);
    expect([...restored.search()]).toEqual([...ledger.search()]);
    expect(restored.byRequestId(entry.order.requestId)).toMatchObject({
      delivered: 99_000_000n,
      actualFees: done.actualFees,
      deposits: done.deposits,
      order: { protocol: done.order.protocol, fees: done.order.fees },
    });
    expect(restored.byOrderId(entry.order.protocol?.orderId ?? '')?.status).toBe('success');
    expect(restored.sponsorBalanceUsd()).toBe(ledger.sponsorBalanceUsd());
    expect(restored.seenBlock(313371)).toBe(17n);
    expect(restored.seenBlock(313372)).toBeUndefined();
    expect([restored.nextSequence(), restored.lastAddedMs()]).toEqual([3, 1_000]);
  });

  test.each(['{}\n', '{"sequence":1}\n', 'nonsense'])('error: a log with a frame of another form: %j', (content) => {
    const log = inMemory();
    log.append(Buffer.from(content));
    expect(() => createLedger(() => 0, log)).toThrow(DamagedLogError);
  });

  test('error: an unknown request', () => {
    expect(() => ledgerAt(0).update('0x01', {})).toThrow('no request 0x01');
  });

  test('behavior: claims are kept', () => {
    const log = inMemory();
    const ledger = createLedger(() => 0, log);
    const wallet = `0x${'1'.repeat(40)}` as const;
    const claim = { id: '0xAB', wallet, recipient: wallet, chainId: 1, amount: 5n, createdAtMs: 1 } as const;
    ledger.putClaim({ ...claim, hash: undefined });
    ledger.putClaim({ ...claim, hash: '0x12' });
    expect(createLedger(() => 0, log).claims()).toEqual([{ ...claim, hash: '0x12' }]);
    expect(createLedger(() => 0, log).claim('0xab')?.amount).toBe(5n);
  });

  test('behavior: unpaid requests go a day after their order has expired, paid ones stay', async () => {
    const log = inMemory();
    const ledger = ledgerAt(1_000, log);
    const [unpaid, paid] = [await add(ledger), await add(ledger)];
    ledger.update(paid.order.requestId, deposited(paid));
    const endMs = unpaid.order.deadline * 1_000 + 86_400_000;
    const ids = (nowMs: number) => [...createLedger(() => nowMs, log).search()].map(({ sequence }) => sequence);
    expect(ids(endMs - 1)).toEqual([1, 2]);
    expect(ids(endMs)).toEqual([2]);
    const later = createLedger(() => endMs, log);
    expect(later.byRequestId(unpaid.order.requestId)).toBeUndefined();
    expect(later.byOrderId(paid.order.protocol?.orderId ?? '')?.status).toBe('pending');
  });

  test('behavior: a copy has everything, and no earlier versions', async () => {
    const log = inMemory();
    const ledger = ledgerAt(1_000, log);
    const entry = await add(ledger);
    for (let turn = 0; turn < 50; turn++) ledger.update(entry.order.requestId, { details: `turn ${turn}` });
    ledger.chargeSponsor(7n);
    ledger.markSeen(313371, 17n);
    expect(ledger.isWasteful()).toBe(false);
    const copy = inMemory();
    ledger.copyTo(copy);
    expect(copy.size() * 2).toBeLessThan(log.size());
    const again = createLedger(() => 1_000, copy);
    expect([...again.search()]).toEqual([...ledger.search()]);
    expect(again.sponsorBalanceUsd()).toBe(ledger.sponsorBalanceUsd());
    expect(again.seenBlock(313371)).toBe(17n);
  });

  test('behavior: the active ones are those with unfinished work', async () => {
    const log = inMemory();
    const ledger = ledgerAt(1_000, log);
    const [, pending, done, held] = [await add(ledger), await add(ledger), await add(ledger), await add(ledger)];
    ledger.update(pending.order.requestId, deposited(pending));
    ledger.update(done.order.requestId, filled(done, 1n));
    ledger.update(held.order.requestId, { status: 'failure', heldBy: 'fault' });
    for (const each of [ledger, createLedger(() => 1_000, log)])
      expect(each.active().map(({ sequence }) => sequence)).toEqual([pending.sequence, held.sequence]);
  });
});

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

const opened = (log: FrameLog) => entryStore.open(log, 0, () => {});

function stored(log: FrameLog = inMemory()): entryStore.EntryStore {
  const store = opened(log);
  for (let sequence = 1; sequence <= 6; sequence++) entryStore.put(store, entryAt(sequence));
  return store;
}

const found = (entries: Iterable<Entry>): number[] => Array.from(entries, ({ sequence }) => sequence);

describe('entryStore: search', () => {
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
    expect(found(entryStore.search(stored(), search))).toEqual(sequences);
  });

  test('behavior: sorts what came out of order, or was left out', () => {
    const store = stored();
    entryStore.put(store, entryAt(9_000, { createdAtMs: 15 }));
    expect(found(entryStore.search(store))).toEqual([1, 9_000, 2, 3, 4, 5, 6]);
  });
});

describe('entryStore: put', () => {
  test('behavior: an id whose hash is that of another is not it', () => {
    expect(entryStore.find(stored(), '0x2', () => '0x3')).toBeUndefined();
  });
});

describe('entryStore: forget', () => {
  const dayMs = 86_400_000;

  test('behavior: one with unfinished work is kept', async () => {
    const store = opened(inMemory());
    entryStore.put(store, entryAt(1, { heldBy: 'a fault' }));
    entryStore.forget(store, 2 * dayMs);
    expect(found(entryStore.search(store))).toEqual([1]);
  });

  test('behavior: nothing of it stays in memory', () => {
    const store = opened(inMemory());
    entryStore.put(store, entryAt(1));
    entryStore.put(store, entryAt(9_000, { status: 'success' }));
    expect(store.blocks.size).toBe(2);
    entryStore.forget(store, dayMs);
    expect(store.blocks.size).toBe(1);
  });
});
