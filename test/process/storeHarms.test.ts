/**
 * What a store suffers in the middle of a payment: it crashes, its disk is full, or it gives the session up and the machine
 * that goes on has another clock. In every cell there is one payment, one run that ended, and no lock that is left.
 *
 * The suite runs a sample. All of it: STORE=all npx vitest run --config test/vitest.config.ts test/process/storeHarms.test.ts
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mayMount, type Postgres, programs, startPostgres } from '../support/postgres.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { dropHold, type Kind, kinds, type Machines, machinesOf } from '../support/storeCells.js';

const all = process.env.STORE === 'all';
const hasDisk = mayMount();
if (programs && !hasDisk) process.stderr.write('skipped: a full disk of a store: no file system can be mounted here\n');

const hourMs = 3_600_000;

describe.skipIf(!programs)('in the middle of a payment', () => {
  let sandbox: TestSandbox;
  let postgres: Postgres;
  let machines: Machines;
  let url = '';
  let cells = 0;
  beforeAll(async () => {
    [sandbox, postgres] = await Promise.all([startSandbox(), startPostgres(hasDisk ? { diskMb: 400 } : {})]);
    url = await postgres.database();
    machines = machinesOf({ sandbox, postgres, url });
    await machines.run('store init');
  }, 60_000);
  afterAll(async () => {
    process.stderr.write(
      `harms of the store: ${cells} cells, one payment in each${all ? '' : ' (a sample; STORE=all)'}\n`,
    );
    machines.remove();
    await Promise.all([sandbox.stop(), postgres.stop()]);
  });

  const giveUp = (at: string): Promise<string> =>
    postgres.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query not like 'do $$%'`,
      at,
    );

  type Harm = { name: string; strike(at: string): Promise<unknown>; end?(): unknown; from?: number; to?: number };
  const harms: Harm[] = [
    {
      name: 'the store crashes',
      async strike() {
        await postgres.crash();
        await postgres.start();
      },
    },
    { name: 'its disk is full', strike: async () => postgres.fillDisk(), end: () => postgres.freeDisk() },
    { name: 'it gives up on a clock an hour ahead', strike: giveUp, from: hourMs },
    { name: 'it gives up, and the next clock is an hour ahead', strike: giveUp, to: hourMs },
  ];

  /** What is wrong with a cell; undefined if the run has no such entry. */
  const cell = async (kind: Kind, n: number, { strike, end }: Harm) => {
    const before = await kind.held(sandbox);
    const begun = await machines.begin(kind, n, () => strike(url));
    await begun.open();
    const ended = await begun.ended;
    await end?.();
    await postgres.sql(dropHold, url);
    if (!begun.gotThere) {
      expect(ended.code, ended.stdout).toBe(0);
      return undefined;
    }
    cells += 1;
    return { wrong: await machines.goOn(kind, before) };
  };

  /** The same with clocks that are wrong, in a store of its own. */
  const skewed = async (kind: Kind, n: number, { strike, from = 0, to = 0 }: Harm) => {
    const at = await postgres.database();
    onTestFinished(
      async () => void (await postgres.sql(`drop database ${new URL(at).pathname.slice(1)} with (force)`)),
    );
    await machines.run('store init', { at });
    const before = await kind.held(sandbox);
    const begun = await machines.begin(kind, n, () => strike(at), { at, clockMs: from });
    await begun.open();
    await begun.ended;
    await postgres.sql(dropHold, at);
    if (!begun.gotThere) return undefined;
    cells += 1;
    let wrong = await machines.goOn(kind, before, { at, clockMs: to });
    // What a wrong clock dates may be refused, by ferry or the service. A machine with a right one then settles it.
    for (let turn = 0; wrong && turn < 2; turn++) wrong = await machines.goOn(kind, before, { at });
    const moved = before - (await kind.held(sandbox));
    // Unless what was signed can still be used: then it is not repeated, and nobody says that it was not paid.
    const isOpen = wrong !== undefined && /"code":"(submit\.unknown|run\.unfinished)"/.test(wrong) && moved === 0n;
    return { wrong: isOpen ? undefined : wrong };
  };

  const matrix = harms
    .filter(({ end }) => hasDisk || !end)
    .flatMap((harm) => kinds.map((kind) => ({ harm, kind, what: `${harm.name}: ${kind.name}` })));

  test.each(matrix.filter((_, index) => all || index % (kinds.length + 1) === 1))(
    'behavior: $what',
    async ({ harm, kind }) => {
      const wrong: string[] = [];
      const before = cells;
      for (let n = 0; n < 40; n++) {
        if (!all && n !== 2 + (kinds.indexOf(kind) % 3)) continue;
        const found = await (harm.strike === giveUp ? skewed : cell)(kind, n, harm);
        if (!found) break;
        if (found.wrong) wrong.push(`entry ${n}: ${found.wrong}`);
      }
      expect(wrong).toEqual([]);
      expect(cells).toBeGreaterThan(before);
    },
    600_000,
  );
});
