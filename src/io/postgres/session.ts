/**
 * One session with PostgreSQL, for the life of a process. What it holds (advisory locks) ends with it, and what it writes
 * is written by it alone: who has lost the session has lost both.
 *
 * With `FERRY_STORE` everything that two processes must agree on is here instead of in files: runs, nonces, counted
 * payments, rate limits. The ports are those of the files, and one contract holds both
 * (`test/io/postgres/contract.test.ts`). A commit that came with a warning or was not answered counts as none. Without
 * the setting nothing of this is loaded: `pg` is a file of its own in `dist`.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Client, type ClientConfig, types } from 'pg';
import { BaseError } from '../../core/base/Errors.js';
import { reasonOf } from '../files/fileError.js';

export type Row = Readonly<Record<string, unknown>>;

/** Sends a statement, and resolves to its rows, whose columns have the types of the tables. */
export type Query = <R extends Row = Row>(text: string, values?: readonly unknown[]) => Promise<R[]>;

export type Session = {
  /** The store's address without a password. */
  name: string;
  /** The process id of the server's end, by its own word in the handshake. */
  processId: number | undefined;
  query: Query;
  /**
   * Sends one statement that must be durable when this resolves.
   *
   * @throws store.uncertain if the server warned of its commit, or the connection ended before it answered
   */
  announce: Query;
  /** Runs statements in one transaction, to which nothing else of this process is added. @throws like `announce` */
  transaction<T>(act: (query: Query) => Promise<T>): Promise<T>;
  end(): Promise<void>;
};

const connectMs = 10_000;

/**
 * Whoever has waited for a lock sees what was written under it, whatever the database's default isolation. A dead process or
 * machine gives up what it holds: a process within a second, a machine within half a minute. One that waits for a chain is
 * idle and holds its locks: no idle timeout of the database or the role ends it.
 */
const settings = `select set_config('default_transaction_isolation', 'read committed', false),
  set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '25000', false),
  set_config('idle_in_transaction_session_timeout', '0', false),
  (select set_config('client_connection_check_interval', '500ms', false) || set_config('idle_session_timeout', '0', false)
    where current_setting('server_version_num')::int >= 140000)`;

// 64-bit numbers are digits here, as everywhere in a journal.
types.setTypeParser(types.builtins.INT8, String);

export type Address = { url: string; env: Readonly<Record<string, string | undefined>> };

/** Connects. @throws store.refused · store.unreachable */
export async function connect({ url, env }: Address): Promise<Session> {
  const { name, config } = read(url, env);
  const client = new Client(config);
  const failure: { error?: Error } = {};
  let warning: string | undefined;
  client.on('error', (error: Error) => {
    failure.error ??= error;
  });
  client.on('notice', (notice: Notice) => {
    if (isWarning(notice)) warning = notice.message ?? 'a warning without text';
  });
  try {
    await client.connect();
    await client.query(settings);
  } catch (error) {
    throw unreachableStore(name, error);
  }
  let last: Promise<unknown> = Promise.resolve();
  let isEnded = false;

  /** One after the other: a transaction is of one caller. An idle session keeps no process alive. */
  const alone = <T>(act: () => Promise<T>): Promise<T> => {
    const result = last.then(async () => {
      if (failure.error || isEnded) throw lostStoreError(name, failure.error);
      streamOf(client)?.ref?.();
      try {
        return await act();
      } finally {
        streamOf(client)?.unref?.();
      }
    });
    last = result.catch(() => {});
    return result;
  };
  const send: Query = async <R extends Row>(text: string, values: readonly unknown[] = []): Promise<R[]> => {
    try {
      return (await client.query<R & Row>(text, [...values])).rows;
    } catch (error) {
      throw failed(error);
    }
  };
  const failed = (error: unknown): unknown => {
    const { code } = error as { code?: unknown };
    // An answer of the server with a state: the statement had no effect, and the session stands.
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(57P|08)/.test(code))
      return unwritableStoreError(name, error);
    failure.error ??= error as Error;
    return lostStoreError(name, error);
  };
  const durable = async <T>(act: () => Promise<T>): Promise<T> => {
    warning = undefined;
    const result = await act();
    if (warning === undefined) return result;
    const said = warning;
    failure.error = new Error(said);
    await client.end().catch(() => {});
    throw uncertainCommit(name, said);
  };
  streamOf(client)?.unref?.();
  return {
    name,
    processId: (client as unknown as { processID?: number }).processID,
    query: (text, values) => alone(() => send(text, values)),
    announce: (text, values) => alone(() => durable(() => send(text, values))),
    transaction: (act) =>
      alone(() =>
        durable(async () => {
          await send('begin');
          try {
            const result = await act(send);
            await send('commit');
            return result;
          } catch (error) {
            if (!failure.error) await send('rollback').catch(() => {});
            throw error;
          }
        }),
      ),
    async end() {
      isEnded = true;
      await last;
      if (failure.error) return;
      // Nothing else may keep the process while the server answers, and its exit code is not set yet.
      streamOf(client)?.ref?.();
      await client.end().catch(() => {});
    },
  };
}

type Notice = { severity?: string | undefined; code?: string | undefined; message?: string | undefined };

/** By its code as well, since the server says the severity in its own language: a warning, or the operator intervenes. */
function isWarning({ severity, code = '' }: Notice): boolean {
  return severity === 'WARNING' || /^(01|57)/.test(code);
}

function streamOf(client: Client): { ref?(): void; unref?(): void } | undefined {
  return (client as unknown as { connection?: { stream?: { ref?(): void; unref?(): void } } }).connection?.stream;
}

/** @throws store.refused for an address that cannot be trusted */
function read(url: string, env: Address['env']): { name: string; config: ClientConfig } {
  let parsed: URL;
  let decoded: string[];
  try {
    parsed = new URL(url);
    const { hostname, pathname, username, password } = parsed;
    decoded = [hostname, pathname.slice(1), username, password].map(decodeURIComponent);
  } catch {
    throw refusedStoreError('the store', 'its URL is not one of PostgreSQL: postgres://user@host/database');
  }
  const { protocol, port, searchParams: options } = parsed;
  const [hostname = '', database = '', user, password] = decoded;
  const host = options.get('host') ?? hostname;
  const name = `postgres://${host.startsWith('/') ? 'localhost' : host}${port ? `:${port}` : ''}/${database}`;
  if (!/^postgres(ql)?:$/.test(protocol) || !host || !database)
    throw refusedStoreError(name, 'its URL is not one of PostgreSQL: postgres://user@host/database');
  const mode = options.get('sslmode');
  const isNear = host.startsWith('/') || isLoopback(host);
  if (!isNear && mode !== null && mode !== 'verify-full')
    throw refusedStoreError(name, `sslmode=${mode} would take any server for it; only verify-full goes over a network`);
  const root = options.get('sslrootcert');
  const isPlain = isNear && (mode === null || mode === 'disable');
  return {
    name,
    config: {
      host,
      port: port ? Number(port) : Number(env.PGPORT ?? 5432),
      database,
      user: user || env.PGUSER || env.USER || 'ferry',
      // Undefined has pg look into the password file.
      password: password || env.PGPASSWORD,
      ssl: isPlain ? false : { rejectUnauthorized: true, ...(root === null ? {} : { ca: certificateIn(root, name) }) },
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'ferry',
    },
  };
}

/** @throws store.refused if it cannot be read: without it, no server could be told from another */
function certificateIn(path: string, store: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw refusedStoreError(store, `sslrootcert cannot be read, ${reasonOf(error as NodeJS.ErrnoException)}`);
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
}

function unreachableStore(store: string, cause: unknown): BaseError {
  const reason = messageOf(cause);
  return new BaseError('store.unreachable', `The store ${store} cannot be reached. Nothing was signed.`, {
    facts: [['reason', reason]],
    hint: /password/.test(reason)
      ? 'Set the password of its user in PGPASSWORD or ~/.pgpass, or correct the user in FERRY_STORE.'
      : 'ferry signs nothing that it cannot write down. Start the database, or correct FERRY_STORE.',
    cause,
  });
}

function lostStoreError(store: string, cause: unknown): BaseError {
  return new BaseError('store.lost', `The session with the store ${store} has ended.`, {
    facts: [['reason', messageOf(cause)]],
    hint: 'Nothing more is signed. What was signed is in the store, or was never sent. Whoever resumes the run sends the same bytes.',
    funds: 'unknown',
    cause,
  });
}

/** The server has refused a statement, which had no effect: its disk is full, or the role may not do that. */
function unwritableStoreError(store: string, cause: unknown): BaseError {
  return new BaseError('store.unwritable', `The store ${store} has refused a statement.`, {
    facts: [['reason', messageOf(cause)]],
    hint: 'What it was to keep is not written, and what that announces not sent. Mend it, then run the same command again.',
    next: 'ferry store check',
    cause,
  });
}

function uncertainCommit(store: string, warning: string): BaseError {
  return new BaseError(
    'store.uncertain',
    `The store ${store} does not vouch for what it was given to keep. Nothing was sent.`,
    {
      facts: [['warning', warning]],
      hint: 'Its standby may not have it. When that is mended, resume the run: what the store has is what counts.',
      funds: 'unknown',
    },
  );
}

export function refusedStoreError(store: string, why: string): BaseError {
  return new BaseError('store.refused', `The store ${store} cannot be trusted with payments: ${why}.`, {
    hint: 'See what is wrong, and the manual’s page about many machines.',
    next: 'ferry store check',
  });
}

function messageOf(error: unknown): string {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  return [code, message].filter((each) => typeof each === 'string' && each !== '').join(': ') || 'it was closed';
}
