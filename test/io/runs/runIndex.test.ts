import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as runIndex from '../../../src/io/runs/runIndex.js';
import * as runNames from '../../../src/io/state/runNames.js';
import { collect } from '../../support/collect.js';
import { temporaryFolder } from '../../support/ferry.js';

/** A folder of journals with an index. */
async function indexed(journals: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = join(temporaryFolder(), 'runs');
  mkdirSync(folder);
  for (const [id, text] of Object.entries(journals)) writeFileSync(join(folder, `${id}.jsonl`), text);
  await runIndex.ensure(folder, new AbortController().signal);
  return folder;
}

describe('ensure', () => {
  test('behavior: marks what is unreadable, so that it is noticed', async () => {
    const folder = await indexed({ '20260101-000000-aaaaaa': 'nonsense' });
    expect(runIndex.marked(folder, 'open').map(({ id }) => id)).toEqual(['20260101-000000-aaaaaa']);
    expect(runIndex.isCurrent(folder)).toBe(true);
  });

  test('behavior: lists a line whose journal this version does not read, so that it is not begun again', async () => {
    const line = { ledger: 'ledger', id: '1', digest: 'd' };
    const entry = { type: 'intent', key: 'k', network: 'sandbox', instance: null, line };
    const folder = await indexed({ '20260101-000000-aaaaaa': `${JSON.stringify({ v: 99, entry })}\n` });
    expect(await collect(runIndex.linesOf(folder, 'ledger'))).toEqual([
      { run: '20260101-000000-aaaaaa', id: '1', digest: 'd', network: 'sandbox', instance: null },
    ]);
    expect(runIndex.marked(folder, 'open')).toHaveLength(1);
  });
});

test('list: read newest first, across pieces of the file; none without an index', async () => {
  const folder = await indexed();
  const ids = Array.from({ length: 3000 }, (_, i) => `20260101-000000-${String(i).padStart(6, '0')}`);
  for (const id of ids) runIndex.list(folder, id);
  expect([...runNames.read(folder)]).toEqual(ids.toReversed());
  runIndex.keep(folder, ids.slice(0, 2));
  expect([...runNames.read(folder)]).toEqual(ids.slice(0, 2).toReversed());
  expect([...runNames.read(temporaryFolder())]).toEqual([]);
});
