/**
 * Fail-over to a real standby. One that is behind lacks the end of a payment's journal, from each entry on: whoever goes on
 * with it must not pay again. One that is synchronous lacks nothing: whoever goes on finishes the payment.
 *
 * The suite runs a sample. All of it: STORE=all npx vitest run --config test/vitest.config.ts test/process/storeFailover.test.ts
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { barriersOf } from '../support/barrier.js';
import { type Postgres, programs, startPostgres } from '../support/postgres.js';
import { startSandbox, type TestSandbox } from '../support/sandbox.js';
import { dropHold, type Kind, kinds, type Machines, machinesOf } from '../support/storeCells.js';

const all = process.env.STORE === 'all';

describe.skipIf(!programs)('fail-over', () => {
  let sandbox: TestSandbox;
  let postgres: Postgres;
  let machines: Machines;
  let url = '';
  let cells = 0;
  beforeAll(async () => {
    [sandbox, postgres] = await Promise.all([startSandbox(), startPostgres()]);
    url = await postgres.database();
    machines = machinesOf({ sandbox, postgres, url, env: { FERRY_STORE_ASYNC: 'true' } });
    await machines.run('store init');
    // A store that never knew an account adopts its nonces on a network without real money.
    for (const { args } of all ? kinds : kinds.slice(0, 3)) expect((await machines.run(args)).code).toBe(0);
  }, 60_000);
  afterAll(async () => {
    process.stderr.write(
      `fail-over matrix: ${cells} cells, one payment in each${all ? '' : ' (a sample; STORE=all)'}\n`,
    );
    machines.remove();
    await Promise.all([sandbox.stop(), postgres.stop()]);
  });

  /** What is wrong with a cell; undefined if the run has no such entry. */
  const behind = async (kind: Kind, n: number): Promise<{ wrong: string | undefined } | undefined> => {
    const standby = await postgres.standby();
    try {
      const before = await kind.held(sandbox);
      const begun = await machines.begin(kind, n, standby.cutOff, { at: url });
      await begun.open();
      const { code, stdout } = await begun.ended;
      expect(code, stdout).toBe(0);
      await postgres.sql(dropHold, url);
      if (!begun.gotThere) return undefined;
      cells += 1;
      await standby.promote();
      const at = standby.url(url);
      await postgres.sql(dropHold, at);
      return { wrong: await machines.goOnBehind(kind, before, at) };
    } finally {
      await standby.stop();
    }
  };

  /** The same with one that has all that was committed, and a primary that dies there. */
  const synchronous = async (kind: Kind, n: number): Promise<{ wrong: string | undefined } | undefined> => {
    const standby = await postgres.standby();
    let isDown = false;
    const before = await kind.held(sandbox);
    const begin = async (): Promise<boolean> => {
      await postgres.sql(`alter system set synchronous_standby_names to '*'`);
      await postgres.sql('select pg_reload_conf()');
      while ((await postgres.sql('select sync_state from pg_stat_replication')) !== 'sync')
        await new Promise((resolve) => setTimeout(resolve, 10));
      const crash = async (): Promise<void> => {
        isDown = true;
        await postgres.crash();
      };
      const { gotThere, ended, open } = await machines.begin(kind, n, crash, { at: url });
      if (!gotThere) await open();
      const { code, stdout, json } = await ended;
      // What only notes how it goes is no reason to stop.
      if (gotThere && code !== 0) expect(json().error.code).toMatch(/^store\.|^submit\.|^track\./);
      if (!gotThere) expect(code, stdout).toBe(0);
      return gotThere;
    };
    const mend = async (): Promise<void> => {
      if (isDown) await postgres.start();
      await postgres.sql('alter system reset synchronous_standby_names');
      await postgres.sql('select pg_reload_conf()');
      await postgres.sql(dropHold, url);
    };
    try {
      let gotThere = false;
      try {
        gotThere = await begin();
      } finally {
        await mend();
      }
      if (!gotThere) return undefined;
      cells += 1;
      await standby.promote();
      const at = standby.url(url);
      await postgres.sql(dropHold, at);
      // It waited for each commit, so nothing is lost: only an operator knows.
      expect((await machines.run('store check --trust', { at })).json().data).toMatchObject({ ok: true });
      const wrong = await machines.goOn(kind, before, { at });
      // The old primary knows less than the chain from here on.
      const old = new URL(url).pathname.slice(1);
      url = await postgres.database();
      await postgres.restore(await postgres.dump(at), url);
      await postgres.sql(`drop database ${old} with (force)`);
      expect((await machines.run('store check --trust', { at: url })).code).toBe(0);
      return { wrong };
    } finally {
      await standby.stop();
    }
  };

  /**
   * A sender that has committed its signature to the primary, and is frozen before it leaves. A rival goes on with a standby
   * that lacks it; then the sender wakes.
   */
  const frozen = async (kind: Kind): Promise<{ paid: bigint; rival: string | undefined }> => {
    const at = await postgres.database();
    const gate = await barriersOf(sandbox);
    const env = { FERRY_STORE_ASYNC: 'true' };
    const all = machinesOf({ sandbox, postgres, url: at, env });
    const one = machinesOf({ sandbox, postgres, url: at, env: { ...env, ...gate.env } });
    onTestFinished(() => {
      all.remove();
      one.remove();
    });
    await all.run('store init');
    expect((await all.run(kind.args)).code).toBe(0);
    const standby = await postgres.standby();
    try {
      await standby.cutOff();
      const before = await kind.held(sandbox);
      const sender = one.run(kind.args);
      await gate.reached;
      await standby.promote();
      const there = standby.url(at);
      const first = await all.run(kind.args, { at: there });
      gate.open();
      await sender;
      await all.settle(there);
      // What the rival was refused, it is refused for good: it was paid.
      const rival = first.code === 0 ? first : await all.run(kind.args, { at: there });
      return { paid: before - (await kind.held(sandbox)), rival: rival.json().error?.code };
    } finally {
      gate.open();
      await standby.stop();
    }
  };

  const assertAll = async (kind: Kind, first: number, cell: typeof behind): Promise<void> => {
    const wrong: string[] = [];
    const before = cells;
    for (let n = 0; n < 40; n++) {
      if (!all && n !== first) continue;
      const found = await cell(kind, n);
      if (!found) break;
      if (found.wrong) wrong.push(`entry ${n}: ${found.wrong}`);
    }
    expect(wrong).toEqual([]);
    expect(cells).toBeGreaterThan(before);
  };

  test.each(kinds.filter((_, index) => all || index === 1))(
    'behavior: $name, with a standby that is behind: it is not paid again',
    (kind) => assertAll(kind, (kinds.indexOf(kind) + 3) % 5, behind),
    600_000,
  );

  test.each(kinds.filter((_, index) => all || index === 2))(
    'behavior: $name, with a synchronous standby: it is finished there',
    (kind) => assertAll(kind, 4 - kinds.indexOf(kind) / 2, synchronous),
    600_000,
  );

  // Last: these pay with the same accounts from stores of their own.
  test.each(kinds.filter((_, index) => all || index === 0))(
    'behavior: $name, with a sender that is frozen and a standby that is behind: it is paid once',
    async (kind) => {
      const { paid, rival } = await frozen(kind);
      expect({ paid, rival }).toEqual({
        paid: kind.paid,
        // Its own transactions and those of the venue share a nonce, which only one of them gets.
        rival: /batch|permit/.test(kind.name) ? 'run.foreign-nonce' : undefined,
      });
      cells += 1;
    },
    120_000,
  );
});
