/** Batches in a real store, and the workers that carry them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { at, ferry, type Surroundings, temporaryFolder } from './ferry.js';
import { type Postgres, programs, startPostgres } from './postgres.js';
import { type TestSandbox, useSandbox } from './sandbox.js';
import { ndjson, type Written } from './transferBatches.js';

export type Shared = Awaited<ReturnType<typeof share>>;

/** Gives the file's tests a sandbox, and a server for stores where its programs are installed. */
export function useStore(): { sandbox: TestSandbox; postgres: Postgres } {
  const { sandbox } = useSandbox();
  const postgres = {} as Postgres;
  beforeAll(async () => {
    if (programs) Object.assign(postgres, await startPostgres());
  });
  afterAll(() => programs && postgres.stop());
  return { sandbox, postgres };
}

/** A new store with its tables, and a user's own folder. */
export async function share(postgres: Postgres, sandbox: TestSandbox) {
  const url = await postgres.database();
  const folder = temporaryFolder();
  const env = { ...at(sandbox), FERRY_STATE_DIR: join(folder, 'state'), FERRY_STORE: url };
  /** Runs a command here. */
  const run = (argv: readonly string[], more: Surroundings['env'] = {}, how: Omit<Surroundings, 'env'> = {}) =>
    ferry(argv, { ...how, env: { ...env, ...more } });
  const withSecret = (state: string): string => {
    mkdirSync(state, { mode: 0o700 });
    writeFileSync(join(state, 'secret'), `${'5e'.repeat(32)}\n`, { mode: 0o600 });
    return state;
  };
  withSecret(env.FERRY_STATE_DIR);
  const made = await run(['store', 'init']);
  if (made.code !== 0) throw new Error(made.stderr);
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
