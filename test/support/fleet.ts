/** Workers in real processes on one store, with a batch that they pay, and what must be true afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import type { BuiltFerry } from './builtFerry.js';
import { at, type Envelope, ferry } from './ferry.js';
import { balanceAt } from './node.js';
import type { Postgres } from './postgres.js';
import { type TestSandbox, usdc } from './sandbox.js';
import { ndjson, transfer } from './transferBatches.js';

/** Who pays, by the name of its key. */
const payers = {
  dev1: accounts.dev1.address,
  dev2: accounts.dev2.address,
  dev3: accounts.dev3.address,
};

export type Worker = { child: ChildProcess; ended: Promise<{ code: number | null; stdout: string; stderr: string }> };

export type Place = {
  built: BuiltFerry;
  sandbox: TestSandbox;
  postgres: Postgres;
};

/** What each account has. */
export const held = (sandbox: TestSandbox): Promise<bigint[]> =>
  Promise.all(Object.values(payers).map((owner) => balanceAt(sandbox.rpcUrls.alpha ?? '', usdc, owner)));

/** A store with a batch of lines that accounts pay in turn, and machines with their own folders and the same keys. */
export async function submitted(
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
  for (const machine of ['desk', 'one', 'two', 'three']) {
    mkdirSync(join(folder, machine), { mode: 0o700 });
    writeFileSync(join(folder, machine, 'secret'), `${'5e'.repeat(32)}\n`, { mode: 0o600 });
  }
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
    start(machine: string, flags: readonly string[] = []): Worker {
      const args = ['worker', '--accounts', names.join(','), '--submitters', accounts.dev0.address, ...flags];
      const env = { ...built.env, ...envOf(machine) } as NodeJS.ProcessEnv;
      const child = spawn(process.execPath, [built.path, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const texts = { stdout: '', stderr: '' };
      child.stdout?.on('data', (part) => {
        texts.stdout += part;
      });
      child.stderr?.on('data', (part) => {
        texts.stderr += part;
      });
      return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts }))) };
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

export async function until(is: () => Promise<boolean>, what: string): Promise<void> {
  const untilMs = Date.now() + 60_000;
  while (!(await is())) {
    if (Date.now() > untilMs) throw new Error(`It took too long: ${what}`);
    // Each look is a connection to the database.
    await delay(100);
  }
}
