/** Cells of the matrices of a store: a machine begins a payment and is broken in the middle; another one goes on. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, type Ended, ferry } from './ferry.js';
import { ask, balanceAt, nonceAt } from './node.js';
import type { Postgres } from './postgres.js';
import type { TestSandbox } from './sandbox.js';
import { usdcOf } from './venueBooks.js';

/** A way to pay: the command, and what it takes from whom. */
export type Kind = {
  name: string;
  args: string;
  paid: bigint;
  held(sandbox: TestSandbox): Promise<bigint>;
  /** Whether nothing shows if it was done, so that it is never done again, and nobody says more than that. */
  isBlind?: boolean;
};

const usdc = Network.token(Network.chain(network, 'alpha'), 'usdc')?.address ?? '';
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

/** What has no nonce of the account: a call that the service makes. It is counted by the nonce of whoever makes it. */
export const call: Kind = {
  name: 'call',
  args: `execute call --chain alpha --to ${usdc} --data 0x18160ddd --subsidize-fees`,
  paid: 1n,
  isBlind: true,
  async held({ rpcUrls }) {
    const made = (): Promise<number> => nonceAt(rpcUrls.alpha ?? '', network.solver?.relayers?.[0] ?? '');
    // It is made a moment after it was taken.
    for (let before = await made(); ; ) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      const after = await made();
      if (after === before) return -BigInt(after);
      before = after;
    }
  },
};

/** How a command is run: at which store, by which clock, and with what else in its environment. */
export type How = { at?: string; clockMs?: number; env?: Readonly<Record<string, string | undefined>> };

export type Machines = {
  /** A new state directory, with the secret that all machines share. */
  stateDir(): string;
  /** Runs a command on a machine of its own, in this process. Its clock may be another. */
  run(argv: string, how?: How): Promise<Ended>;
  /** Lets the time pass in which something could still be used that a store has forgotten. */
  settle(at: string): Promise<void>;
  /**
   * Begins a payment, and calls back before its entry of that number is committed, if it has so many. `open` lets go of it.
   */
  begin(kind: Kind, n: number, then: () => Promise<unknown>, how?: How): Promise<Begun>;
  /**
   * Goes on after a machine was broken in the middle of a payment: resumes what it has left, or types the command again.
   * Resolves to what is wrong; undefined if it was paid once, all runs have ended, and no lock is held.
   */
  goOn(kind: Kind, before: bigint, how?: How): Promise<string | undefined>;
  /** What is wrong in the end; undefined if it was paid once, all runs but that one have ended, and no lock is held. */
  settled(kind: Kind, before: bigint, how?: How & { open?: string }): Promise<string | undefined>;
  /**
   * Goes on with a store that lacks the end of what was done, after a payment was made. Resolves to what is wrong;
   * undefined if it is finished, or refused, and was paid once.
   */
  goOnBehind(kind: Kind, before: bigint, at: string): Promise<string | undefined>;
  remove(): void;
};

/** A payment that was begun, and whether it has such an entry. */
export type Begun = { gotThere: boolean; ended: Promise<Ended>; open(): Promise<void> };

/** What `begin` leaves in a database. */
export const dropHold = 'drop trigger if exists hold on ferry.entry; drop table if exists gate';

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

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
  const run: Machines['run'] = (argv, { at: there = url, clockMs: laterMs = 0, env: more } = {}) => {
    const own = stateDir();
    const env = { ...at(sandbox), FERRY_STORE: there, FERRY_STATE_DIR: own, ...store.env, ...more };
    return ferry([...argv.split(' '), '--yes', '--json'], { env, home: own, laterMs });
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
  const settled: Machines['settled'] = async ({ paid, held, isBlind }, before, { open, ...how } = {}) => {
    const { at = url } = how;
    const total = before - (await held(sandbox));
    const unfinished = (await left(how)).filter((id) => id !== open);
    const isUnknown = isBlind === true && total === 0n && (open !== undefined || unfinished.length > 0);
    if (total !== paid && !isUnknown) return `paid ${total}`;
    if (unfinished.length > 0 && !isBlind) return `left unfinished: ${unfinished}`;
    const locks = await postgres.sql(`select count(*) from pg_locks where locktype = 'advisory'`, at);
    return locks === '0' ? undefined : `${locks} locks are left`;
  };
  return {
    stateDir,
    run,
    settle,
    settled,
    async begin({ args }, n, then, how = {}) {
      const { at: there = url } = how;
      await postgres.sql(
        `create or replace function hold() returns trigger language plpgsql as $$
          begin if new.n = ${n} then perform pg_advisory_xact_lock(4711); end if; return new; end $$;
        create trigger hold before insert on ferry.entry for each row execute function hold();
        create table gate (is_open bool); insert into gate values (false)`,
        there,
      );
      const holder = postgres
        .sql(
          `do $$ begin perform pg_advisory_lock(4711);
            while not (select is_open from gate) loop perform pg_sleep(0.01); end loop; end $$`,
          there,
        )
        .catch(() => {});
      const count = async (isGranted: boolean): Promise<number> =>
        Number(
          await postgres.sql(`select count(*) from pg_locks where objid = 4711 and granted = ${isGranted}`, there),
        );
      while ((await count(true)) === 0) await pause();
      let isOver = false;
      const ended = run(args, how).finally(() => {
        isOver = true;
      });
      while (!isOver && (await count(false)) === 0) await pause();
      const gotThere = !isOver;
      if (gotThere) await then();
      const open = async (): Promise<void> => {
        await postgres.sql('update gate set is_open = true', there);
        await holder;
      };
      return { gotThere, ended, open };
    },
    async goOn(kind, before, how = {}) {
      const { args, paid, held, isBlind } = kind;
      const [open] = await left(how);
      const resumed = open === undefined ? undefined : await run(`resume ${open}`, how);
      const error = resumed && resumed.code !== 0 ? resumed.json().error : undefined;
      const isUnknown = isBlind === true && error?.code === 'submit.unknown';
      if (error && error.code !== 'run.unsigned' && !isUnknown) return `resume ended with ${JSON.stringify(error)}`;
      const moved = before - (await held(sandbox));
      // What had ended before it was broken is paid already.
      if ((error && !isUnknown) || (!resumed && moved !== paid)) {
        if (moved !== 0n) return `it says that nothing was signed, and ${moved} moved`;
        const again = await run(args, how);
        if (again.code !== 0) return `typed again, it ended with ${JSON.stringify(again.json().error)}`;
      }
      return settled(kind, before, { ...how, ...(open === undefined ? {} : { open }) });
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
