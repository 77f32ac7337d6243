/** Ten thousand runs are listed, and looked through for what is unfinished, about as fast as ten. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as JournalLine from '../../src/core/JournalLine.js';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { transactions } from '../support/journals.js';

let built: BuiltFerry;

beforeAll(async () => {
  built = await buildFerry();
});
afterAll(() => built.remove());

/** A state directory with so many finished runs. */
function stateDirOf(count: number): string {
  const stateDir = join(built.stateDir, String(count));
  const folder = join(stateDir, 'runs');
  mkdirSync(folder, { recursive: true });
  let sum = JournalLine.start;
  const text = transactions.map((entry, n) => {
    const line = JournalLine.from({ at: 1_789_000_000_000 + n, entry }, n, sum);
    sum = line.sum;
    return line.text;
  });
  for (let n = 0; n < count; n++)
    writeFileSync(join(folder, `20260101-000000-${n.toString(16).padStart(6, '0')}.jsonl`), text.join(''));
  return stateDir;
}

/** Milliseconds of the quicker half, in the median. */
async function timeOf(stateDir: string, ...args: string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now();
    const { code } = await built.run(['runs', 'list', '--json', ...args], { FERRY_STATE_DIR: stateDir });
    expect(code).toBe(0);
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[1] ?? 0;
}

describe('runs list', () => {
  test('behavior: ten thousand runs take at most twice as long as ten', async () => {
    const [few, many] = [stateDirOf(10), stateDirOf(10_000)];
    const listed = [await timeOf(few), await timeOf(many)] as const;
    expect(listed[1] / listed[0]).toBeLessThan(2);
    // The first of these makes the index.
    const open = [await timeOf(few, '--unfinished'), await timeOf(many, '--unfinished')] as const;
    expect(open[1] / open[0]).toBeLessThan(4);
    rmSync(join(many, 'runs', 'over'));
    expect((await built.run(['runs', 'list', '--unfinished', '--json'], { FERRY_STATE_DIR: many })).code).toBe(0);
    process.stderr.write(`runs list: ${listed.map((ms) => ms.toFixed(0)).join(' and ')} ms with 10 and 10,000 runs; `);
    process.stderr.write(`--unfinished: ${open.map((ms) => ms.toFixed(0)).join(' and ')} ms\n`);
  }, 120_000);
});
