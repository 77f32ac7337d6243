import { describe, expect, test } from 'vitest';
import { isActive } from '../../../src/sandbox/ledger/Entry.js';
import { add, deposited, filled, ledgerAt } from '../../support/entries.js';

describe('isActive', () => {
  test('default: what has work to resume, or is held up', async () => {
    const ledger = ledgerAt(0);
    const entry = await add(ledger);
    expect(isActive(entry)).toBe(false);
    const paid = ledger.update(entry.order.requestId, deposited(entry));
    expect(isActive(paid)).toBe(true);
    const done = ledger.update(entry.order.requestId, filled(entry, 1n));
    expect(isActive(done)).toBe(false);
    expect(isActive({ ...done, status: 'failure', heldBy: 'a fault' })).toBe(true);
  });
});
