import { describe, expect, test } from 'vitest';
import { createTasks } from '../../../src/sandbox/settlement/tasks.js';
import { add, ledgerAt } from '../../support/entries.js';

describe('createTasks', () => {
  test('default: work that fails is tried again, and says why', async () => {
    const ledger = ledgerAt(0);
    const { requestId } = (await add(ledger)).order;
    const tasks = createTasks(ledger, 'Could not pay');
    const told: (string | undefined)[] = [];
    tasks.run(requestId, async () => {
      told.push(ledger.byRequestId(requestId)?.details);
      if (told.length === 1) throw new Error('no node');
    });
    expect(tasks.isBusy()).toBe(true);
    await expect.poll(() => tasks.isBusy()).toBe(false);
    expect(told).toEqual([undefined, 'Could not pay (will retry): no node']);
  });

  test('behavior: what is stopped is not tried again', async () => {
    const ledger = ledgerAt(0);
    const { requestId } = (await add(ledger)).order;
    const tasks = createTasks(ledger, 'Could not pay');
    let tries = 0;
    tasks.run(requestId, async () => {
      tries += 1;
      throw new Error('no node');
    });
    await expect.poll(() => ledger.byRequestId(requestId)?.details).toContain('will retry');
    await tasks.stop();
    expect([tries, tasks.isBusy()]).toEqual([1, false]);
  });
});
