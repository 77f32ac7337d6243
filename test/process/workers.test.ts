/**
 * Workers in real processes on one store: killed, frozen, without their store, asked to end, and beside each other.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { barrierBefore } from '../support/barrier.js';
import { type BuiltFerry, type Running, useFerry } from '../support/builtFerry.js';
import { at, type Envelope, ferry } from '../support/ferry.js';
import { balanceAt, nonceAt } from '../support/node.js';
import { type Postgres, programs, usePostgres } from '../support/postgres.js';
import { type TestSandbox, usdc, useSandbox } from '../support/sandbox.js';
import { withSecret } from '../support/sharedBatches.js';
import { ndjson, transfer } from '../support/transferBatches.js';

const built = useFerry();
const { sandbox } = useSandbox();
const postgres = usePostgres();

type Kept = { child(): ChildProcess; stop(): Promise<number | null> };

/** A worker that is started again whenever it ends and may run, as by an operator's service manager. */
function kept(start: () => Running, mayRun: () => Promise<unknown>): Kept {
  let worker = start();
  let isOver = false;
  const ended = (async (): Promise<number | null> => {
    for (;;) {
      const { code } = await worker.ended;
      if (isOver) return code;
      await mayRun();
      worker = start();
    }
  })();
  return {
    child: () => worker.child,
    stop() {
      isOver = true;
      worker.child.kill('SIGTERM');
      return ended;
    },
  };
}

/** How many transactions of the three accounts are mined, and how many were signed: what is signed twice is not mined. */
const mined = async (): Promise<number> =>
  (
    await Promise.all(
      [accounts.dev1, accounts.dev2, accounts.dev3].map(({ address }) => nonceAt(sandbox.rpcUrls.alpha ?? '', address)),
    )
  ).reduce((sum, each) => sum + each, 0);
const signatures = `select count(*) from ferry.entry where text ~ '"type":"signed"'`;

test.skipIf(!programs)('error: a process at a store of another version ends with 2 and says so', async () => {
  const ended = await built.run(['runs', 'list'], { FERRY_STORE: await postgres.database() });
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('(store.version)') });
});

describe.skipIf(!programs)('workers on one store', () => {
  test('default: three pay each line once, though they are killed, frozen beside rivals, cut off, and lose their store', async () => {
    const before = await held(sandbox);
    const count = 12;
    const batch = await submitted({ built, sandbox, postgres }, count);
    let store = Promise.resolve();
    const fleet = ['one', 'two', 'three'].map((machine) =>
      kept(
        () => batch.start(machine, ['--concurrency', '4']),
        () => store,
      ),
    );
    const sever = (): Promise<string> =>
      batch.sql(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`);
    const open = (): Promise<string> =>
      batch.sql(`select coalesce(string_agg(quote_literal(id), ','), '') from ferry.line where state = 'running'`);
    const harm: ((victim: ChildProcess) => Promise<unknown>)[] = [
      async (victim) => victim.kill('SIGKILL'),
      async (victim) => {
        victim.kill('SIGSTOP');
        const begun = await open();
        // The others come back, and take over what it holds.
        await sever();
        const left = `select count(*) from ferry.line where state = 'running' and id in (${begun || 'null'})`;
        await until(async () => (await batch.sql(left)) === '0', 'the others to finish what was begun');
        victim.kill('SIGCONT');
      },
      sever,
      async () => {
        store = postgres.crash().then(() => postgres.start());
        await store;
      },
    ];
    for (const [turn, act] of harm.entries()) {
      await until(async () => (await batch.done()) >= 2 * (turn + 1), 'lines before the next harm');
      await act((fleet[turn % fleet.length] as Kept).child());
    }
    await until(async () => (await batch.done()) === count, 'all lines');
    // A worker that has a session may be one that starts: it has reported when it can be asked to end.
    const now = await batch.sql('select clock_timestamp()');
    const reported = `select count(*) from ferry.worker where seen_at > '${now}'`;
    await until(async () => (await batch.sql(reported)) === '3', 'whoever was started again');
    expect(await Promise.all(fleet.map((each) => each.stop()))).toEqual([0, 0, 0]);
    await batch.assertOnce(before);
  }, 120_000);

  /** A batch whose first transactions are held on their way to the node. */
  const heldUp = async (lines: number) => {
    const node = await barrierBefore(sandbox.rpcUrls.alpha, ({ body }) => body.includes('eth_sendRawTransaction'));
    const batch = await submitted({ built, sandbox, postgres }, lines, { FERRY_RPC_URL_ALPHA: node.url });
    return { node, batch };
  };

  test('behavior: on SIGTERM a worker begins nothing new, finishes what is under way and exits 0', async () => {
    const [before, used] = [await held(sandbox), await mined()];
    const { node, batch } = await heldUp(6);
    const first = batch.start('one', ['--json']);
    await node.reached;
    first.child.kill('SIGTERM');
    await until(batch.isDraining, 'the worker to say so');
    node.open();
    const { code, stdout } = await first.ended;
    expect(code).toBe(0);
    const { data } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    expect(data).toMatchObject({ done: await batch.done(), failed: 0 });
    expect(data.done).toBeGreaterThan(0);
    expect(data.done).toBeLessThan(6);
    expect(await batch.sql(`select count(*) from ferry.line where state not in ('waiting', 'done')`)).toBe('0');
    expect(await batch.sql('select count(*) from ferry.worker')).toBe('0');
    const second = await batch.start('two', ['--once', '--json']).ended;
    expect(JSON.parse(second.stdout.trimEnd().split('\n').at(-1) ?? '').data).toMatchObject({
      ...{ done: 6 - data.done, failed: 0, left: 0 },
    });
    await batch.assertOnce(before);
    expect(await batch.sql(signatures)).toBe(String((await mined()) - used));
  }, 60_000);

  test('behavior: a second SIGTERM stops it between two steps, and another worker goes on', async () => {
    const [before, used] = [await held(sandbox), await mined()];
    const { node, batch } = await heldUp(3);
    const first = batch.start('one');
    await node.reached;
    first.child.kill('SIGTERM');
    await until(batch.isDraining, 'the worker to say so');
    first.child.kill('SIGTERM');
    node.open();
    expect((await first.ended).code).toBe(0);
    expect((await batch.start('two', ['--once']).ended).code).toBe(0);
    await batch.assertOnce(before);
    expect(await batch.sql(signatures)).toBe(String((await mined()) - used));
  }, 60_000);

  test('option: --metrics serves numbers, health and a page that only shows', async () => {
    const batch = await submitted({ built, sandbox, postgres }, 3);
    const worker = batch.start('one', ['--metrics', '127.0.0.1:0']);
    const url = () => /http:\/\/127\.0\.0\.1:\d+\//.exec(worker.seen.stderr)?.[0];
    await until(async () => url() !== undefined && (await batch.done()) === 3, 'three lines');
    const read = async (path: string, how?: RequestInit) => fetch(new URL(path, url()), how);
    expect(await (await read('/healthz')).text()).toBe('ok\n');
    expect((await read('/readyz')).status).toBe(200);
    const metrics = await (await read('/metrics')).text();
    expect(metrics).toContain('ferry_lines{batch="many",state="done"} 3\n');
    expect(metrics).toContain('ferry_line_seconds_count 3\n');
    for (const line of metrics.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) ferry_\w+ .+|ferry_\w+(\{.+\})? [\d.e+-]+)$/);
    const page = await read('/');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('<td>many</td><td>ready</td><td class="n">3</td>');
    expect((await read('/', { method: 'POST' })).status).toBe(405);
    expect((await read('/nothing')).status).toBe(404);
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
  }, 60_000);
});

/** Who pays, by the name of its key. */
const payers = {
  dev1: accounts.dev1.address,
  dev2: accounts.dev2.address,
  dev3: accounts.dev3.address,
};

type Place = {
  built: BuiltFerry;
  sandbox: TestSandbox;
  postgres: Postgres;
};

/** What each account has. */
const held = (sandbox: TestSandbox): Promise<bigint[]> =>
  Promise.all(Object.values(payers).map((owner) => balanceAt(sandbox.rpcUrls.alpha ?? '', usdc, owner)));

/** A store with a batch of lines that accounts pay in turn, and machines with their own folders and the same keys. */
async function submitted(
  { built, sandbox, postgres }: Place,
  lines: number,
  more: Readonly<Record<string, string>> = {},
) {
  const names = Object.keys(payers);
  const url = await postgres.database();
  const folder = mkdtempSync(join(built.stateDir, '..', 'workers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'batch.ndjson');
  const to = accounts.dev9.address;
  const amounts = Array.from({ length: lines }, (_, index) => 1_000_000n + BigInt(index));
  writeFileSync(
    file,
    ndjson(
      amounts.map((amount, index) =>
        transfer(`line-${index}`, {
          amount: `1.${String(amount - 1_000_000n).padStart(6, '0')}`,
          account: names[index % names.length],
          recipient: to,
        }),
      ),
    ),
  );
  const envOf = (machine: string) => ({
    ...at(sandbox),
    FERRY_STORE: url,
    FERRY_STATE_DIR: join(folder, machine),
    ...more,
  });
  // All machines of a store share the secret that seals journals.
  for (const machine of ['desk', 'one', 'two', 'three']) withSecret(join(folder, machine));
  /** Runs a command in this process. */
  const run = async (args: readonly string[]): Promise<Envelope[]> => {
    const ended = await ferry([...args, '--json'], { env: envOf('desk'), home: folder });
    expect(ended.stderr).toBe('');
    return ended.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  await run(['store', 'init']);
  await run(['batch', 'submit', file, '--name', 'many', '--yes']);
  return {
    run,
    /** What each account pays. */
    sums: names.map((_, at) =>
      amounts.reduce((sum, amount, index) => sum + (index % names.length === at ? amount : 0n), 0n),
    ),
    start(machine: string, flags: readonly string[] = []): Running {
      const args = ['worker', '--accounts', names.join(','), '--submitters', accounts.dev0.address, ...flags];
      return built.start(args, envOf(machine));
    },
    done: async (): Promise<number> =>
      Number(await postgres.sql(`select count(*) from ferry.line where state in ('done', 'failed')`, url)),
    isDraining: async (): Promise<boolean> =>
      (await postgres.sql('select count(*) from ferry.worker where is_draining', url)) !== '0',
    sql: (text: string) => postgres.sql(text, url),
    /** Each account has paid its lines once, and each line has one result, one run that paid, and one transfer. */
    async assertOnce(before: readonly bigint[]): Promise<void> {
      const after = await held(sandbox);
      expect(before.map((each, index) => each - (after[index] ?? 0n))).toEqual(this.sums);
      const results = (await run(['batch', 'results', 'many'])).slice(0, -1);
      expect(results.map(({ ok }) => ok)).toEqual(Array.from({ length: lines }, () => true));
      expect(results.map(({ seq }) => seq)).toEqual(Array.from({ length: lines }, (_, index) => index + 1));
      expect(new Set(results.map(({ id }) => id)).size).toBe(lines);
      expect(new Set(results.map(({ data }) => data.requestId)).size).toBe(lines);
      // Of a run that is not over, what its journal ends with.
      const last = `select e.text from ferry.run r join ferry.entry e on e.run = r.id
        where not r.is_over and e.n = (select max(n) from ferry.entry where run = r.id)`;
      expect(await this.sql(last)).toBe('');
      // The server gives locks back a moment after it is left.
      await until(async () => (await this.sql(locks)) === '0', 'locks to be free');
    },
  };
}

const locks = `select count(*) from pg_locks where locktype = 'advisory'`;

async function until(is: () => Promise<boolean>, what: string): Promise<void> {
  const untilMs = Date.now() + 60_000;
  while (!(await is())) {
    if (Date.now() > untilMs) throw new Error(`It took too long: ${what}`);
    // Each look is a connection to the database.
    await delay(100);
  }
}
