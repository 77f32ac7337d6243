/** The folder of the runs under pressure: a disk that is full, and ten thousand runs in it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as JournalCodec from '../../src/core/tracking/JournalCodec.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { at } from '../support/ferry.js';
import { textOf, transactions } from '../support/journals.js';
import { nonceAt } from '../support/node.js';
import { startSandbox } from '../support/sandbox.js';

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
  const text = textOf(transactions);
  for (let n = 0; n < count; n++) {
    const run = `20260101-000000-${n.toString(16).padStart(6, '0')}`;
    // Only the newest are read.
    const isRead = n >= count - 40;
    const own = isRead ? textOf(transactions.map((each) => (each.type === 'intent' ? { ...each, run } : each))) : text;
    writeFileSync(join(folder, `${run}.jsonl`), own);
  }
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
    rmSync(join(many, 'runs', 'index'), { recursive: true });
    expect((await built.run(['runs', 'list', '--unfinished', '--json'], { FERRY_STATE_DIR: many })).code).toBe(0);
    process.stderr.write(`runs list: ${listed.map((ms) => ms.toFixed(0)).join(' and ')} ms with 10 and 10,000 runs; `);
    process.stderr.write(`--unfinished: ${open.map((ms) => ms.toFixed(0)).join(' and ')} ms\n`);
  }, 120_000);
});

describe('execute', () => {
  test('error: on a disk that is full nothing more is signed, whenever it fills up', async () => {
    const sandbox = await startSandbox();
    try {
      const nonce = () => nonceAt(sandbox.rpcUrls.alpha, accounts.dev0.address);
      const codes = new Set<string>();
      for (const kibibytes of [0, 1, 2, 8, 12, 14, 16, 18, 20, 22, 24, 32, 64]) {
        const before = await nonce();
        const stateDir = join(built.stateDir, `full-${kibibytes}`);
        const env = { ...built.env, ...at(sandbox), FERRY_STATE_DIR: stateDir } as NodeJS.ProcessEnv;
        const line = `ulimit -f ${kibibytes}; exec "$0" "$@"`;
        const args = [built.path, 'execute', '1', 'alpha/usdc', 'beta/usdc', '--yes', '--json'];
        // A limit on the size of files stands for a disk that is full.
        const text = await new Promise<string>((resolve) => {
          execFile('bash', ['-c', line, process.execPath, ...args], { env }, (_, stdout) => resolve(stdout));
        });
        const envelope = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
        const folder = join(stateDir, 'runs');
        const name = existsSync(folder) ? readdirSync(folder).find((each) => each.endsWith('.jsonl')) : undefined;
        const journal = name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
        const { lines } = JournalCodec.read(journal);
        const signed = lines.filter(({ entry }) => entry.type === 'signed').length;
        expect([kibibytes, (await nonce()) - before]).toEqual([kibibytes, signed]);
        codes.add(envelope.error?.code ?? 'done');
        if (envelope.error)
          expect(envelope.error).toMatchObject({ code: 'config.unwritable', exit: 2, funds: 'untouched' });
        // An approval that was sent before the disk was full is not asked for again.
        else expect([1, 2]).toContain(signed);
      }
      expect([...codes]).toEqual(['config.unwritable', 'done']);
    } finally {
      await sandbox.stop();
    }
  }, 60_000);
});
