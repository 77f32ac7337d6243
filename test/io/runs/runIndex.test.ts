import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as runIndex from '../../../src/io/runs/runIndex.js';
import { temporaryFolder } from '../../support/ferry.js';

async function indexed(): Promise<string> {
  const folder = join(temporaryFolder(), 'runs');
  mkdirSync(folder);
  await runIndex.ensure(folder, new AbortController().signal);
  return folder;
}

describe('marked', () => {
  test('default', async () => {
    const folder = await indexed();
    const [a, b] = ['a', 'b'].map((id) => ({ id, digest: runIndex.digestOf(id) })) as [runIndex.Mark, runIndex.Mark];
    runIndex.begin(folder, a);
    runIndex.begin(folder, b);
    expect(runIndex.marked(folder, 'open')).toEqual([b, a]);
    runIndex.end(folder, a, { isLine: false });
    runIndex.end(folder, a, { isLine: false });
    runIndex.end(folder, b, { isLine: true });
    expect(runIndex.marked(folder, 'open')).toEqual([]);
    expect(runIndex.marked(folder, 'unrecorded')).toEqual([b]);
    runIndex.unmarkEnded(folder, b);
    expect(runIndex.marked(folder, 'unrecorded')).toEqual([]);
  });
});

describe('ensure', () => {
  test('behavior: marks what is unreadable, so that it is noticed', async () => {
    const folder = join(temporaryFolder(), 'runs');
    mkdirSync(folder);
    writeFileSync(join(folder, '20260101-000000-aaaaaa.jsonl'), 'nonsense');
    await runIndex.ensure(folder, new AbortController().signal);
    expect(runIndex.marked(folder, 'open').map(({ id }) => id)).toEqual(['20260101-000000-aaaaaa']);
    expect(runIndex.isCurrent(folder)).toBe(true);
  });
});
