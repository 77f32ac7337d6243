/**
 * Workers in real processes on one store: killed, frozen, without their store, asked to end, and beside each other.
 *
 * The suite pays some lines. 1,500 of them, with what breaks again and again all the time:
 * WORKERS=all npx vitest run --config test/vitest.config.ts test/process/workers.test.ts
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeFunctionData, erc20Abi, parseEther, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { barrierBefore } from '../support/barrier.js';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { at, ferry } from '../support/ferry.js';
import { held, type Payers, submitted, until, usdc, type Worker } from '../support/fleet.js';
import { ask, nonceAt } from '../support/node.js';
import { type Postgres, programs, startPostgres } from '../support/postgres.js';
import { sampled } from '../support/sampled.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';

const all = process.env.WORKERS === 'all';

let built: BuiltFerry;
let sandbox: TestSandbox;
let postgres: Postgres;

beforeAll(async () => {
  if (!programs) return;
  [built, sandbox, postgres] = await Promise.all([buildFerry(), startSandbox(), startPostgres()]);
});
afterAll(async () => {
  built?.remove();
  await Promise.all([sandbox?.stop(), postgres?.stop()]);
});

type Kept = { child(): ChildProcess; starts(): number; stop(): Promise<number | null> };

/** A worker that is started again whenever it ends and may run, as by an operator's service manager. */
function kept(start: () => Worker, mayRun: () => Promise<unknown>): Kept {
  let worker = start();
  let starts = 1;
  let isOver = false;
  const ended = (async (): Promise<number | null> => {
    for (;;) {
      const { code } = await worker.ended;
      if (isOver) return code;
      await mayRun();
      worker = start();
      starts++;
    }
  })();
  return {
    child: () => worker.child,
    starts: () => starts,
    stop() {
      isOver = true;
      worker.child.kill('SIGTERM');
      return ended;
    },
  };
}

/** The development accounts that have ether, and three more with keys of their own; and what opens those. */
async function twelve(): Promise<{ payers: Payers; keys: Readonly<Record<string, string>> }> {
  const folder = mkdtempSync(join(built.stateDir, '..', 'keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const keys = { FERRY_KEYSTORE_DIR: join(folder, 'keys'), FERRY_PASSWORD_FILE: file('password', 'open sesame\n') };
  const { dev9: _, ...given } = accounts;
  const payers: Record<string, string> = {};
  for (const [name, { address }] of Object.entries(given)) if (name.startsWith('dev')) payers[name] = address;
  const url = sandbox.rpcUrls.alpha ?? '';
  for (const index of [20, 21, 22]) {
    const name = `own${index}`;
    const own = mnemonicToAccount('test test test test test test test test test test test junk', {
      addressIndex: index,
    });
    payers[name] = own.address;
    const key = file(name, toHex(own.getHdKey().privateKey ?? new Uint8Array()));
    expect((await ferry(['key', 'import', name, '--key-file', key], { env: { ...at(sandbox), ...keys } })).code).toBe(
      0,
    );
    await ask(url, 'anvil_setBalance', own.address, toHex(parseEther('10')));
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [own.address, 1_000_000_000n] });
    await ask(url, 'eth_sendTransaction', { from: accounts.dev0.address, to: usdc, data });
  }
  return { payers, keys };
}

/** How many transactions of the three accounts are mined, and how many were signed: what is signed twice is not mined. */
const mined = async (): Promise<number> =>
  (
    await Promise.all(
      [accounts.dev1, accounts.dev2, accounts.dev3].map(({ address }) => nonceAt(sandbox.rpcUrls.alpha ?? '', address)),
    )
  ).reduce((sum, each) => sum + each, 0);
const signatures = `select count(*) from ferry.entry where text ~ '"type":"signed"'`;

describe.skipIf(!programs)('a process with a store', () => {
  test.each(
    sampled(
      [
        ['batch status none', 2, 'batch.unknown'],
        ['runs show 20260101-000000-abcdef', 2, 'run.unknown'],
        ['runs list', 2, 'store.version'],
      ],
      1,
    ),
  )('error: ferry %s ends with %i and says %s', async (line, code, said) => {
    const env = { FERRY_STORE: await postgres.database() };
    if (said !== 'store.version') expect((await ferry(['store', 'init'], { env })).code).toBe(0);
    const ended = await built.run(line.split(' '), env);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(`(${said})`) });
  });
});

describe.skipIf(!programs)('workers on one store', () => {
  test(
    'default: three pay each line once, though they are killed, frozen beside rivals, cut off, and lose their store',
    async () => {
      const { payers, keys } = all ? await twelve() : { payers: undefined, keys: undefined };
      const before = await held(sandbox, payers);
      const [count, harms] = all ? [1_500, 60] : [12, 4];
      const batch = await submitted({ built, sandbox, postgres }, count, payers, keys);
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
      for (let turn = 0; turn < harms; turn++) {
        const enough = Math.floor((count * (turn + 1)) / (harms + 2));
        await until(async () => (await batch.done()) >= enough, 'lines before the next harm');
        await harm[turn % harm.length]?.((fleet[turn % fleet.length] as Kept).child());
      }
      await until(async () => (await batch.done()) === count, 'all lines', 300_000);
      // A worker that has a session may be one that starts: it has reported when it can be asked to end.
      const now = await batch.sql('select clock_timestamp()');
      const reported = `select count(*) from ferry.worker where seen_at > '${now}'`;
      await until(async () => (await batch.sql(reported)) === '3', 'whoever was started again');
      expect(await Promise.all(fleet.map((each) => each.stop()))).toEqual([0, 0, 0]);
      const starts = fleet.reduce((sum, each) => sum + each.starts(), 0);
      await batch.assertOnce(before);
      process.stderr.write(
        `workers: ${count} lines by 3 workers, started ${starts} times, after ${harms} kills, freezes, cuts and crashes: each paid once${all ? '' : ' (a sample; WORKERS=all)'}\n`,
      );
    },
    all ? 1_200_000 : 120_000,
  );

  /** A batch whose first transactions are held on their way to the node. */
  const heldUp = async (lines: number) => {
    const node = await barrierBefore(sandbox.rpcUrls.alpha, ({ body }) => body.includes('eth_sendRawTransaction'));
    const batch = await submitted({ built, sandbox, postgres }, lines, undefined, { FERRY_RPC_URL_ALPHA: node.url });
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
    expect(JSON.parse(second.stdout.trimEnd().split('\n').at(-1) ?? '').data).toMatchObject({ done: 6 - data.done });
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

  test.runIf(all)(
    'behavior: what a killed worker held, an idle one has within a second',
    async () => {
      const payers = { dev1: accounts.dev1.address };
      // More than one worker pays while three are started and killed.
      const lines = 90;
      const before = await held(sandbox, payers);
      const batch = await submitted({ built, sandbox, postgres }, lines, payers);
      const count = (what: string) => async (): Promise<number> =>
        Number(await batch.sql(`select count(*) from ${what}`));
      const sessions = count(`pg_stat_activity where application_name = 'ferry'`);
      const holder = (): Promise<string> =>
        batch.sql(`select pid from pg_locks where locktype = 'advisory' and granted limit 1`);
      let busy = batch.start('one');
      await until(async () => (await holder()) !== '', 'the first worker');
      const tookMs: number[] = [];
      for (const machine of ['two', 'three', 'one']) {
        const idle = batch.start(machine);
        await until(async () => (await sessions()) === 2, 'an idle worker');
        await delay(Math.random() * 1_000);
        const pid = await holder();
        busy.child.kill('SIGKILL');
        const killedAt = performance.now();
        await until(async () => !['', pid].includes(await holder()), 'the idle one to take over', 10_000);
        tookMs.push(Math.round(performance.now() - killedAt));
        await busy.ended;
        busy = idle;
      }
      const inOrder = tookMs.toSorted((a, b) => a - b);
      process.stderr.write(`workers: taken over ${inOrder.join(', ')} ms after a kill\n`);
      await until(async () => (await batch.done()) === lines, 'all lines');
      busy.child.kill('SIGTERM');
      expect((await busy.ended).code).toBe(0);
      await batch.assertOnce(before);
      expect(Math.max(...tookMs)).toBeLessThanOrEqual(1_000);
    },
    60_000,
  );

  test('option: --metrics serves numbers, health and a page that only shows', async () => {
    const batch = await submitted({ built, sandbox, postgres }, 3);
    const worker = batch.start('one', ['--metrics', '127.0.0.1:0']);
    let url = '';
    let said = '';
    worker.child.stderr?.on('data', (part) => {
      said += part;
      url = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)?.[0] ?? '';
    });
    await until(async () => url !== '' && (await batch.done()) === 3, 'three lines');
    const read = async (path: string, how?: RequestInit) => fetch(new URL(path, url), how);
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
