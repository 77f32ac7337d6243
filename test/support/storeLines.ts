/** Batches of one line in a store, workers that carry them, and what must be true of each line afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import type { BuiltFerry } from './builtFerry.js';
import { at as urlsOf } from './ferry.js';
import type { Postgres } from './postgres.js';
import type { TestSandbox } from './sandbox.js';
import { type Kind, kinds, type Machines } from './storeCells.js';
import { ndjson, transfer, type Written } from './transferBatches.js';

/** A way to pay that a line has, and how often it is signed for. */
export type LineKind = Kind & { account: string; options: Written; signed: number };

const lineOf = (name: string, account: string, options: Written, signed: number): LineKind[] =>
  kinds.filter((kind) => kind.name === name).map((kind) => ({ ...kind, account, options, signed }));

export const lineKinds: readonly LineKind[] = [
  ...lineOf('own gas with approval', 'dev0', {}, 2),
  ...lineOf('gasless batch', 'dev9', { gasless: true }, 1),
  ...lineOf('permit', 'dev9', { permit: true }, 1),
];

export type Lines = {
  /** Submits a batch with one line; resolves to its name. */
  submit(kind: LineKind, at: string): Promise<string>;
  /** Starts a worker for it, as a process of its own. */
  start(kind: LineKind, at: string): { child: ChildProcess; ended: Promise<number | null> };
  /** Carries what there is to do, in this process. */
  work(kind: LineKind, how: { at: string; clockMs?: number }): Promise<void>;
  /** The state of its line, and why it is so. */
  state(batch: string, at: string): Promise<string>;
  /**
   * Carries it to its end, by a right clock. What has to wait need not, and what has failed before anything moved is tried
   * again; resolves to whether it was.
   */
  finish(kind: LineKind, batch: string, before: bigint, at: string): Promise<boolean>;
  /**
   * What is wrong; undefined if it is done, paid once, has one result, and no lock is held, and was signed for once, unless it
   * was tried again.
   */
  settled(kind: LineKind, batch: string, before: bigint, at: string, isRetried?: boolean): Promise<string | undefined>;
  remove(): void;
};

export function linesOf(place: {
  built: BuiltFerry;
  sandbox: TestSandbox;
  postgres: Postgres;
  machines: Machines;
}): Lines {
  const { built, sandbox, postgres, machines } = place;
  const folder = mkdtempSync(join(tmpdir(), 'ferry-lines-'));
  let count = 0;
  const argsOf = ({ account }: LineKind): string =>
    `worker --accounts ${account} --submitters ${accounts.dev0.address}`;
  const work: Lines['work'] = async (kind, how) => void (await machines.run(`${argsOf(kind)} --once`, how));
  const state: Lines['state'] = (batch, at) =>
    postgres.sql(`select state || coalesce(' ' || (reason->>'code'), '') from ferry.line where batch = '${batch}'`, at);
  return {
    work,
    state,
    async submit({ account, options }, at) {
      const name = `one-${++count}`;
      const file = join(folder, `${name}.ndjson`);
      writeFileSync(file, ndjson([transfer('a', { account, ...options })]));
      const ended = await machines.run(`batch submit ${file} --name ${name}`, { at });
      if (ended.code !== 0) throw new Error(ended.stdout);
      return name;
    },
    start(kind, at) {
      const env = { ...built.env, ...urlsOf(sandbox), FERRY_STORE: at, FERRY_STATE_DIR: machines.stateDir() };
      const argv = [built.path, ...argsOf(kind).split(' ')];
      const child = spawn(process.execPath, argv, { env: env as NodeJS.ProcessEnv, stdio: 'ignore' });
      return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
    },
    async finish(kind, batch, before, at) {
      let isRetried = false;
      for (let turn = 0; turn < 4; turn++) {
        const is = await state(batch, at);
        if (is === 'done') break;
        if (is === 'failed') {
          const funds = await postgres.sql(`select funds from ferry.result where batch = '${batch}'`, at);
          if (funds !== 'untouched' || (await kind.held(sandbox)) !== before) break;
          isRetried = true;
          await machines.run(`batch retry ${batch} --failed`, { at });
        }
        await postgres.sql(`update ferry.line set not_before = null where batch = '${batch}'`, at);
        await work(kind, { at });
      }
      return isRetried;
    },
    async settled(kind, batch, before, at, isRetried = false) {
      const is = await state(batch, at);
      if (is !== 'done') return `its line is ${is}`;
      const moved = before - (await kind.held(sandbox));
      if (moved !== kind.paid) return `paid ${moved}`;
      const found = await postgres.sql(
        `select (select count(*) from ferry.result where batch = '${batch}' and ok),
          (select count(*) from ferry.entry e join ferry.run r on r.id = e.run
            where r.ledger = 'batch:${batch}' and e.text ~ '"type":"signed'),
          (select count(*) from ferry.run where ledger = 'batch:${batch}' and not is_over),
          (select count(*) from pg_locks where locktype = 'advisory')`,
        at,
      );
      const due = `1|${kind.signed}|0|0`;
      const counted = isRetried ? found.replace(/^1\|\d+/, `1|${kind.signed}`) : found;
      return counted === due ? undefined : `results, signatures, unfinished runs and locks are ${found}, not ${due}`;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
