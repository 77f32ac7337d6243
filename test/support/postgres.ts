/**
 * A real PostgreSQL for tests: of Debian's package, in a folder and at a port of its own. PostgreSQL does not run as root,
 * so as root it runs as nobody.
 */
import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type QueryArrayResult } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from './freePort.js';
import { madeOnce } from './madeOnce.js';

const run = promisify(execFile);

/** The folder of the newest version's programs; undefined if there are none. */
export const programs: string | undefined = ((): string | undefined => {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const found = readdirSync(root)
    .filter((name) => existsSync(join(root, name, 'bin', 'initdb')))
    .sort((a, b) => Number(b) - Number(a));
  return found[0] === undefined ? undefined : join(root, found[0], 'bin');
})();

if (!programs)
  process.stderr.write('skipped: tests of the store: PostgreSQL is not installed (apt install postgresql)\n');

const nobody = 65534;
const isRoot = process.getuid?.() === 0;

export type Postgres = {
  /** Its URL, of the superuser. */
  url: string;
  folder: string;
  /** A new, empty database in it, by its URL. */
  database(): Promise<string>;
  /** Runs SQL as the superuser, and resolves to what psql prints, unaligned: a row a line, or what was done. */
  sql(text: string, url?: string): Promise<string>;
  /** Closes the connections that `sql` keeps open for a moment. */
  rest(): Promise<void>;
  /** What `pg_dump` makes of a database, and the same put back into an empty one. */
  dump(url: string): Promise<string>;
  restore(dump: string, url: string): Promise<void>;
  /** A copy that follows it, with the same databases. */
  standby(): Promise<Standby>;
  /** Ends it as a crash does. */
  crash(): Promise<void>;
  /** Starts it again after a crash. */
  start(settings?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

export type Standby = {
  /** The URL of a database of the primary, here. */
  url(ofPrimary: string): string;
  /** From here on it gets nothing more. */
  cutOff(): Promise<void>;
  /** Makes it a primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
};

/** Whether anybody may pass through a folder and those above it. */
function isOpen(folder: string): boolean {
  const isHere = (statSync(folder).mode & 0o001) !== 0;
  return isHere && (dirname(folder) === folder || isOpen(dirname(folder)));
}

function inWords({ fields, rows, command, rowCount }: QueryArrayResult<unknown[]>): string[] {
  if (fields.length === 0) return [`${command} ${rowCount ?? ''}`.trim()];
  return rows.map((row) => row.map((value) => value ?? '').join('|'));
}

/** How long a connection waits for somebody else to use it. */
const idleMs = 200;

/**
 * Runs SQL over connections that are kept for a moment: tests look at a store again and again, and a connection for each
 * look is a process of the server's. A look finds a session as a new one would.
 */
function connections(): { sql(text: string, at: string): Promise<string>; rest(): Promise<void> } {
  const idle = new Map<Client, { at: string; timer: NodeJS.Timeout }>();
  const taken = (client: Client): void => {
    clearTimeout(idle.get(client)?.timer);
    idle.delete(client);
  };
  const end = async (client: Client): Promise<void> => {
    taken(client);
    await client.end().catch(() => {});
  };
  const connected = async (at: string): Promise<Client> => {
    const client = new Client({ connectionString: at, types: { getTypeParser: () => (value: unknown) => value } });
    // A crash of the server ends it, or a test.
    client.on('error', () => taken(client)).on('end', () => taken(client));
    await client.connect();
    return client;
  };
  const release = async (client: Client, at: string): Promise<void> => {
    try {
      await client.query('discard all');
      idle.set(client, { at, timer: setTimeout(() => void end(client), idleMs).unref() });
    } catch {
      await end(client);
    }
  };
  const sql = async (text: string, at: string): Promise<string> => {
    const [known] = [...idle].find(([, each]) => each.at === at) ?? [];
    if (known) taken(known);
    const client = known ?? (await connected(at));
    try {
      const results = [await client.query<unknown[]>({ text, rowMode: 'array' })].flat();
      return results.flatMap(inWords).join('\n');
    } catch (error) {
      const { code = '' } = error as { code?: string };
      // The connection was ended meanwhile, which is no answer of the server's; nothing was done.
      const isEnded = !/\d/.test(code) || code === '57P01';
      if (known && isEnded) return await sql(text, at);
      throw error;
    } finally {
      await release(client, at);
    }
  };
  return { sql, rest: async () => void (await Promise.all([...idle.keys()].map(end))) };
}

/** A folder that the server's user may use: as near to the temporary one as may be, which is in memory where it can. */
function openFolder(): string {
  let place = tmpdir();
  while (isRoot && !isOpen(place)) place = dirname(place);
  const folder = mkdtempSync(join(place, 'ferry-postgres-'));
  if (isRoot) chownSync(folder, nobody, nobody);
  return folder;
}

/** How a program of PostgreSQL runs. */
const inFolder = (cwd: string) => ({
  cwd,
  env: { ...process.env, HOME: cwd, LC_ALL: 'C' },
  ...(isRoot ? { uid: nobody, gid: nobody } : {}),
});

/** A data directory that is new. To copy it takes a tenth of the time that it takes to make one. */
async function newData(bin: string): Promise<string> {
  const made = await madeOnce('postgres', async (to) => {
    const folder = openFolder();
    const own = join(folder, 'data');
    await run(
      join(bin, 'initdb'),
      ['-D', own, '-U', 'ferry', '--auth=trust', '--encoding=UTF8', '--no-sync'],
      inFolder(folder),
    );
    await run('cp', ['-a', own, to]);
    rmSync(folder, { recursive: true });
  });
  return join(made, 'data');
}

/** Gives the file's tests one, if it is installed. */
export function usePostgres(): Postgres {
  const postgres = {} as Postgres;
  beforeAll(async () => {
    if (programs) Object.assign(postgres, await startPostgres());
  }, 30_000);
  afterAll(() => postgres.stop?.());
  return postgres;
}

/** Starts one. */
export async function startPostgres({ settings = [] }: { settings?: readonly string[] } = {}): Promise<Postgres> {
  if (!programs) throw new Error('PostgreSQL is not installed.');
  const bin = programs;
  const folder = openFolder();
  const { env, ...as } = inFolder(folder);
  const data = join(folder, 'data');
  await run('cp', ['-a', await newData(bin), data]);
  const port = await freePort();
  const url = `postgres://ferry@127.0.0.1:${port}/postgres`;
  let count = 0;

  const { sql, rest } = connections();

  /** A server of a data directory. */
  const serverOf = (directory: string, at: { port: number; url: string }): Pick<Postgres, 'start' | 'crash'> => {
    let server: ReturnType<typeof spawn> | undefined;
    return {
      async start(settings = []) {
        const options = [
          `port=${at.port}`,
          'listen_addresses=127.0.0.1',
          `unix_socket_directories=${folder}`,
          'shared_buffers=8MB',
          'max_wal_size=64MB',
          ...settings,
        ];
        server = spawn(join(bin, 'postgres'), ['-D', directory, ...options.flatMap((each) => ['-c', each])], {
          ...as,
          env,
          stdio: 'ignore',
        });
        // After a crash it recovers first, and writes all of its files through to the disk.
        for (const untilMs = Date.now() + 60_000; ; ) {
          try {
            await sql('select 1', at.url);
            return;
          } catch (error) {
            if (Date.now() > untilMs) throw error;
            await new Promise((resolve) => setTimeout(resolve, 25));
          }
        }
      },
      // An immediate shutdown: no checkpoint, and recovery at the next start.
      async crash() {
        const ending = server;
        server = undefined;
        if (!ending || ending.exitCode !== null) return;
        const ended = new Promise((resolve) => ending.once('exit', resolve));
        ending.kill('SIGQUIT');
        await ended;
      },
    };
  };

  const copies = new Set<() => Promise<void>>();
  const standby = async (): Promise<Standby> => {
    const directory = join(folder, `standby-${++count}`);
    const copying = ['-D', directory, '-d', url, '-R', '-c', 'fast', '--no-sync', '--no-manifest'];
    await run(join(bin, 'pg_basebackup'), copying, { ...as, env });
    const own = await freePort();
    const urlOf = (ofPrimary: string): string => ofPrimary.replace(`:${port}/`, `:${own}/`);
    const here = urlOf(url);
    const server = serverOf(directory, { port: own, url: here });
    const stop = async (): Promise<void> => {
      copies.delete(stop);
      await server.crash();
      rmSync(directory, { recursive: true, force: true });
    };
    copies.add(stop);
    await server.start();
    const isFollowing = async (): Promise<boolean> =>
      (await sql(`select count(*) from pg_stat_wal_receiver where status = 'streaming'`, here)) === '1';
    while (!(await isFollowing())) await new Promise((resolve) => setTimeout(resolve, 20));
    return {
      url: urlOf,
      async cutOff() {
        await sql(`alter system set primary_conninfo to ''`, here);
        await sql('select pg_reload_conf()', here);
        while (await isFollowing()) await new Promise((resolve) => setTimeout(resolve, 20));
      },
      promote: async () => void (await sql('select pg_promote()', here)),
      stop,
    };
  };

  const primary = serverOf(data, { port, url });
  await primary.start(settings);
  return {
    url,
    folder,
    sql: (text, at = url) => sql(text, at),
    rest,
    standby,
    ...primary,
    async database() {
      const name = `t${++count}`;
      await sql(`create database ${name}`, url);
      return url.replace(/postgres$/, name);
    },
    async dump(at) {
      return (await run(join(bin, 'pg_dump'), ['-d', at], { env, maxBuffer: 64 * 1024 * 1024 })).stdout;
    },
    async restore(dump, at) {
      const file = join(folder, `dump-${++count}.sql`);
      writeFileSync(file, dump);
      await run(join(bin, 'psql'), ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', at, '-f', file], { env });
    },
    async stop() {
      await rest();
      await Promise.all([...copies].map((end) => end()));
      await primary.crash();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
