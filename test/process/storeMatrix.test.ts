/**
 * A store in the middle of a payment: at one message to the database, or at one entry of the journal, something happens to
 * the machine that pays, to its connection or to the database. Another machine goes on. Each time there is one payment, all
 * runs have ended, their journals can be read, and no lock is left.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { barriersOf } from '../support/barrier.js';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { at, type Ended, ferry } from '../support/ferry.js';
import { ask, balanceAt } from '../support/node.js';
import { mayMount, type Postgres, programs, startPostgres } from '../support/postgres.js';
import { startSandbox, type TestSandbox, usdc } from '../support/sandbox.js';
import { withSecret } from '../support/sharedBatches.js';
import { type Gates, type Link, openGates, type Strike } from '../support/storeGate.js';
import { usdcOf } from '../support/venueBooks.js';

/** A way to pay: the command, and what it takes from whom. */
type Kind = {
  name: string;
  args: string;
  paid: bigint;
  held(sandbox: TestSandbox): Promise<bigint>;
};

const heldBy = (name: 'dev0' | 'dev9') => (sandbox: TestSandbox) =>
  balanceAt(sandbox.chains.alpha.rpcUrl, usdc, accounts[name].address);
const bridge = 'execute 1 alpha/usdc beta/usdc';

const kinds: readonly Kind[] = [
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
type How = { at?: string; env?: Readonly<Record<string, string | undefined>> };

type Machines = {
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
function machinesOf(store: {
  sandbox: TestSandbox;
  postgres: Postgres;
  url: string;
  env?: Readonly<Record<string, string>>;
}): Machines {
  const { sandbox, postgres, url } = store;
  const folder = mkdtempSync(join(tmpdir(), 'ferry-machines-'));
  let count = 0;
  const stateDir = (): string => withSecret(join(folder, String(++count)));
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

const [ownGas, gasless, permit, deposit, withdrawal] = kinds as [Kind, Kind, Kind, Kind, Kind];

/** The statements that write an entry of a journal. */
const entries = /insert into ferry\.entry/;

/** A primary with a standby that does not wait for it. */
const async = { FERRY_STORE_ASYNC: 'true' };

const hasDisk = mayMount();
if (programs && !hasDisk) process.stderr.write('skipped: a full disk of a store: no file system can be mounted here\n');

describe.skipIf(!programs)('in the middle of a payment', () => {
  let built: BuiltFerry;
  let sandbox: TestSandbox;
  let postgres: Postgres;
  let machines: Machines;
  let url = '';
  /** The database, and the servers, by way of the gates. */
  let gates: Gates;
  let through = '';
  let servers: Gates;
  const throughServers: Record<string, string> = {};

  beforeAll(async () => {
    const starting = startPostgres(hasDisk ? { diskMb: 400 } : {});
    [built, sandbox, postgres] = await Promise.all([buildFerry(), startSandbox(), starting]);
    url = await postgres.database();
    machines = machinesOf({ sandbox, postgres, url });
    await machines.run('store init');
    [gates, servers] = [openGates(), openGates()];
    through = await gates.before(url);
    for (const [name, there = ''] of Object.entries(at(sandbox))) throughServers[name] = await servers.before(there);
  }, 60_000);
  afterAll(async () => {
    gates.close();
    servers.close();
    built.remove();
    machines.remove();
    await Promise.all([sandbox.stop(), postgres.stop()]);
  });

  /** The database notices the end of a connection while it waits for it. */
  const gone = (): Promise<void> =>
    expect
      .poll(() => postgres.sql(`select count(*) from pg_stat_activity where application_name = 'ferry'`, url), {
        timeout: 10_000,
        interval: 20,
      })
      .toBe('0');

  /** What a command says is not what happened. */
  const isLie = async ({ code, json }: Ended, kind: Kind, before: bigint): Promise<boolean> =>
    code !== 0 && json().error.funds === 'untouched' && (await kind.held(sandbox)) !== before;

  type Struck = { at?: Gates; strike: Strike; only?: RegExp; how?: How };

  /** A machine whose message of that number meets a strike; resolves to what was held before. */
  const struck = async (
    kind: Kind,
    point: number,
    { at = gates, strike, only, how = { at: through } }: Struck,
  ): Promise<bigint> => {
    const before = await kind.held(sandbox);
    const armed = at.arm(point, strike, only);
    const ended = await machines.run(kind.args, how);
    at.disarm();
    expect(armed.hasStruck).toBe(true);
    await armed.done;
    expect(await isLie(ended, kind, before), ended.stdout).toBe(false);
    await gone();
    return before;
  };

  /** The same with a process of its own. */
  const struckApart = async (
    kind: Kind,
    point: number,
    strike: (link: Link, child: ChildProcess, before: bigint) => unknown,
  ): Promise<bigint> => {
    const before = await kind.held(sandbox);
    const env = { ...built.env, ...at(sandbox), FERRY_STORE: through, FERRY_STATE_DIR: machines.stateDir() };
    let child: ChildProcess | undefined;
    const armed = gates.arm(point, (link) => child && strike(link, child, before));
    const argv = [built.path, ...kind.args.split(' '), '--yes', '--json'];
    child = spawn(process.execPath, argv, { env: env as NodeJS.ProcessEnv, stdio: 'ignore' });
    const exited = new Promise<void>((resolve) => child?.once('exit', () => resolve()));
    await exited;
    gates.disarm();
    expect(armed.hasStruck).toBe(true);
    await armed.done;
    await gone();
    return before;
  };

  const loseAnswer: Strike = async (link) => {
    const answer = link.answer();
    link.pass();
    await answer;
    link.cut();
  };
  const harms: readonly (readonly [string, Kind, number, Struck])[] = [
    ['an answer of the store is lost', ownGas, 4, { strike: loseAnswer }],
    [
      'its connection is half-closed',
      gasless,
      17,
      {
        strike(link) {
          link.pass();
          link.halfClose();
        },
      },
    ],
    [
      'it crashes',
      gasless,
      3,
      {
        only: entries,
        async strike(link) {
          await postgres.crash();
          await postgres.start();
          link.cut();
        },
      },
    ],
  ];

  test.each(harms)('behavior: %s', async (_, kind, point, harm) => {
    const before = await struck(kind, point, harm);
    expect(await machines.goOn(kind, before)).toBeUndefined();
  });

  test('behavior: an answer of the service is lost', async () => {
    const harm = { at: servers, strike: loseAnswer, how: { env: throughServers } };
    expect(await machines.goOn(permit, await struck(permit, 5, harm))).toBeUndefined();
  });

  test.runIf(hasDisk)('behavior: its disk is full', async () => {
    const strike: Strike = (link) => {
      postgres.fillDisk();
      link.pass();
    };
    const before = await struck(permit, 4, { only: entries, strike });
    postgres.freeDisk();
    expect(await machines.goOn(permit, before)).toBeUndefined();
  });

  test('behavior: the machine is killed when an answer is there', async () => {
    const before = await struckApart(withdrawal, 12, async (link, child) => {
      const answer = link.answer();
      link.pass();
      await answer;
      child.kill('SIGKILL');
      link.cut();
    });
    expect(await machines.goOn(withdrawal, before)).toBeUndefined();
  });

  test('behavior: the machine is frozen, and woken beside the rival’s payment', async () => {
    const before = await struckApart(deposit, 14, async (link, child, held) => {
      const answer = link.answer();
      link.pass();
      const bytes = await answer;
      child.kill('SIGSTOP');
      servers.arm(
        1,
        (paying) => {
          child.kill('SIGCONT');
          paying.pass();
        },
        /eth_sendRawTransaction/,
      );
      try {
        link.give(bytes);
        // The database gives up all that it holds, as it does with who is gone.
        await postgres.sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ferry'`);
        await gone();
        const rival = machines.goOn(deposit, held, { env: throughServers });
        const late = delay(60_000, 'the rival waits for who is frozen', { ref: false });
        expect(await Promise.race([rival, late])).toBeUndefined();
      } finally {
        servers.disarm();
        child.kill('SIGCONT');
      }
    });
    expect(await machines.settled(deposit, before)).toBeUndefined();
  });

  test('behavior: a standby that is behind takes over: it is not paid again', async () => {
    // A store that never knew an account adopts its nonces on a network without real money.
    expect((await machines.run(gasless.args)).code).toBe(0);
    const standby = await postgres.standby();
    onTestFinished(() => standby.stop());
    const strike: Strike = async (link) => {
      await standby.cutOff();
      link.pass();
    };
    const before = await struck(gasless, 4, { only: entries, strike, how: { at: through, env: async } });
    await standby.promote();
    const behind = machinesOf({ sandbox, postgres, url, env: async });
    onTestFinished(() => behind.remove());
    expect(await behind.goOnBehind(gasless, before, standby.url(url))).toBeUndefined();
  });

  test('behavior: a sender is frozen, and a standby that is behind takes over: it is paid once', async () => {
    const at = await postgres.database();
    const gate = await barriersOf(sandbox);
    const all = machinesOf({ sandbox, postgres, url: at, env: async });
    const one = machinesOf({ sandbox, postgres, url: at, env: { ...async, ...gate.env } });
    await all.run('store init');
    expect((await all.run(permit.args)).code).toBe(0);
    const standby = await postgres.standby();
    try {
      await standby.cutOff();
      const before = await permit.held(sandbox);
      const sender = one.run(permit.args);
      await gate.reached;
      await standby.promote();
      const there = standby.url(at);
      expect((await all.run(permit.args, { at: there })).code).not.toBe(0);
      gate.open();
      await sender;
      await all.settle(there);
      // What the rival was refused, it is refused for good: it was paid.
      const rival = await all.run(permit.args, { at: there });
      expect(rival.json().error.code).toBe('run.foreign-nonce');
      expect(before - (await permit.held(sandbox))).toBe(permit.paid);
    } finally {
      gate.open();
      for (const each of [all, one]) each.remove();
      await standby.stop();
    }
  });

  // Last: the database is lost with its primary.
  test('behavior: the primary dies, and a synchronous standby takes over: it is finished there', async () => {
    const standby = await postgres.standby();
    try {
      await postgres.sql(`alter system set synchronous_standby_names to '*'`);
      await postgres.sql('select pg_reload_conf()');
      await expect.poll(() => postgres.sql('select sync_state from pg_stat_replication')).toBe('sync');
      const before = await ownGas.held(sandbox);
      const armed = gates.arm(3, () => postgres.crash(), entries);
      const { json } = await machines.run(ownGas.args, { at: through });
      gates.disarm();
      await armed.done;
      // What only notes how it goes is no reason to stop.
      expect(json().error?.code ?? 'store.').toMatch(/^store\.|^submit\.|^track\./);
      await standby.promote();
      const at = standby.url(url);
      // It waited for each commit, so nothing is lost: only an operator knows.
      expect((await machines.run('store check --trust', { at, env: async })).json().data).toMatchObject({ ok: true });
      expect(await machines.goOn(ownGas, before, { at, env: async })).toBeUndefined();
    } finally {
      await standby.stop();
    }
  });
});
