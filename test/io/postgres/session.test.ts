import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BaseError } from '../../../src/core/base/Errors.js';
import * as RateLimit from '../../../src/core/network/RateLimit.js';
import type { SubmittedLine } from '../../../src/core/worker/BatchStore.js';
import { createStoreRates } from '../../../src/io/postgres/openStore.js';
import * as schema from '../../../src/io/postgres/schema.js';
import { connect, type Session } from '../../../src/io/postgres/session.js';
import { createStoreBatches } from '../../../src/io/postgres/storeBatches.js';
import { assertSafe, checks } from '../../../src/io/postgres/storeChecks.js';
import { createLocks } from '../../../src/io/postgres/storeLocks.js';
import { collect } from '../../support/collect.js';
import { temporaryFolder } from '../../support/ferry.js';
import { type Postgres, programs, startPostgres } from '../../support/postgres.js';
import { sampled } from '../../support/sampled.js';
import { openBetween, openPooler } from '../../support/storeGate.js';

const terms = { isAsyncAccepted: false };

/** The whole numbers from one to another. */
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

test.each([
  ['a host in the network without TLS', 'postgres://a@db.example/b?sslmode=disable', 'store.refused'],
  ['any server that has TLS', 'postgres://a@db.example/b?sslmode=require', 'store.refused'],
  ['another database', 'mysql://a@localhost/b', 'store.refused'],
  ['no database', 'postgres://a@localhost', 'store.refused'],
  ['no URL', 'localhost', 'store.refused'],
  ['a user that is not percent-encoded', 'postgres://a%@localhost/b', 'store.refused'],
  ['no certificate where it should be', 'postgres://a@db.example/b?sslrootcert=/nowhere', 'store.refused'],
  ['nobody there', 'postgres://a@127.0.0.1:1/b', 'store.unreachable'],
])('connect: error: %s', async (_, url, code) => {
  await expect(connect({ url, env: {} })).rejects.toMatchObject({ code, funds: 'untouched' });
});

describe.skipIf(!programs)('a session with PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    // A vacuum leaves out what another process has pinned.
    postgres = await startPostgres({ settings: ['bgwriter_lru_maxpages=0', 'autovacuum=off', 'max_wal_size=1GB'] });
  }, 30_000);
  afterAll(() => postgres.stop());

  const open = async (url: string): Promise<Session> => {
    const session = await connect({ url, env: {} });
    onTestFinished(() => session.end());
    return session;
  };
  /** A database with the tables. */
  const ready = async (): Promise<string> => {
    const url = await postgres.database();
    const session = await connect({ url, env: {} });
    await schema.migrate(session);
    await session.end();
    return url;
  };

  const warnAtCommit = (url: string, raised: string) =>
    postgres.sql(
      `create function warn() returns trigger language plpgsql as $$ begin raise warning ${raised}; return null; end $$;
      create constraint trigger late after insert on ferry.counted deferrable initially deferred for each row execute function warn()`,
      url,
    );

  test('error: a password that is missing or wrong is what to set', async () => {
    const url = new URL(await postgres.database());
    url.username = 'locked';
    await postgres.sql("create role locked login password 'right'");
    const rules = await postgres.sql('show hba_file');
    writeFileSync(rules, `host all locked 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
    await postgres.sql('select pg_reload_conf()');
    const hint = async (env: Record<string, string>): Promise<string> => {
      const session = await connect({ url: url.href, env }).catch((error: BaseError) => error.hint ?? '');
      if (typeof session === 'string') return session;
      await session.end();
      return 'it was let in';
    };
    await expect.poll(() => hint({})).toContain('PGPASSWORD');
    expect(await hint({ PGPASSWORD: 'wrong' })).toContain('PGPASSWORD');
    expect(await hint({ PGPASSWORD: 'right' })).toBe('it was let in');
  });

  test('default: a plain PostgreSQL is safe, and the tables are made once', async () => {
    const session = await open(await postgres.database());
    await assertSafe(session, terms);
    await expect(schema.assertUsable(session)).rejects.toMatchObject({
      code: 'store.version',
      next: 'ferry store init',
    });
    expect(await schema.migrate(session)).toEqual({ before: 0, after: schema.version });
    expect(await schema.migrate(session)).toEqual({ before: schema.version, after: schema.version });
    await schema.assertUsable(session);
    await session.query('delete from ferry.meta where version > 1');
    await expect(schema.assertUsable(session)).rejects.toMatchObject({
      code: 'store.version',
      next: 'ferry store migrate',
    });
  });

  test('behavior: no idle timeout of the database ends a session that waits for a chain', async () => {
    const url = await ready();
    for (const setting of ['idle_session_timeout', 'idle_in_transaction_session_timeout'])
      await postgres.sql(`alter database ${url.split('/').at(-1)} set ${setting} = '1min'`);
    const session = await open(url);
    expect(
      await session.query(
        `select current_setting('idle_session_timeout') as session, current_setting('idle_in_transaction_session_timeout') as act`,
      ),
    ).toEqual([{ session: '0', act: '0' }]);
  });

  test('behavior: who has waited for a lock sees what was written under it, whatever the default isolation', async () => {
    const url = await ready();
    const lock = 'select pg_advisory_xact_lock(1)';
    await postgres.sql(`alter database ${url.split('/').at(-1)} set default_transaction_isolation = 'repeatable read'`);
    const [first, second] = [await open(url), await open(url)];
    let later: Promise<unknown> = Promise.resolve();
    await first.transaction(async (within) => {
      await within(lock);
      later = second.transaction(async (query) => {
        await query(lock);
        return query('select id from ferry.counted');
      });
      const waiting = `select count(*) from pg_locks where locktype = 'advisory' and not granted`;
      await expect.poll(() => postgres.sql(waiting)).toBe('1');
      await within(`insert into ferry.counted (place, id, owner) values ('p', 'i', 'o')`);
    });
    expect(await later).toEqual([{ id: 'i' }]);
  });

  test('behavior: a long batch is written in parts, all or none, and its results are read over gaps', async () => {
    const session = await open(await ready());
    const batches = createStoreBatches(session, createLocks(session), { env: {}, cwd: '/', home: temporaryFolder() });
    const count = 12_001;
    const place = { network: 'sandbox', instance: null } as const;
    const batch = { ...place, store: null, lines: count, digest: '0x00', submitter: '0x1' } as const;
    const submit = (name: string, lines: AsyncIterable<SubmittedLine>) =>
      batches.submit({ ...batch, name, signature: '0x', state: 'ready', priority: 0 }, [], lines);
    const line = (n: number): SubmittedLine => ({ n, id: `${n}`, digest: '0x', account: `0x${n % 3}`, doc: '{}' });
    const first = async function* (lines: number, last?: SubmittedLine) {
      for (let n = 0; n < lines; n++) yield line(n);
      if (!last) throw new Error('the file has changed');
      yield last;
    };
    await expect(submit('a', first(5_500))).rejects.toThrow('the file has changed');
    await expect(submit('a', first(5_000, line(0)))).rejects.toMatchObject({ code: 'store.unwritable' });
    await expect(submit('a', first(10_000, line(4_999)))).rejects.toMatchObject({ code: 'store.unwritable' });
    await expect(batches.find('a')).rejects.toMatchObject({ code: 'batch.unknown' });
    expect(await submit('a', first(count - 1, line(count - 1)))).toBe('new');
    // Their state is read from an index alone, from now on.
    const [table] = await session.query(`select relallvisible = relpages as done from pg_class where relname = 'line'`);
    expect(table?.done).toBe(true);
    expect((await batches.status('a')).accounts.map(({ states }) => states.waiting)).toEqual([4_001, 4_000, 4_000]);
    const held = await batches.hold('0x1');
    await held?.claim(place, []);
    expect((await batches.status('a')).accounts).toMatchObject([
      { states: { waiting: 4_001 }, oldestMs: null },
      { states: { waiting: 3_999, running: 1 }, oldestMs: expect.any(Number) },
      { states: { waiting: 4_000 }, oldestMs: null },
    ]);
    expect(await batches.cancel('a')).toEqual({ lines: count - 1, refused: [] });
    await session.query('delete from ferry.result where seq > 100 and seq <= 11000');
    for (const [since, numbers] of [
      [0, [...range(1, 100), ...range(11_001, 12_000)]],
      [11_990, range(11_991, 12_000)],
      [12_000, []],
      [999_999_999, []],
    ] as const) {
      const read = await collect(batches.results('a', { isFailed: true, since }));
      expect(read.map(({ seq }) => seq)).toEqual(numbers);
    }
  });

  test.each(
    sampled(
      [
        ['synchronous_commit', 'off', 'synchronous_commit'],
        ['synchronous_commit', 'local', 'synchronous_commit'],
        ['default_transaction_read_only', 'on', 'writable'],
      ],
      2,
    ),
  )('error: a database with %s = %s', async (setting, value, name) => {
    const url = await ready();
    await postgres.sql(`alter database ${new URL(url).pathname.slice(1)} set ${setting} = ${value}`);
    const session = await open(url);
    expect((await checks(session, terms)).filter(({ problem }) => problem).map((each) => each.name)).toEqual([name]);
    await expect(assertSafe(session, terms)).rejects.toMatchObject({ code: 'store.refused', funds: 'untouched' });
  });

  test('error: a pooler, whose end of the session is another process than the server’s', async () => {
    const url = await ready();
    const pooler = await openPooler(Number(new URL(url).port));
    onTestFinished(pooler.close);
    const session = await open(url.replace(/:\d+\//, `:${pooler.port}/`));
    await expect(assertSafe(session, terms)).rejects.toMatchObject({
      code: 'store.refused',
      message: expect.stringContaining('pooler'),
    });
  });

  test('error: a commit with a warning counts as none, and ends the session', async () => {
    const url = await ready();
    await warnAtCommit(url, `'canceling the wait'`);
    const session = await open(url);
    const add = `insert into ferry.counted values ('a', 'b', 'c')`;
    await expect(session.announce(add)).rejects.toMatchObject({ code: 'store.uncertain', funds: 'unknown' });
    await expect(session.query('select 1')).rejects.toMatchObject({ code: 'store.lost' });
    const again = await open(url);
    await again.query('delete from ferry.counted');
    await expect(again.transaction((query) => query(add))).rejects.toMatchObject({ code: 'store.uncertain' });
  });

  test.each(
    sampled(
      [
        ['01000', `'canceling the wait'`],
        ['57P01', `'terminating' using errcode = '57P01'`],
      ],
      1,
    ),
  )('error: so does one with a warning of a server that speaks another language: %s', async (_, raised) => {
    const url = await ready();
    await warnAtCommit(url, raised);
    // The severity as a German server says it: the driver knows that field alone.
    const german = await openBetween(Number(new URL(url).port), (bytes) => {
      const at = bytes.indexOf('SWARNING\0');
      if (at >= 0) bytes.write('SWARNUNG', at);
    });
    onTestFinished(german.close);
    const session = await open(url.replace(/:\d+\//, `:${german.port}/`));
    await expect(session.announce(`insert into ferry.counted values ('a', 'b', 'c')`)).rejects.toMatchObject({
      code: 'store.uncertain',
    });
  });

  test('error: a session that was cut off signs nothing more', async () => {
    const url = await ready();
    const session = await open(url);
    await postgres.sql(`select pg_terminate_backend(${session.processId})`);
    await expect(session.announce('select 1')).rejects.toMatchObject({ code: 'store.lost', funds: 'unknown' });
    await expect(session.transaction(async () => {})).rejects.toMatchObject({ code: 'store.lost' });
  });

  test('behavior: who has lost the store keeps to the rate limit as it knew it', async () => {
    const session = await open(await ready());
    const rates = createStoreRates(session, { origin: 'x' });
    const take = async (): Promise<number> => {
      const asked = () => ({ limits: { quote: 2 }, path: '/quote/v2', nowMs: rates.now() });
      return (await rates.change((before) => RateLimit.take(before, asked(), 120_000))).waitMs;
    };
    expect(await take()).toBe(0);
    await postgres.sql(`select pg_terminate_backend(${session.processId})`);
    expect(await take()).toBeGreaterThan(10_000);
    expect((await rates.written()).buckets.quote).toBeDefined();
  });

  test('error: a statement that is refused has no effect, and the session goes on', async () => {
    const session = await open(await ready());
    await expect(session.announce('insert into ferry.none values (1)')).rejects.toMatchObject({
      code: 'store.unwritable',
      funds: 'untouched',
    });
    await expect(session.transaction(async (query) => void (await query('select 1/0')))).rejects.toMatchObject({
      code: 'store.unwritable',
    });
    expect(await session.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('behavior: transactions of one session do not mix', async () => {
    const session = await open(await ready());
    const add = (id: number) =>
      session.transaction(async (query) => {
        await query(`insert into ferry.counted values ('p', $1, 'o')`, [String(id)]);
        if (id % 2 === 1) throw new Error('odd');
      });
    await Promise.allSettled(Array.from({ length: 10 }, (__, id) => add(id)));
    expect(await session.query('select id from ferry.counted order by id')).toEqual(
      ['0', '2', '4', '6', '8'].map((id) => ({ id })),
    );
  });

  test('error: a standby, and a server that may lose what it has committed', async () => {
    await postgres.crash();
    await postgres.start(['fsync=off', 'full_page_writes=off']);
    const session = await open(postgres.url);
    const bad = (await checks(session, terms)).filter(({ problem }) => problem).map(({ name }) => name);
    expect(bad).toEqual(['fsync', 'full_page_writes']);
    await session.end();
    await postgres.crash();
    await postgres.start();
  }, 30_000);
});
