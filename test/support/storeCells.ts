/** Cells of the matrices of a store: a machine begins a payment and is broken in the middle; another one goes on. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, type Ended, ferry } from './ferry.js';
import { ask, balanceAt } from './node.js';
import type { Postgres } from './postgres.js';
import { type TestSandbox, usdc } from './sandbox.js';
import { usdcOf } from './venueBooks.js';

/** A way to pay: the command, and what it takes from whom. */
export type Kind = {
  name: string;
  args: string;
  paid: bigint;
  held(sandbox: TestSandbox): Promise<bigint>;
};

const heldBy = (name: 'dev0' | 'dev9') => (sandbox: TestSandbox) =>
  balanceAt(sandbox.chains.alpha.rpcUrl, usdc, accounts[name].address);
const bridge = 'execute 1 alpha/usdc beta/usdc';

export const kinds: readonly Kind[] = [
  { name: 'own gas with approval', args: bridge, paid: 1_000_000n, held: heldBy('dev0') },
  { name: 'gasless batch', args: `${bridge} --gasless --account dev9`, paid: 1_000_000n, held: heldBy('dev9') },
  { name: 'permit', args: `${bridge} --permit --account dev9`, paid: 1_000_000n, held: heldBy('dev9') },
  { name: 'venue deposit', args: 'venue deposit 10 alpha/usdc', paid: 10_000_000n, held: heldBy('dev0') },
  {
    name: 'venue withdrawal',
    args: 'venue withdraw 10 beta/usdc',
    paid: 13_000_000n,
    held: (sandbox) => usdcOf(sandbox, 100),
  },
];

/** How a command is run: at which store, and with what else in its environment. */
export type How = { at?: string; env?: Readonly<Record<string, string | undefined>> };

export type Machines = {
  /** A new state directory, with the secret that all machines share. */
  stateDir(): string;
  /** Runs a command on a machine of its own, in this process. */
  run(argv: string, how?: How): Promise<Ended>;
  /** Lets the time pass in which something could still be used that a store has forgotten. */
  settle(at: string): Promise<void>;
  /**
   * Goes on after a machine was broken in the middle of a payment: resumes what it has left, or types the command again.
   * Resolves to what is wrong; undefined if it was paid once, all runs have ended, and no lock is held.
   */
  goOn(kind: Kind, before: bigint, how?: How): Promise<string | undefined>;
  /** What is wrong in the end; undefined if it was paid once, all runs have ended, and no lock is held. */
  settled(kind: Kind, before: bigint, how?: How): Promise<string | undefined>;
  /**
   * Goes on with a store that lacks the end of what was done, after a payment was made. Resolves to what is wrong;
   * undefined if it is finished, or refused, and was paid once.
   */
  goOnBehind(kind: Kind, before: bigint, at: string): Promise<string | undefined>;
  remove(): void;
};

/** The machines of a store. */
export function machinesOf(store: {
  sandbox: TestSandbox;
  postgres: Postgres;
  url: string;
  env?: Readonly<Record<string, string>>;
}): Machines {
  const { sandbox, postgres, url } = store;
  const folder = mkdtempSync(join(tmpdir(), 'ferry-machines-'));
  let count = 0;
  const stateDir = (): string => {
    const own = join(folder, String(++count));
    mkdirSync(own, { mode: 0o700 });
    writeFileSync(join(own, 'secret'), `${'5e'.repeat(32)}\n`, { mode: 0o600 });
    return own;
  };
  const run: Machines['run'] = (argv, { at: there = url, env: more } = {}) => {
    const own = stateDir();
    const env = { ...at(sandbox), FERRY_STORE: there, FERRY_STATE_DIR: own, ...store.env, ...more };
    return ferry([...argv.split(' '), '--yes', '--json'], { env, home: own });
  };
  const settle = async (at: string): Promise<void> => {
    await postgres.sql(`update ferry.mark set lost_at = lost_at - interval '1 hour'`, at);
    await ask(sandbox.rpcUrls.alpha ?? '', 'evm_mine');
  };
  const left = async (how: How = {}): Promise<string[]> =>
    (await run('runs list', how))
      .json()
      .data.runs.filter(({ state }: { state: string }) => ['unfinished', 'unsigned', 'unreadable'].includes(state))
      .map(({ run: id }: { run: string }) => id);
  const settled: Machines['settled'] = async ({ paid, held }, before, how = {}) => {
    const total = before - (await held(sandbox));
    if (total !== paid) return `paid ${total}`;
    const unfinished = await left(how);
    if (unfinished.length > 0) return `left unfinished: ${unfinished}`;
    const locks = await postgres.sql(`select count(*) from pg_locks where locktype = 'advisory'`, how.at ?? url);
    return locks === '0' ? undefined : `${locks} locks are left`;
  };
  return {
    stateDir,
    run,
    settle,
    settled,
    async goOn(kind, before, how = {}) {
      const { args, paid, held } = kind;
      const [open] = await left(how);
      const resumed = open === undefined ? undefined : await run(`resume ${open}`, how);
      const error = resumed && resumed.code !== 0 ? resumed.json().error : undefined;
      if (error && error.code !== 'run.unsigned') return `resume ended with ${JSON.stringify(error)}`;
      const moved = before - (await held(sandbox));
      // What had ended before it was broken is paid already.
      if (error || (!resumed && moved !== paid)) {
        if (moved !== 0n) return `it says that nothing was signed, and ${moved} moved`;
        const again = await run(args, how);
        if (again.code !== 0) return `typed again, it ended with ${JSON.stringify(again.json().error)}`;
      }
      return settled(kind, before, how);
    },
    async goOnBehind({ args, paid, held }, before, at) {
      const [open] = await left({ at });
      const resumed = open === undefined ? undefined : await run(`resume ${open}`, { at });
      if (resumed?.code !== 0) {
        const error = resumed?.json().error;
        if (error && !['run.unsigned', 'run.foreign-nonce'].includes(error.code))
          return `resume ended with ${JSON.stringify(error)}`;
        let again = await run(args, { at });
        // What the store has forgotten could still be used; later it cannot, and is refused for what it did.
        if (again.json().error?.code === 'store.behind') {
          await settle(at);
          again = await run(args, { at });
        }
        if (again.code === 0) return 'typed again, it was paid again';
        const { code, funds } = again.json().error;
        if (code !== 'run.foreign-nonce' || funds !== 'untouched') return `typed again, it ended with ${again.stdout}`;
      }
      const total = before - (await held(sandbox));
      return total === paid ? undefined : `paid ${total}`;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
