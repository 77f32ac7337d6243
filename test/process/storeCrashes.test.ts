/**
 * The kill matrix of a store: a machine's process is killed with SIGKILL while the database has not yet committed an entry
 * of its journal, at each entry of each kind of run; another machine goes on. In every cell there is one payment, one run
 * that ended, and no lock that is left.
 *
 * The suite runs a sample. All of it: STORE=all npx vitest run --config test/vitest.config.ts test/process/storeCrashes.test.ts
 */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltFerry, buildFerry } from '../support/builtFerry.js';
import { at } from '../support/ferry.js';
import { type Postgres, programs, startPostgres } from '../support/postgres.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { type Kind, kinds, type Machines, machinesOf } from '../support/storeCells.js';

const all = process.env.STORE === 'all';

describe.skipIf(!programs)('a machine killed before its entry is committed', () => {
  let built: BuiltFerry;
  let sandbox: TestSandbox;
  let postgres: Postgres;
  let machines: Machines;
  let url = '';
  let cells = 0;
  beforeAll(async () => {
    [built, sandbox, postgres] = await Promise.all([buildFerry(), startSandbox(), startPostgres()]);
    url = await postgres.database();
    machines = machinesOf({ sandbox, postgres, url });
    await machines.run('store init');
  }, 60_000);
  afterAll(async () => {
    process.stderr.write(
      `kill matrix of the store: ${cells} cells, one payment in each${all ? '' : ' (a sample; STORE=all)'}\n`,
    );
    built.remove();
    machines.remove();
    await Promise.all([sandbox.stop(), postgres.stop()]);
  });

  /** Kills a process that runs the command while it waits for its entry of that number; whether it got that far. */
  const killed = async (args: string, n: number): Promise<boolean> => {
    await postgres.sql(
      `create or replace function hold() returns trigger language plpgsql as $$
        begin if new.n = ${n} then perform pg_sleep(60); end if; return new; end $$;
      create trigger hold before insert on ferry.entry for each row execute function hold()`,
      url,
    );
    const env = { ...built.env, ...at(sandbox), FERRY_STORE: url, FERRY_STATE_DIR: machines.stateDir() };
    const argv = [built.path, ...args.split(' '), '--yes', '--json'];
    const child = spawn(process.execPath, argv, { env: env as NodeJS.ProcessEnv, stdio: 'ignore' });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const isHeld = `select count(*) from pg_stat_activity where wait_event = 'PgSleep'`;
    while (child.exitCode === null && (await postgres.sql(isHeld, url)) === '0')
      await new Promise((resolve) => setTimeout(resolve, 10));
    const isAlive = child.exitCode === null;
    child.kill('SIGKILL');
    await exited;
    await postgres.sql(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`, url);
    // It gives up what the machine held once its session has ended.
    const left = `select count(*) from pg_stat_activity where application_name = 'ferry'`;
    await expect.poll(() => postgres.sql(left, url)).toBe('0');
    await postgres.sql('drop trigger hold on ferry.entry', url);
    return isAlive;
  };

  /** What is wrong with a cell; undefined if the run has no such entry. */
  const cell = async (kind: Kind, n: number): Promise<{ wrong: string | undefined } | undefined> => {
    const before = await kind.held(sandbox);
    if (!(await killed(kind.args, n))) return undefined;
    cells += 1;
    return { wrong: await machines.goOn(kind, before) };
  };

  test.each(kinds.filter((_, index) => all || index === 3))(
    'behavior: $name',
    async (kind) => {
      const wrong: string[] = [];
      for (let n = 0; n < 40; n++) {
        if (!all && n % 7 !== (2 * kinds.indexOf(kind)) % 7) continue;
        const found = await cell(kind, n);
        if (!found) break;
        if (found.wrong) wrong.push(`entry ${n}: ${found.wrong}`);
      }
      expect(wrong).toEqual([]);
    },
    600_000,
  );
});
