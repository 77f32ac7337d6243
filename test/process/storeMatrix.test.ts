/**
 * The matrix of a store: a machine pays, and at each of its messages to the database, or at each entry of its journal,
 * something happens to it, to the connection or to the database. Another machine goes on. In every cell there is one
 * payment, all runs have ended, their journals can be read, and no lock is left.
 *
 * The suite runs a sample, and another one by STORE_DAY=1 and so on. All of it, and a part of it:
 * STORE=all npx vitest run --config test/vitest.config.ts test/process/storeMatrix.test.ts
 * STORE=all STORE_SHARD=1/2 npx vitest run --config test/vitest.config.ts test/process/storeMatrix.test.ts -t frozen
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { type Ended, at as urlsOf } from '../support/ferry.js';
import { type Postgres, programs, type Standby, startPostgres } from '../support/postgres.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { call, type How, type Kind, kinds, type Machines, machinesOf } from '../support/storeCells.js';
import { type Gates, type Link, openGates, openPooler, type Strike } from '../support/storeGate.js';
import { type LineKind, type Lines, lineKinds, linesOf } from '../support/storeLines.js';

const all = process.env.STORE === 'all';
const [shard = 1, shards = 1] = (process.env.STORE_SHARD ?? '1/1').split('/').map(Number);
/** Which cells the sample has: others by another number. */
const day = Number(process.env.STORE_DAY ?? 0);

/** The statements that write an entry of a journal. */
const entries = /insert into ferry\.entry/;

const hourMs = 3_600_000;

/** Undefined if the run has no such point. */
type Found = { wrong: string | undefined } | undefined;

type Family<K extends Kind = Kind> = {
  name: string;
  kinds: readonly K[];
  /** So many points every run has. */
  least: number;
  /** What its cells need; resolves to what ends that. */
  prepare?(): Promise<() => unknown>;
  cell(kind: K, point: number): Promise<Found>;
};

const every = [...kinds, call];

describe.skipIf(!programs)('in each cell there is one payment', () => {
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
  let lines: Lines;
  const counts = new Map<string, number>();

  beforeAll(async () => {
    // Few enough connections that a test can take them all.
    const few = startPostgres({ settings: ['max_connections=20'] });
    [built, sandbox, postgres] = await Promise.all([buildFerry(), startSandbox(), few]);
    url = await postgres.database();
    machines = machinesOf({ sandbox, postgres, url });
    lines = linesOf({ built, sandbox, postgres, machines });
    await machines.run('store init');
    [gates, servers] = [openGates(), openGates()];
    through = await gates.before(url);
    for (const [name, there = ''] of Object.entries(urlsOf(sandbox)))
      throughServers[name] = await servers.before(there);
  }, 60_000);
  afterAll(async () => {
    const said = [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
    process.stderr.write(
      `matrix of the store: ${total()} cells (${said}), one payment in each${all ? '' : ` (the sample of day ${day}; STORE=all)`}\n`,
    );
    gates.close();
    servers.close();
    built.remove();
    machines.remove();
    lines.remove();
    await Promise.all([sandbox.stop(), postgres.stop()]);
  });
  const total = (): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

  /** The database gives up all that machines hold, as it does with who is gone. */
  const sever = (at = url): Promise<string> =>
    postgres.sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ferry'`, at);

  /** The database notices the end of a connection while it waits for it. */
  const gone = (at = url): Promise<void> =>
    expect
      .poll(() => postgres.sql(`select count(*) from pg_stat_activity where application_name = 'ferry'`, at), {
        timeout: 10_000,
        interval: 20,
      })
      .toBe('0');

  /** What a command says is not what happened. */
  const isLie = async ({ code, json }: Ended, kind: Kind, before: bigint): Promise<boolean> =>
    code !== 0 && json().error.funds === 'untouched' && (await kind.held(sandbox)) !== before;

  /** A machine whose message meets a strike; another one goes on. */
  const struck = async (
    kind: Kind,
    point: number,
    { at = gates, strike, only, how = { at: through } }: { at?: Gates; strike: Strike; only?: RegExp; how?: How },
    goOn: (before: bigint) => Promise<string | undefined> = (before) => machines.goOn(kind, before),
  ): Promise<Found> => {
    const before = await kind.held(sandbox);
    const armed = at.arm(point, strike, only);
    const ended = await machines.run(kind.args, how);
    at.disarm();
    if (!armed.hasStruck) {
      expect(ended.code, ended.stdout).toBe(0);
      return undefined;
    }
    await armed.done;
    if (await isLie(ended, kind, before)) return { wrong: `it says that nothing was touched: ${ended.stdout}` };
    await gone();
    return { wrong: await goOn(before) };
  };

  /** The same with a process of its own. */
  const struckApart = async (
    kind: Kind,
    point: number,
    strike: (link: Link, child: ChildProcess, before: bigint) => unknown,
    goOn: (before: bigint) => Promise<string | undefined>,
    { at = through, only }: { at?: string; only?: RegExp } = {},
  ): Promise<Found> => {
    const before = await kind.held(sandbox);
    const env = { ...built.env, ...urlsOf(sandbox), FERRY_STORE: at, FERRY_STATE_DIR: machines.stateDir() };
    let child: ChildProcess | undefined;
    const armed = gates.arm(point, (link) => child && strike(link, child, before), only);
    const argv = [built.path, ...kind.args.split(' '), '--yes', '--json'];
    child = spawn(process.execPath, argv, { env: env as NodeJS.ProcessEnv, stdio: 'ignore' });
    const exited = new Promise<void>((resolve) => child?.once('exit', () => resolve()));
    await exited;
    gates.disarm();
    if (!armed.hasStruck) {
      expect(child.exitCode).toBe(0);
      return undefined;
    }
    const wrong = await armed.done;
    await gone();
    return { wrong: typeof wrong === 'string' ? wrong : await goOn(before) };
  };

  const partitions: Record<string, Strike> = {
    'lost on the way': (link) => link.cut(),
    async 'answer lost'(link) {
      const answer = link.answer();
      link.pass();
      await answer;
      link.cut();
    },
    // Both know nothing of each other, until the database's own patience ends. Here that is soon.
    async silence(link) {
      link.mute();
      link.pass();
      await delay(400);
      link.cut();
    },
    async delayed(link) {
      await delay(250);
      link.pass();
    },
    'half-closed'(link) {
      link.pass();
      link.halfClose();
    },
  };

  /** Stops the process with the answer before it, ends its session, and has a rival go on. */
  const freeze = async (
    link: Link,
    child: ChildProcess,
    rival: () => Promise<string | undefined>,
    end = async () => {
      await sever();
      await gone();
    },
  ): Promise<string | undefined> => {
    const answer = link.answer();
    link.pass();
    const bytes = await answer;
    child.kill('SIGSTOP');
    try {
      link.give(bytes);
      await end();
      return await Promise.race([rival(), delay(60_000, 'the rival waits for who is frozen', { ref: false })]);
    } finally {
      child.kill('SIGCONT');
    }
  };

  const drop = (at: string): Promise<string> =>
    postgres.sql(`drop database ${new URL(at).pathname.slice(1)} with (force)`);

  const acceptsStandby = { FERRY_STORE_ASYNC: 'true' };

  type Door = {
    name: string;
    open(): Promise<{ at: string; close(): Promise<unknown> }>;
    prepare?: Family['prepare'];
  };

  /** What a store may be for a while, so that nothing can be paid by it. */
  function doors(): Door[] {
    let standby: Standby | undefined;
    const setReadOnly = (text: string): Promise<string> =>
      postgres.sql(`alter database ${new URL(url).pathname.slice(1)} ${text}`);
    return [
      {
        name: 'no room for a connection',
        async open() {
          await postgres.rest();
          const clients: Client[] = [];
          for (;;) {
            const client = new Client(url);
            client.on('error', () => {});
            try {
              await client.connect();
              clients.push(client);
            } catch (error) {
              expect((error as { code?: string }).code).toBe('53300');
              break;
            }
          }
          return { at: url, close: () => Promise.all(clients.map((client) => client.end())) };
        },
      },
      {
        name: 'it read-only',
        async open() {
          await setReadOnly('set default_transaction_read_only = on');
          return { at: url, close: () => setReadOnly('reset default_transaction_read_only') };
        },
      },
      {
        name: 'a standby',
        async prepare() {
          standby = await postgres.standby();
          return () => standby?.stop();
        },
        open: async () => ({ at: standby?.url(url) ?? '', close: async () => {} }),
      },
      {
        name: 'a pooler',
        async open() {
          const pooler = await openPooler(Number(new URL(url).port));
          return { at: url.replace(/:\d+\//, `:${pooler.port}/`), close: async () => pooler.close() };
        },
      },
    ];
  }

  const families: readonly Family[] = [
    ...Object.entries(partitions).map(
      ([name, strike]): Family => ({
        name: `store: ${name}`,
        kinds: every,
        least: 20,
        cell: (kind, point) => struck(kind, point, { strike }),
      }),
    ),
    ...['lost on the way', 'answer lost', 'half-closed'].map(
      (name): Family => ({
        name: `service and nodes: ${name}`,
        kinds: every,
        least: 5,
        cell: (kind, point) => {
          const strike = partitions[name] ?? (() => {});
          return struck(kind, point, { at: servers, strike, how: { env: throughServers } });
        },
      }),
    ),
    {
      name: 'killed before the message leaves',
      kinds: every,
      least: 20,
      cell: (kind, point) =>
        struckApart(
          kind,
          point,
          (link, child) => {
            child.kill('SIGKILL');
            link.cut();
          },
          (before) => machines.goOn(kind, before),
        ),
    },
    {
      name: 'killed when the answer is there',
      kinds: every,
      least: 20,
      cell: (kind, point) =>
        struckApart(
          kind,
          point,
          async (link, child) => {
            const answer = link.answer();
            link.pass();
            await answer;
            child.kill('SIGKILL');
            link.cut();
          },
          (before) => machines.goOn(kind, before),
        ),
    },
    {
      name: 'frozen until a rival has finished',
      kinds: every,
      least: 20,
      cell: (kind, point) =>
        struckApart(
          kind,
          point,
          (link, child, before) => freeze(link, child, () => machines.goOn(kind, before)),
          (before) => machines.settled(kind, before),
        ),
    },
    {
      name: 'frozen, and woken beside the rival’s payment',
      kinds: every,
      least: 20,
      cell: (kind, point) =>
        struckApart(
          kind,
          point,
          async (link, child, before) => {
            const wake: Strike = (paying) => {
              child.kill('SIGCONT');
              paying.pass();
            };
            servers.arm(1, wake, /eth_sendRawTransaction|POST \/execute|sendTx /);
            try {
              return await freeze(link, child, () => machines.goOn(kind, before, { env: throughServers }));
            } finally {
              servers.disarm();
            }
          },
          (before) => machines.settled(kind, before),
        ),
    },
    {
      name: 'epoch stolen',
      kinds: every,
      least: 20,
      cell: (kind, point) =>
        struck(kind, point, {
          async strike(link) {
            await postgres.sql('update ferry.turn set epoch = epoch + 1', url);
            link.pass();
          },
        }),
    },
    {
      name: 'a warning at the commit',
      kinds: every,
      least: 8,
      cell: (kind, point) =>
        struck(
          kind,
          point,
          {
            only: entries,
            async strike(link) {
              await postgres.sql(
                `create or replace function warn() returns trigger language plpgsql as $$
                  begin raise warning 'canceling the wait for synchronous replication'; return null; end $$;
                create constraint trigger late after insert on ferry.entry deferrable initially deferred
                  for each row execute function warn()`,
                url,
              );
              link.pass();
            },
          },
          async (before) => {
            await postgres.sql('drop trigger late on ferry.entry', url);
            return machines.goOn(kind, before);
          },
        ),
    },
    ...doors().map(
      ({ name, open, prepare }): Family => ({
        name: `cut off, and whoever goes on finds ${name}`,
        kinds: every,
        least: 8,
        ...(prepare && { prepare }),
        cell: (kind, point) =>
          struck(
            kind,
            point,
            { only: entries, strike: (link) => link.cut(), how: { at: through, env: acceptsStandby } },
            async (before) => {
              const { at, close } = await open();
              const refused = await machines.run(kind.args, { at, env: acceptsStandby });
              await close();
              const { code, funds } = refused.code === 0 ? { code: 'nothing', funds: '' } : refused.json().error;
              if (!['store.refused', 'store.unreachable'].includes(code) || funds !== 'untouched')
                return `it was refused by ${code}: ${refused.stdout}`;
              return machines.goOn(kind, before, { env: acceptsStandby });
            },
          ),
      }),
    ),
    {
      name: 'restored from a dump of before',
      kinds,
      least: 8,
      async prepare() {
        // A store that never knew an account adopts its nonces on a network without real money.
        for (const { args } of kinds) expect((await machines.run(args)).code).toBe(0);
        return () => {};
      },
      cell(kind, point) {
        let dump = '';
        const strike: Strike = async (link) => {
          dump = await postgres.dump(url);
          link.pass();
        };
        return struck(kind, point, { only: entries, strike }, async (before) => {
          const at = await postgres.database();
          await postgres.restore(dump, at);
          const wrong = await machines.goOnBehind(kind, before, at);
          await drop(at);
          return wrong;
        });
      },
    },
  ];

  const ofLines: readonly Family<LineKind>[] = [
    ...[1, 2].map(
      (times): Family<LineKind> => ({
        name: `worker: SIGTERM ${times === 1 ? 'once' : 'twice'}`,
        kinds: lineKinds,
        least: 7,
        async cell(kind, point) {
          const before = await kind.held(sandbox);
          const batch = await lines.submit(kind, url);
          let worker: ReturnType<Lines['start']> | undefined;
          const armed = gates.arm(
            point,
            async (link) => {
              for (let time = 0; time < times; time++) {
                worker?.child.kill('SIGTERM');
                await delay(15);
              }
              link.pass();
            },
            entries,
          );
          const { child, ended } = lines.start(kind, through);
          worker = { child, ended };
          let code: number | null | undefined;
          void ended.then((found) => {
            code = found;
          });
          for (const since = Date.now(); code === undefined && Date.now() - since < 60_000; await delay(30))
            if (!armed.hasStruck && (await lines.state(batch, url)) === 'done') child.kill('SIGTERM');
          gates.disarm();
          if (code !== 0) {
            child.kill('SIGKILL');
            return { wrong: `the worker ended with ${code}` };
          }
          await gone();
          // Asked once, it finishes what it has signed.
          const isLeft = (await lines.state(batch, url)) !== 'done';
          await lines.finish(kind, batch, before, url);
          if (!armed.hasStruck) return undefined;
          if (isLeft && times === 1) return { wrong: `asked once, it left its line` };
          return { wrong: await lines.settled(kind, batch, before, url) };
        },
      }),
    ),
    ...[
      { name: 'an hour ahead, and then one by a right clock', from: hourMs, to: 0 },
      { name: 'by a right clock, and then one an hour ahead', from: 0, to: hourMs },
    ].map(
      ({ name, from, to }): Family<LineKind> => ({
        name: `worker: cut off ${name}`,
        kinds: lineKinds,
        least: 7,
        async cell(kind, point) {
          const at = await postgres.database();
          const within = await gates.before(at);
          await machines.run('store init', { at });
          try {
            const before = await kind.held(sandbox);
            const batch = await lines.submit(kind, at);
            const armed = gates.arm(point, (link) => link.cut(), entries);
            await lines.work(kind, { at: within, clockMs: from });
            gates.disarm();
            await gone(at);
            if (armed.hasStruck) await lines.work(kind, { at, clockMs: to });
            const isRetried = await lines.finish(kind, batch, before, at);
            const wrong = await lines.settled(kind, batch, before, at, isRetried);
            if (!armed.hasStruck) return undefined;
            // What a wrong clock dates may be refused. It is not repeated while it can be used, and nobody says it was paid.
            const isOpen = /^stuck (submit\.unknown|run\.unfinished)$/.test(await lines.state(batch, at));
            return { wrong: isOpen && (await kind.held(sandbox)) === before ? undefined : wrong };
          } finally {
            await drop(at);
          }
        },
      }),
    ),
  ];

  /** All cells of a family; of every fourth one that of the sample. */
  const cells = <K extends Kind>({ name, kinds: ways, least, prepare, cell }: Family<K>, number: number) => {
    return ways
      .map((kind, index) => ({
        kind,
        prepare,
        cell: (point: number) => cell(kind, point),
        isOfSample: number % 4 === day % 4 && (index + number + day) % ways.length === 0,
        first: 1 + ((day * 7 + number * 3 + index * 5) % least),
      }))
      .filter(({ isOfSample }) => all || isOfSample)
      .map((each) => [name, each.kind.name, each] as const);
  };

  test.each([...families.flatMap(cells), ...ofLines.flatMap(cells)])(
    'behavior: %s: %s',
    async (family, _, { prepare, cell, first }) => {
      const wrong: string[] = [];
      const end = await prepare?.();
      try {
        for (let point = all ? shard : first; point < 200; point += shards) {
          const found = await cell(point);
          // What nobody can say more of, and what is wrong, is no matter of the next one.
          await postgres.sql('delete from ferry.run where not is_over', url);
          if (!all) expect(found, `there is no point ${point}`).toBeDefined();
          if (!found) break;
          counts.set(family, (counts.get(family) ?? 0) + 1);
          if (found.wrong) wrong.push(`point ${point}: ${found.wrong}`);
          if (!all) break;
        }
      } finally {
        await end?.();
      }
      expect(wrong).toEqual([]);
    },
    3_600_000,
  );

  test.runIf(all)('default: there are at least 2,000 of them', () => {
    expect(total()).toBeGreaterThanOrEqual(Math.floor(2_000 / shards));
  });

  /**
   * The same program at a database that fences nobody off: its locks are everybody's, an epoch never moves, an entry or a
   * nonce can be written twice. Whoever is frozen there keeps a session, which nothing needs to end. What still holds is the
   * chain, and what the process itself remembers of nonces; a call has neither.
   */
  test('default: without fencing, some of the same cells are paid twice', async () => {
    const at = await postgres.database();
    const loose = machinesOf({ sandbox, postgres, url: at });
    const twice: string[] = [];
    try {
      await loose.run('store init');
      await postgres.sql(
        `create schema loose;
        create function loose.pg_try_advisory_lock(bigint) returns boolean language sql as 'select true';
        create function loose.pg_advisory_xact_lock(bigint) returns void language sql as '';
        create function loose.pg_advisory_unlock(bigint) returns boolean language sql as 'select true';
        alter database ${new URL(at).pathname.slice(1)} set search_path = loose, pg_catalog, public;
        create function loose.keep() returns trigger language plpgsql as $$ begin new.epoch := 1; return new; end $$;
        create trigger keep before insert or update on ferry.turn for each row execute function loose.keep();
        create function loose.blur() returns trigger language plpgsql as $$
          begin new.sequence := new.sequence || gen_random_uuid(); return new; end $$;
        create trigger blur before insert on ferry.nonce for each row execute function loose.blur();
        alter table ferry.entry drop constraint entry_pkey`,
        at,
      );
      const within = await gates.before(at);
      for (const kind of all ? every : [call]) {
        for (let point = 1; point < 200; point++) {
          const found = await struckApart(
            kind,
            point,
            async (link, child, before) => {
              await freeze(
                link,
                child,
                () => loose.goOn(kind, before).catch(String),
                async () => {},
              );
              // It has paid by then, or it never will.
              setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
            },
            async (before) => (before - (await kind.held(sandbox)) > kind.paid ? 'twice' : undefined),
            { at: within, only: entries },
          );
          await postgres.sql('delete from ferry.run', at);
          if (!found) break;
          if (found.wrong) twice.push(`${kind.name} ${point}`);
          if (!all && found.wrong) break;
        }
      }
      process.stderr.write(`without fencing, paid twice when frozen at the entries: ${twice.join(', ')}\n`);
      expect(twice.length).toBeGreaterThan(0);
    } finally {
      loose.remove();
      await drop(at);
    }
  }, 3_600_000);
});
