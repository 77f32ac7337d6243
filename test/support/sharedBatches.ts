/** Batches in a real store, and the workers that carry them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, type Ended, ferry, type Surroundings, temporaryFolder } from './ferry.js';
import { type Postgres, usePostgres } from './postgres.js';
import { type TestSandbox, useSandbox } from './sandbox.js';
import { ndjson, type Written } from './transferBatches.js';

export type Shared = Awaited<ReturnType<typeof share>>;

/** Gives the file's tests a sandbox, and a server for stores where its programs are installed. */
export function useStore(): { sandbox: TestSandbox; postgres: Postgres } {
  return { sandbox: useSandbox().sandbox, postgres: usePostgres() };
}

/** Makes the state folder of a machine with the secret that all machines of a store share. */
export function withSecret(state: string): string {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(join(state, 'secret'), `${'5e'.repeat(32)}\n`, { mode: 0o600 });
  return state;
}

/** A machine in this process: its commands run there, on the store that is named. */
export type Machine = {
  home: string;
  (
    url: string | undefined,
    argv: string,
    env?: Record<string, string | undefined>,
    signal?: AbortSignal,
  ): Promise<Ended>;
};

export function machineAt(sandbox: TestSandbox): Machine {
  const home = temporaryFolder();
  withSecret(join(home, '.local', 'state', 'ferry'));
  const run = (url: string | undefined, argv: string, env = {}, signal?: AbortSignal) =>
    ferry([...argv.split(' '), '--json'], {
      env: { ...at(sandbox), FERRY_STORE: url, ...env },
      home,
      ...(signal ? { signal } : {}),
    });
  return Object.assign(run, { home });
}

/** A new store with its tables, by its URL. */
export async function newStore(postgres: Postgres, sandbox: TestSandbox): Promise<string> {
  const url = await postgres.database();
  const made = await machineAt(sandbox)(url, 'store init');
  if (made.code !== 0) throw new Error(made.stderr);
  return url;
}

/** A new store with its tables, and a user's own folder. */
export async function share(postgres: Postgres, sandbox: TestSandbox) {
  const url = await newStore(postgres, sandbox);
  const folder = temporaryFolder();
  const env = { ...at(sandbox), FERRY_STATE_DIR: join(folder, 'state'), FERRY_STORE: url };
  /** Runs a command here. */
  const run = (argv: readonly string[], more: Surroundings['env'] = {}, how: Omit<Surroundings, 'env'> = {}) =>
    ferry(argv, { ...how, env: { ...env, ...more } });
  withSecret(env.FERRY_STATE_DIR);
  let count = 0;
  return {
    ...{ url, env, folder, run },
    /** The folder of another machine, which has the same secret. */
    machine: () => ({ FERRY_STATE_DIR: withSecret(join(folder, `machine-${count++}`)) }),
    /** Writes a batch; returns its path. */
    file(lines: readonly Written[]) {
      const path = join(folder, `batch-${count++}.ndjson`);
      writeFileSync(path, ndjson(lines));
      return path;
    },
  };
}
