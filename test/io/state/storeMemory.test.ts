import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createStoreMemory, pin, pinnedAt } from '../../../src/io/state/storeMemory.js';
import { temporaryFolder } from '../../support/ferry.js';
import { hostAt } from '../../support/hostAt.js';

const store = 'ab12';
const day = '20260301';
const run = `${day}-120000-aaaaaa`;

const place = (nowMs = Date.parse('2026-03-01T12:00:00Z')) => {
  const folder = temporaryFolder();
  return { folder, open: (ms = nowMs) => createStoreMemory({ ...hostAt(folder), now: () => ms }) };
};

describe('createStoreMemory', () => {
  test('default: the machine has one name, and remembers how far a store was', () => {
    const { open } = place();
    expect(open().findMachine()).toBeUndefined();
    const name = open().machine();
    expect(name).toMatch(/^[0-9a-f]{32}$/);
    expect([open().machine(), open().findMachine()]).toEqual([name, name]);
    expect(open().read(store)).toBeUndefined();
    const known = { place: '1 00000001 5 6', loss: 0, writes: '12', lsn: '345' };
    open().write(store, known);
    open().write(store, { ...known, writes: '9' });
    expect(open().read(store)).toEqual({ ...known, writes: '9' });
    expect(open().read('cd')).toBeUndefined();
  });

  test('default: the copy of a run has each entry once, also when it was copied again', () => {
    const { open } = place();
    const use = { counter: '1-0xab', sequence: '', nonce: '4', txHash: null };
    open().keep(store, run, [{ n: 0, text: 'a\n' }, { n: 1, text: 'b\n' }, use], true);
    open().keep(store, run, [{ n: 0, text: 'a\n' }, { n: 1, text: 'b\n' }, use, { n: 2, text: 'c\n' }], true);
    expect([...open().runs(store)]).toEqual([{ run, texts: ['a\n', 'b\n', 'c\n'], uses: [use] }]);
  });

  test('behavior: what a crash has cut off is left out, and so is what follows it', () => {
    const { folder, open } = place();
    open().keep(store, run, [{ n: 0, text: 'a\n' }], true);
    appendFileSync(join(folder, 'store', store, day, `${run}.jsonl`), '{"n":1,"te');
    open().keep(store, run, [{ n: 2, text: 'c\n' }], false);
    expect([...open().runs(store)]).toEqual([{ run, texts: ['a\n'], uses: [] }]);
    writeFileSync(join(folder, 'store', store, 'mark'), '{"place":');
    expect(open().read(store)).toBeUndefined();
  });

  test('behavior: copies are removed after thirty days', () => {
    const { folder, open } = place();
    open().keep(store, run, [{ n: 0, text: 'a\n' }], true);
    const dayOf = (date: string): void =>
      open(Date.parse(`${date}T12:00:00Z`)).keep(store, `${date.replaceAll('-', '')}-120000-bbbbbb`, [], true);
    dayOf('2026-03-31');
    expect(existsSync(join(folder, 'store', store, day))).toBe(true);
    dayOf('2026-04-01');
    expect(readdirSync(join(folder, 'store', store)).sort()).toEqual(['20260331', '20260401']);
  });
});

test('the stores that a machine knows: by their addresses, the last word counts, and a torn line is passed over', () => {
  const folder = temporaryFolder();
  const place = { env: { FERRY_STATE_DIR: folder }, cwd: folder, home: folder };
  expect(pinnedAt(place, 'postgres://a/b')).toBeUndefined();
  pin(place, 'postgres://a/b', 'one');
  pin(place, 'postgres://a/c', 'two');
  expect([pinnedAt(place, 'postgres://a/b'), pinnedAt(place, 'postgres://a/c')]).toEqual(['one', 'two']);
  appendFileSync(join(folder, 'worker', 'stores'), 'postgres://a/b');
  pin(place, 'postgres://a/b', 'three');
  expect(pinnedAt(place, 'postgres://a/b')).toBe('three');
});
