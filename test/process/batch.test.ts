/**
 * Batches in real processes: killed in their midst and taken up again, and of any length in the same little memory.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { useFerry } from '../support/builtFerry.js';
import { createCrashes } from '../support/crashes.js';
import { at, type Envelope } from '../support/ferry.js';
import { balanceAt } from '../support/node.js';
import { usdc, useSandbox } from '../support/sandbox.js';
import { ndjson, transfer } from '../support/transferBatches.js';

/** Whether a disk of one's own can be mounted here. */
const hasMounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!hasMounts) process.stderr.write('skipped: a full disk: unshare does not mount one here\n');

const built = useFerry();
const { sandbox } = useSandbox();

const held = (): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha, usdc, accounts.dev0.address);

/** A batch of so many lines in a folder of its own. */
function batchOf(count: number) {
  const folder = mkdtempSync(join(built.stateDir, '..', 'batch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [file, ledger] = [join(folder, 'batch.ndjson'), join(folder, 'ledger.ndjson')];
  const amountOf = (index: number): string => `1.${String(index).padStart(6, '0')}`;
  const lines = Array.from({ length: count }, (_, index) => transfer(`id-${index}`, { amount: amountOf(index) }));
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

describe('a batch', () => {
  test('behavior: payments six at once, killed again and again: each is made once, and is in the ledger once', async () => {
    const batch = batchOf(5);
    const args = [...batch.args('execute'), '--concurrency', '6'];
    const crashes = await createCrashes(built, sandbox);
    onTestFinished(() => crashes.stop());
    const before = await held();
    const left = await crashes.killed(args, 'broadcast 1', 'after');
    onTestFinished(() => left.remove());
    expect(left.wasKilled).toBe(true);
    expect(await left.kills(args, 'broadcast 2', 'before')).toBe(true);
    expect(await left.kills(args, 'broadcast 3', 'after')).toBe(true);
    const last = await built.run(args, left.env);
    expect([last.code, last.stderr]).toEqual([0, '']);
    const results = batch.results();
    expect(results.map(({ id }) => id)).toEqual(batch.ids);
    expect(results.every(({ ok, data }) => ok && data.funds === 'delivered')).toBe(true);
    expect(new Set(results.map(({ data }) => data.run)).size).toBe(5);
    // Lines of 1 USDC and a little, each with a little of its own.
    expect(before - (await held())).toBe(5_000_010n);
  }, 120_000);

  test.skipIf(!hasMounts)(
    'error: the disk of the ledger is full: what was paid is not untouched',
    async () => {
      const batch = batchOf(2);
      const disk = join(batch.ledger, '..', 'full');
      mkdirSync(disk);
      // Room for the lock of the ledger, and for nothing in it.
      const script =
        'mount -t tmpfs -o size=8k tmpfs "$1" && head -c 4096 /dev/zero > "$1/filler" && shift && exec "$@"';
      const args = batch.args('execute').map((each) => (each === batch.ledger ? join(disk, 'ledger.ndjson') : each));
      const command = [process.execPath, built.path, ...args, '--json', '--concurrency', '1'];
      const env = { ...built.env, ...batch.env } as NodeJS.ProcessEnv;
      const before = await held();
      const stdout = await new Promise<string>((resolve) => {
        execFile('unshare', ['-rm', 'sh', '-c', script, 'sh', disk, ...command], { env }, (_, text) => resolve(text));
      });
      const { error } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Envelope;
      expect(error).toMatchObject({
        code: 'config.unwritable',
        funds: 'delivered',
        hint: expect.stringContaining('Run the same command to continue'),
        next: expect.stringMatching(/^ferry execute .*--out \S+full.ledger\.ndjson/),
      });
      const paid = before - (await held());
      expect(paid).toBeGreaterThan(0n);
      const again = await built.run(args, batch.env);
      expect([again.code, before - (await held())]).toEqual([0, 2_000_001n]);
    },
    120_000,
  );

  test('behavior: SIGINT is no refusal at a prompt, and ends a batch that waits for its input', async () => {
    const batch = batchOf(1);
    const args = ['execute', '--batch', '-', '--out', batch.ledger, '--yes', '--json'];
    const { child, ended } = built.start(args, batch.env);
    child.stdin?.write('{"id":"1",');
    while (!existsSync(batch.ledger)) await delay(5);
    child.kill('SIGINT');
    const { signal, stdout } = await ended;
    expect(signal).toBe('SIGINT');
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'run.stopped', message: 'Stopped by SIGINT.' });
  });

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
});
