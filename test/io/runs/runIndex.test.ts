import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as runIndex from '../../../src/io/runs/runIndex.js';
import { temporaryFolder } from '../../support/ferry.js';

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
