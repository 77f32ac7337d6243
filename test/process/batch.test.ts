/**
 * Batches in real processes: killed in their midst and taken up again, and of any length in the same little memory.
 *
 * CRASHES=all kills batches of 60 payments 20 times in every way to pay them, instead of one of 5 payments 3 times, and such of
 * quotes; and it measures 100 lines with long answers, or as many as BATCH_LINES says.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { barrierBefore } from '../support/barrier.js';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { type Act, createCrashes } from '../support/crashes.js';
import { addFault, clearFaults } from '../support/faults.js';
import { at, type Envelope } from '../support/ferry.js';
import { balanceAt } from '../support/node.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { ndjson, transfer } from '../support/transferBatches.js';

const many = Number(process.env.BATCH_LINES ?? 100);
/** Of a quoted line in the ledger, at least. */
const lineBytes = 19_000;
const all = process.env.CRASHES === 'all';
/** How many payments a batch has, and where it is killed, start after start: so many transactions every start sends. */
const payments = all ? 60 : 5;
const kills = Array.from(
  { length: all ? 20 : 3 },
  (_, turn): Act => ({ kind: 'act', act: `broadcast ${1 + (turn % 3)}`, when: turn % 2 === 0 ? 'after' : 'before' }),
);
let built: BuiltFerry;
let sandbox: TestSandbox;

beforeAll(async () => {
  [built, sandbox] = await Promise.all([buildFerry(), startSandbox()]);
});
afterAll(async () => {
  built.remove();
  await sandbox.stop();
});

const usdc = Network.token(Network.chain(network, 'alpha'), 'usdc')?.address ?? '';
const names = ['dev1', 'dev2', 'dev3', 'dev4', 'dev5', 'dev6', 'dev7', 'dev8'] as const;

/** What these accounts hold together. */
async function held(of: readonly (keyof typeof accounts)[]): Promise<bigint> {
  const all = await Promise.all(of.map((name) => balanceAt(sandbox.rpcUrls.alpha, usdc, accounts[name].address)));
  return all.reduce((sum, each) => sum + each, 0n);
}

/** A batch of so many lines in a folder of its own, which these accounts pay in turn. */
function batchOf(count: number, payers: readonly string[] = ['dev0']) {
  const folder = mkdtempSync(join(built.stateDir, '..', 'batch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [file, ledger] = [join(folder, 'batch.ndjson'), join(folder, 'ledger.ndjson')];
  const amountOf = (index: number): string => `1.${String(index).padStart(6, '0')}`;
  const lines = Array.from({ length: count }, (_, index) =>
    transfer(`id-${index}`, { amount: amountOf(index), account: payers[index % payers.length] }),
  );
  writeFileSync(file, ndjson(lines));
  const env = { ...at(sandbox), FERRY_STATE_DIR: join(folder, 'state') };
  return {
    ledger,
    env,
    args: (command: string) => [command, '--batch', file, '--out', ledger, '--yes', '--quiet'],
    ids: lines.map(({ id }) => id),
    results: (): Envelope[] =>
      readFileSync(ledger, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

/** How many lines a file has; the last may have been cut off by a kill. */
const wholeLines = (path: string): number => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0);

describe('a batch', () => {
  test.runIf(all)(
    'behavior: quotes, killed again and again: every id is in the ledger once',
    async () => {
      const batch = batchOf(10);
      for (const done of [3, 5, 9]) {
        let due = done - wholeLines(batch.ledger);
        const service = await barrierBefore(sandbox.baseUrl, ({ path }) => path.startsWith('/quote') && due-- <= 0);
        const env = { ...built.env, ...batch.env, FERRY_BASE_URL: service.url } as NodeJS.ProcessEnv;
        const child = spawn(process.execPath, [built.path, ...batch.args('quote')], { env, stdio: 'ignore' });
        const ended = once(child, 'close');
        await service.reached;
        child.kill('SIGKILL');
        expect(await ended).toEqual([null, 'SIGKILL']);
      }
      const last = await built.run(batch.args('quote'), batch.env);
      expect([last.code, last.stderr]).toEqual([0, '']);
      expect(batch.results().map(({ id }) => id)).toEqual(batch.ids);
    },
    120_000,
  );

  const ways: [string, readonly (keyof typeof accounts)[], string[]][] = [
    ['one by one', ['dev0'], []],
    ['six at once, in order', ['dev0'], ['--concurrency', '6']],
    ['three at once', ['dev0'], ['--concurrency', '3', '--unordered']],
    ['of eight accounts', names, []],
  ];
  test.each(all ? ways : ways.slice(1, 2))(
    'behavior: payments %s, killed again and again: each is made once, and is in the ledger once',
    async (_, payers, more) => {
      const batch = batchOf(payments, payers);
      const args = [...batch.args('execute'), ...more];
      const crashes = await createCrashes(built, sandbox, { isApart: true });
      onTestFinished(() => crashes.stop());
      const before = await held(payers);
      const [first, ...others] = kills;
      const left = await crashes.killed(args, first as Act);
      onTestFinished(() => left.remove());
      expect(left.wasKilled).toBe(true);
      for (const point of others) expect(await left.kills(args, point), point.act).toBe(true);
      const last = await left.ferry(...args);
      expect([last.code, last.stderr]).toEqual([0, '']);
      const results = batch.results();
      expect(results.map(({ id }) => id).toSorted()).toEqual(batch.ids.toSorted());
      if (!more.includes('--unordered')) expect(results.map(({ id }) => id)).toEqual(batch.ids);
      expect(results.every(({ ok, data }) => ok && data.funds === 'delivered')).toBe(true);
      expect(new Set(results.map(({ data }) => data.run)).size).toBe(payments);
      // Lines of 1 USDC and a little, each with a little of its own.
      const little = BigInt((payments * (payments - 1)) / 2);
      expect(before - (await held(payers))).toBe(BigInt(payments) * 1_000_000n + little);
    },
    600_000,
  );

  test.each(all ? (['SIGINT', 'SIGTERM'] as const) : (['SIGINT'] as const))(
    'behavior: %s is no refusal at a prompt, and ends a batch that waits for its input',
    async (signal) => {
      const batch = batchOf(1);
      const env = { ...built.env, ...batch.env } as NodeJS.ProcessEnv;
      const args = [built.path, 'execute', '--batch', '-', '--out', batch.ledger, '--yes', '--json'];
      const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
      let stdout = '';
      child.stdout.on('data', (text) => {
        stdout += text;
      });
      const died = new Promise((resolve) => child.once('close', (_, by) => resolve(by)));
      child.stdin.write('{"id":"1",');
      while (!existsSync(batch.ledger)) await delay(5);
      child.kill(signal);
      expect(await died).toBe(signal);
      expect(JSON.parse(stdout).error).toMatchObject({ code: 'run.stopped', message: `Stopped by ${signal}.` });
    },
  );

  test('behavior: a ledger of 15,000 results takes as little memory as an empty one', async () => {
    const batch = batchOf(1);
    const result = { schema: 'ferry.event/1', network: 'sandbox', type: 'result', command: 'execute' };
    const lines = Array.from({ length: 15_000 }, (_, index) =>
      JSON.stringify({
        ...result,
        id: `paid-${index}`,
        digest: `0x${String(index).padStart(64, '0')}`,
        ok: true,
        data: { note: 'x'.repeat(1_600) },
        error: null,
      }),
    );
    writeFileSync(batch.ledger, `${lines.join('\n')}\n`);
    const small = { NODE_OPTIONS: '--max-old-space-size=20 --max-semi-space-size=2' };
    // The journals of these results are not there, and the account has paid before.
    const args = [...batch.args('execute'), '--json', '--allow', 'foreign-nonces'];
    const ended = await built.run(args, { ...batch.env, ...small });
    expect([ended.code, ended.signal]).toEqual([0, null]);
    expect(JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '').data).toMatchObject({
      succeeded: 1,
      before: { succeeded: 15_000 },
    });
  }, 60_000);

  test('error: a full disk ends it with whole lines alone, and the same command goes on', async () => {
    const batch = batchOf(12);
    const limited = `ulimit -f 100; exec "$0" "$@"`;
    const args = ['-c', limited, process.execPath, built.path, ...batch.args('quote'), '--json'];
    const env = { ...built.env, ...batch.env } as NodeJS.ProcessEnv;
    const stdout = await new Promise<string>((resolve) => {
      execFile('bash', args, { env, maxBuffer: 2 ** 24 }, (_, text) => resolve(text));
    });
    const { error } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    expect(error).toMatchObject({ code: 'config.unwritable', exit: 2 });
    expect(readFileSync(batch.ledger, 'utf8')).toMatch(/\}\n$/);
    const done = batch.results().map(({ id }) => id);
    expect(done).toEqual(batch.ids.slice(0, done.length));
    expect(done.length).toBeGreaterThan(2);
    expect((await built.run(batch.args('quote'), batch.env)).code).toBe(0);
    expect(batch.results().map(({ id }) => id)).toEqual(batch.ids);
  }, 60_000);

  test.runIf(all)(
    `behavior: ${many} lines take less memory than their results`,
    async () => {
      const megabytes = 24;
      // A long answer is kept in its result, so that few results are much memory.
      const note = 'x'.repeat(Math.max(0, Math.ceil((1.3 * megabytes * 2 ** 20) / many) - lineBytes));
      await addFault(sandbox, 'service', {
        kind: 'tamper',
        path: '/note',
        value: note,
        match: { path: '/quote' },
        times: 0,
      });
      onTestFinished(() => clearFaults(sandbox));
      // What is young is swept more seldom than by default in so small a heap, which would take half of the time.
      const small = { NODE_OPTIONS: `--max-old-space-size=${megabytes} --max-semi-space-size=2` };
      const batch = batchOf(many);
      const ended = await built.run(batch.args('quote'), { ...batch.env, ...small });
      expect([ended.code, ended.signal, ended.stderr]).toEqual([0, null, '']);
      // Had the results been kept, that little would not have done.
      expect(statSync(batch.ledger).size).toBeGreaterThan(1.2 * megabytes * 2 ** 20);
      const ids = readFileSync(batch.ledger, 'utf8').match(/(?<="id":")id-\d+(?=","digest")/g);
      expect(ids).toEqual(batch.ids);
    },
    600_000,
  );
});
