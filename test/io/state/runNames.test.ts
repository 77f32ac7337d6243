import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as runIndex from '../../../src/io/runs/runIndex.js';
import * as runNames from '../../../src/io/state/runNames.js';
import { temporaryFolder } from '../../support/ferry.js';

async function indexed(): Promise<string> {
  const folder = join(temporaryFolder(), 'runs');
  mkdirSync(folder);
  await runIndex.ensure(folder, new AbortController().signal);
  return folder;
}

describe('read', () => {
  test('default: newest first, across pieces of the file', async () => {
    const folder = await indexed();
    const ids = Array.from({ length: 3000 }, (_, i) => `20260101-000000-${String(i).padStart(6, '0')}`);
    for (const id of ids) runIndex.list(folder, id);
    expect([...runNames.read(folder)]).toEqual(ids.toReversed());
    runIndex.keep(folder, ids.slice(0, 2));
    expect([...runNames.read(folder)]).toEqual(ids.slice(0, 2).toReversed());
  });

  test('behavior: none without an index', () => {
    expect([...runNames.read(temporaryFolder())]).toEqual([]);
  });
});
