import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLineWitness } from '../../../src/io/state/lineWitness.js';
import { temporaryFolder } from '../../support/ferry.js';

const batch = `0x${'ab'.repeat(32)}` as const;
const line = { n: 3, account: '0xaa' };

function machine() {
  const folder = temporaryFolder();
  const clock = { now: Date.UTC(2026, 10, 23, 12) };
  const open = () =>
    createLineWitness({ env: { FERRY_STATE_DIR: folder }, home: folder, now: () => clock.now } as never);
  return { folder, clock, open };
}

describe('what a machine has begun', () => {
  test('default: is known to its next process, and to one beside it', () => {
    const { open } = machine();
    const [one, two] = [open(), open()];
    expect(two.runsOf(batch, 3)).toEqual([]);
    one.note(batch, line, 'run-1');
    one.note(batch, line, 'run-2');
    expect([two.runsOf(batch, 3), two.runsOf(batch, 4)]).toEqual([['run-1', 'run-2'], []]);
    expect([open().hasBegun(batch, '0xaa'), open().hasBegun(batch, '0xbb')]).toEqual([true, false]);
  });

  test('default: how much a run has signed is the most that was noted of it', () => {
    const { open } = machine();
    const witness = open();
    expect(witness.signedIn(batch, 'run-1')).toBe(0);
    witness.note(batch, line, 'run-1');
    witness.noteSigned(batch, line, 'run-1', 2);
    witness.noteSigned(batch, line, 'run-1', 1);
    witness.noteSigned(batch, line, 'run-2', 1);
    expect(['run-1', 'run-2'].map((run) => open().signedIn(batch, run))).toEqual([2, 1]);
    expect(open().runsOf(batch, 3)).toEqual(['run-1', 'run-2']);
  });

  test('behavior: a day is counted by its lines, each once', () => {
    const { open, clock } = machine();
    const witness = open();
    witness.spend('USDC', 6, 1_500_000n, { batch, n: 1 });
    witness.spend('USDC', 6, 1_500_000n, { batch, n: 1 });
    open().spend('usdc', 18, 2n * 10n ** 18n, { batch, n: 2 });
    expect(witness.spent('usdc', 6, { batch, n: 9 })).toBe(3_500_000n);
    expect(witness.spent('USDC', 6, { batch, n: 2 })).toBe(1_500_000n);
    expect(witness.spent('eth', 18, { batch, n: 9 })).toBe(0n);
    clock.now += 24 * 3_600_000;
    expect(witness.spent('usdc', 6, { batch, n: 9 })).toBe(0n);
  });

  test('behavior: of two workers that count at once, each sees what the other counts, until that is taken back', () => {
    const { open } = machine();
    const [one, two] = [open(), open()];
    const [first, second] = [1, 2].map((n) => ({ batch, n }));
    if (!first || !second) throw new Error('two lines');
    expect([one.spend('usdc', 6, 5n, first), two.spend('usdc', 6, 7n, second)]).toEqual([true, true]);
    expect([one.spent('usdc', 6, first), two.spent('usdc', 6, second)]).toEqual([7n, 5n]);
    expect(two.spend('usdc', 6, 7n, second)).toBe(false);
    two.unspend(second);
    expect([one.spent('usdc', 6, first), open().spent('usdc', 6, first)]).toEqual([0n, 0n]);
    expect(two.spend('usdc', 6, 7n, second)).toBe(true);
  });

  test('behavior: a line that a crash has cut off spoils no other', () => {
    const { folder, open } = machine();
    const witness = open();
    witness.note(batch, line, 'run-1');
    appendFileSync(join(folder, 'worker', batch), '7 run-');
    expect(open().runsOf(batch, 7)).toEqual([]);
    witness.note(batch, { n: 8, account: '0xaa' }, 'run-3');
    expect([open().runsOf(batch, 3), open().runsOf(batch, 8)]).toEqual([['run-1'], ['run-3']]);
  });
});
