import { expect, test } from 'vitest';
import * as BatchLineRef from '../../../src/core/tracking/BatchLineRef.js';

const at = (id: string) => ({ ledger: '/l', id, digest: '0x01' });

test.each([
  ['one transfer, twice', { key: 'a' }, { key: 'a' }, true],
  ['two transfers', { key: 'a' }, { key: 'b' }, false],
  ['a line and the same typed by hand', { key: 'a', line: at('1') }, { key: 'a' }, true],
  ['a line twice', { key: 'a', line: at('1') }, { key: 'a', line: { ...at('1'), ledger: '/other' } }, true],
  ['two lines that ask for the same', { key: 'a', line: at('1') }, { key: 'a', line: at('2') }, false],
])('isSame: %s', (_, a, b, expected) => {
  expect(BatchLineRef.isSame(a, b)).toBe(expected);
  expect(BatchLineRef.isSame(b, a)).toBe(expected);
});

test('ofLedgers: the runs of each line whose ledger is wanted', async () => {
  const runs = [
    { run: '5', line: { ...at('1'), ledger: '/there' } },
    { run: '4', line: { ...at('1'), ledger: '/gone' } },
    { run: '3', line: { ...at('1'), ledger: '/lost' } },
    { run: '2', line: { ...at('1'), ledger: '/gone', digest: '0x02' } },
    { run: '1', line: { ...at('2'), ledger: '/gone' } },
  ];
  const asked: string[] = [];
  const found = await BatchLineRef.ofLedgers(runs, async (path) => {
    asked.push(path);
    return path !== '/there';
  });
  const runsOf = (line: { id: string; digest: string }) => found.get(BatchLineRef.keyOf(line))?.map(({ run }) => run);
  expect(runsOf(at('1'))).toEqual(['4', '3']);
  expect(runsOf({ id: '1', digest: '0x02' })).toEqual(['2']);
  expect(runsOf(at('2'))).toEqual(['1']);
  expect([found.size, asked]).toEqual([3, ['/there', '/gone', '/lost']]);
});
