import { describe, expect, test } from 'vitest';
import { createLedger, isFinal } from '../../../src/sandbox/ledger/ledger.js';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { add, deposited, filled, ledgerAt } from '../../support/entries.js';

describe('createLedger', () => {
  test('default: a request is waiting, and found by either id in any case', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    const { requestId, protocol } = entry.order;
    expect(entry).toMatchObject({ sequence: 1, status: 'waiting', createdAtMs: 1_000, updatedAtMs: 1_000 });
    expect(ledger.byRequestId(requestId.toUpperCase())).toBe(entry);
    expect(ledger.byOrderId(protocol?.orderId.toUpperCase() ?? '')).toBe(entry);
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

  test('behavior: sequence numbers are never reused, even if no request was added', () => {
    const ledger = ledgerAt(0);
    expect([ledger.nextSequence(), ledger.nextSequence(), ledger.nextSequence()]).toEqual([1, 2, 3]);
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

    ledger.close();
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
    expect(restored.nextSequence()).toBe(3);
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

  test('behavior: without a last word, no sequence number is given out again', () => {
    const log = inMemory();
    const ledger = createLedger(() => 0, log);
    const last = Array.from({ length: 300 }, ledger.nextSequence).at(-1) ?? 0;
    expect(createLedger(() => 0, log).nextSequence()).toBeGreaterThan(last);
    ledger.close();
    expect(createLedger(() => 0, log).nextSequence()).toBe(last + 1);
  });

  test('behavior: a charge is written with the request, or by itself', async () => {
    const log = inMemory();
    const ledger = ledgerAt(0, log);
    const { order } = await add(ledger);
    const before = ledger.sponsorBalanceUsd();
    const frames = [...log.frames()].length;
    ledger.chargeSponsor(5n);
    ledger.update(order.requestId, { details: 'charged' });
    await Promise.resolve();
    expect([...log.frames()]).toHaveLength(frames + 1);
    expect(createLedger(() => 0, log).sponsorBalanceUsd()).toBe(before - 5n);
    ledger.chargeSponsor(5n);
    await Promise.resolve();
    expect(createLedger(() => 0, log).sponsorBalanceUsd()).toBe(before - 10n);
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
    const [waiting, pending, done, held] = [await add(ledger), await add(ledger), await add(ledger), await add(ledger)];
    ledger.update(pending.order.requestId, deposited(pending));
    ledger.update(done.order.requestId, filled(done, 1n));
    ledger.update(held.order.requestId, { status: 'failure', heldBy: 'fault' });
    for (const each of [ledger, createLedger(() => 1_000, log)])
      expect(each.active().map(({ sequence }) => sequence)).toEqual([pending.sequence, held.sequence]);
    expect(ledger.isAwaited(1_000)).toBe(true);
    expect(ledger.isAwaited(1_001)).toBe(false);
    ledger.update(waiting.order.requestId, { status: 'failure' });
    expect(ledger.isAwaited(1_000)).toBe(false);
  });
});

describe('isFinal', () => {
  test('default', async () => {
    const ledger = ledgerAt(0);
    const entry = await add(ledger);
    const states = [
      'waiting',
      'depositing',
      'pending',
      'submitted',
      'delayed',
      'success',
      'refund',
      'failure',
    ] as const;
    expect(states.filter((status) => isFinal({ ...entry, status }))).toEqual(['success', 'refund', 'failure']);
  });
});
