import { describe, expect, test } from 'vitest';
import { createLedger, isFinal } from '../../../src/sandbox/ledger/ledger.js';
import type { JsonValue } from '../../../src/sandbox/values/BigintJson.js';
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
    expect(ledger.entries()).toHaveLength(1);
  });

  test('behavior: sequence numbers are never reused, even if no request was added', () => {
    const ledger = ledgerAt(0);
    expect([ledger.nextSequence(), ledger.nextSequence(), ledger.nextSequence()]).toEqual([1, 2, 3]);
  });

  test('behavior: save and restore round trip', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger, { request: { ttl: 60 } });
    await add(ledger, { from: 'alpha/usdc', to: 'alpha/weth' });
    ledger.update(entry.order.requestId, deposited(entry));
    const done = ledger.update(entry.order.requestId, filled(entry, 99_000_000n));
    ledger.chargeSponsor(1_234n);
    ledger.markSeen(313371, 17n);

    const saved = JSON.parse(JSON.stringify(ledger.saved()));
    const restored = createLedger(() => 2_000, saved);
    expect(restored.saved()).toEqual(saved);
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

  test('behavior: claims are saved; a ledger from before there were claims has none', () => {
    const ledger = createLedger(() => 0);
    const wallet = `0x${'1'.repeat(40)}` as const;
    const claim = { id: '0xAB', wallet, recipient: wallet, chainId: 1, amount: 5n, createdAtMs: 1 } as const;
    ledger.putClaim({ ...claim, hash: undefined });
    ledger.putClaim({ ...claim, hash: '0x12' });
    const saved = ledger.saved() as Record<string, JsonValue>;
    expect(createLedger(() => 0, saved).claims()).toEqual([{ ...claim, hash: '0x12' }]);
    expect(createLedger(() => 0, saved).claim('0xab')?.amount).toBe(5n);
    const { claims: _, ...older } = saved;
    expect(createLedger(() => 0, older).claims()).toEqual([]);
  });

  test.each([[null], [[]], [{}], [{ version: 2 }], ['x']])('error: %j is not a ledger', (saved) => {
    expect(() => createLedger(() => 0, saved)).toThrow('unsupported version');
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
