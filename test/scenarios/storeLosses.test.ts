/**
 * A store that has lost its tail: yesterday's dump is put back while machines still have what they paid since. Whoever goes
 * on with it must not pay again, and what a machine has kept comes back byte for byte.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { temporaryFolder } from '../support/ferry.js';
import { forward, json, loopback } from '../support/loopback.js';
import { ask, balanceAt } from '../support/node.js';
import { programs, usePostgres } from '../support/postgres.js';
import { usdc, useSandbox } from '../support/sandbox.js';
import { type Machine, machineAt, newStore } from '../support/sharedBatches.js';
import { ndjson, transfer } from '../support/transferBatches.js';
import { until } from '../support/until.js';

describe.skipIf(!programs)('a store that has lost its tail', () => {
  const { sandbox } = useSandbox();
  const postgres = usePostgres();

  const machine = (): Machine => machineAt(sandbox);
  const made = (): Promise<string> => newStore(postgres, sandbox);
  /** The store as it was at the dump, in a database of its own. */
  const restored = async (dump: string): Promise<string> => {
    const url = await postgres.database();
    await postgres.restore(dump, url);
    return url;
  };
  type Name = keyof typeof accounts;
  const held = (name: Name): Promise<bigint> => balanceAt(sandbox.rpcUrls.alpha ?? '', usdc, accounts[name].address);
  /** Lets the time pass in which something could be used that the store has forgotten. */
  const wait = async (url: string): Promise<void> => {
    await postgres.sql(`update ferry.mark set lost_at = lost_at - interval '1 hour'`, url);
    await ask(sandbox.rpcUrls.alpha ?? '', 'evm_mine');
  };
  /** A transaction that another program sends for the account. */
  const sent = async (url: string, name: Name): Promise<void> => {
    const from = accounts[name].address;
    await ask(url, 'anvil_impersonateAccount', from);
    await ask(url, 'eth_sendTransaction', { from, to: from, value: '0x0' });
    await ask(url, 'anvil_stopImpersonatingAccount', from);
    await ask(url, 'evm_mine');
  };
  const line = (name: Name) => (id: string) => transfer(id, { account: name, recipient: accounts.dev9.address });
  const batch = async (url: string, name: Name, ids: readonly string[]): Promise<void> => {
    const file = join(temporaryFolder(), 'batch.ndjson');
    writeFileSync(file, ndjson(ids.map(line(name))));
    const { code, stdout } = await machine()(url, `batch submit ${file} --name pay --yes`);
    expect(code, stdout).toBe(0);
  };
  const work = (name: Name) => `worker --once --accounts ${name} --submitters ${accounts.dev0.address}`;

  test('error: lines whose runs are lost are not paid again after the nonces are adopted', async () => {
    const url = await made();
    await batch(url, 'dev1', ['a', 'b', 'c']);
    const first = machine();
    // The store has known the account before the dump.
    expect((await first(url, 'execute 1 alpha/usdc beta/usdc --account dev1 --yes')).code).toBe(0);
    const dump = await postgres.dump(url);
    const before = await held('dev1');
    expect((await first(url, work('dev1'))).json().data).toMatchObject({ done: 3 });
    expect(before - (await held('dev1'))).toBe(3_000_000n);
    const again = await restored(dump);
    const other = machine();
    await wait(again);
    expect((await other(again, work('dev1'))).json().data).toMatchObject({ done: 0 });
    const adopted = await other(again, 'runs reconcile alpha --account dev1 --yes');
    expect(adopted.json().data).toMatchObject({ adopted: true, held: ['pay/a', 'pay/b', 'pay/c'] });
    await postgres.sql('update ferry.line set not_before = null', again);
    expect((await other(again, work('dev1'))).json().data).toMatchObject({ done: 0, failed: 0 });
    const status = (await other(again, 'batch status pay')).json().data;
    expect(status.states).toMatchObject({ refused: 3, waiting: 0 });
    expect(status.stuck[0]).toMatchObject({ code: 'batch.unmatched' });
    // What may be paid is not among what has failed.
    expect((await other(again, 'batch retry pay --failed')).json().data).toMatchObject({
      lines: 0,
      refused: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    });
    expect(before - (await held('dev1'))).toBe(3_000_000n);
    // The machine that has paid them knows.
    expect((await first(again, work('dev1'))).json().data).toMatchObject({ done: 3 });
    expect(before - (await held('dev1'))).toBe(3_000_000n);
    expect((await other(again, 'batch status pay')).json().data.states).toMatchObject({ done: 3 });
  }, 60_000);

  test('behavior: a run that is put back takes the place of one that another machine has begun and not signed', async () => {
    const url = await made();
    const file = join(temporaryFolder(), 'batch.ndjson');
    writeFileSync(file, ndjson([transfer('a', { account: 'dev0', recipient: accounts.dev9.address, permit: true })]));
    expect((await machine()(url, `batch submit ${file} --name one --yes`)).code).toBe(0);
    const dump = await postgres.dump(url);
    const before = await held('dev0');
    const first = machine();
    expect((await first(url, work('dev0'))).json().data).toMatchObject({ done: 1 });
    const again = await restored(dump);
    // It is behind, and begins the line all the same. As if it were killed before it learned of it:
    expect((await machine()(again, work('dev0'))).json().data).toMatchObject({ done: 0 });
    expect(await postgres.sql('update ferry.run set is_over = false', again)).toBe('UPDATE 1');
    expect((await first(again, work('dev0'))).json().data).toMatchObject({ done: 1 });
    expect(before - (await held('dev0'))).toBe(1_000_000n);
    expect(await postgres.sql('select count(*) filter (where not is_over), count(*) from ferry.run', again)).toBe(
      '0|2',
    );
  }, 60_000);

  test('option: a line that was not paid is accepted by its name', async () => {
    const url = await made();
    await batch(url, 'dev2', ['a', 'b']);
    const dump = await postgres.dump(url);
    const before = await held('dev2');
    expect((await machine()(url, 'execute 5 alpha/usdc beta/usdc --account dev2 --yes')).code).toBe(0);
    const again = await restored(dump);
    const other = machine();
    // The dump is older than the first use of the account.
    await other(again, work('dev2'));
    expect(before - (await held('dev2'))).toBe(5_000_000n);
    await wait(again);
    expect((await other(again, 'runs reconcile alpha --account dev2 --yes')).json().data.held).toHaveLength(2);
    expect((await other(again, 'batch retry pay --line b')).json().error.code).toBe('usage.confirmation');
    const decided = 'batch retry pay --line b --account dev0 --yes';
    expect((await other(again, decided.replace('dev0', 'dev1'))).json().error.code).toBe('batch.untrusted');
    expect((await other(again, decided)).json().data).toMatchObject({ lines: 1 });
    expect((await other(again, decided)).json().error.code).toBe('batch.unknown');
    expect((await other(again, work('dev2'))).json().data).toMatchObject({ done: 1 });
    expect(before - (await held('dev2'))).toBe(6_000_000n);
  }, 60_000);

  test('behavior: a store that is new to an account holds nothing of it, and what is held is released at once', async () => {
    const url = await made();
    await batch(url, 'dev2', ['a', 'b']);
    const one = machine();
    // The account has paid before there was a store.
    expect((await one(url, 'runs reconcile alpha --account dev2 --yes')).json().data).toMatchObject({
      adopted: true,
      held: [],
    });
    const before = await held('dev2');
    await sent(sandbox.rpcUrls.alpha ?? '', 'dev2');
    expect((await one(url, 'runs reconcile alpha --account dev2 --yes')).json().data.held).toHaveLength(2);
    expect((await one(url, 'batch retry pay --held')).json().error.code).toBe('usage.confirmation');
    expect((await one(url, 'batch retry pay --held --yes')).json().data).toMatchObject({ lines: 2 });
    expect((await one(url, work('dev2'))).json().data).toMatchObject({ done: 2 });
    expect(before - (await held('dev2'))).toBe(2_000_000n);
  }, 60_000);

  test('error: a held line is not canceled with its batch, and ends alone as one that may be paid', async () => {
    const url = await made();
    await batch(url, 'dev2', ['a', 'b']);
    const place = `{"code":"batch.unmatched","message":"held","next":null}`;
    await postgres.sql(`update ferry.line set state = 'refused', reason = '${place}' where id = 'a'`, url);
    const one = machine();
    expect((await one(url, 'batch cancel pay --yes')).json().data).toMatchObject({
      cancelled: 1,
      refused: [{ id: 'a' }],
    });
    expect((await one(url, 'batch cancel pay --line a --yes')).json().data).toMatchObject({ cancelled: 1 });
    expect(await postgres.sql('select id, funds, code from ferry.result order by n', url)).toBe(
      'a|unknown|batch.begun\nb|untouched|batch.cancelled',
    );
  }, 60_000);

  test('behavior: a line that was paid, and canceled where that was lost, ends as paid', async () => {
    const url = await made();
    await batch(url, 'dev4', ['a', 'b']);
    await postgres.sql(`update ferry.line set not_before = clock_timestamp() + interval '1 day' where id = 'b'`, url);
    const dump = await postgres.dump(url);
    const first = machine();
    expect((await first(url, work('dev4'))).json().data).toMatchObject({ done: 1 });
    const again = await restored(dump);
    const canceled = (await machine()(again, 'batch cancel pay --yes')).json();
    expect(canceled).toMatchObject({
      data: { cancelled: 2 },
      warnings: [expect.stringContaining('look at the chain')],
    });
    const results = (): Promise<string> => postgres.sql('select id, funds, code from ferry.result order by id', again);
    expect(await results()).toBe('a|unknown|batch.cancelled\nb|unknown|batch.cancelled');
    expect((await first(again, work('dev4'))).json().data).toMatchObject({ done: 1 });
    expect(await results()).toBe('a|delivered|\nb|unknown|batch.cancelled');
    expect((await first(again, 'batch status pay')).json().data.states).toMatchObject({ done: 1, cancelled: 1 });
  }, 60_000);

  test('behavior: a machine puts back what it has signed, byte for byte, before it signs again', async () => {
    const url = await made();
    const one = machine();
    const command = 'execute 2 alpha/usdc beta/usdc --account dev3 --yes';
    const dump = await postgres.dump(url);
    const begun = await one(url, `${command} --no-wait`);
    const { run } = begun.json().data;
    const journal = (await one(url, `store export ${run}`)).json().data.text as string;
    const before = await held('dev3');
    const again = await restored(dump);
    const typed = await one(again, command);
    expect(typed.json().error).toMatchObject({ code: 'run.unfinished', run });
    expect((await machine()(again, `store export ${run}`)).json().data.text).toBe(journal);
    const nonces = 'select counter, sequence, nonce, run, tx_hash from ferry.nonce order by 1, 2, 3';
    expect(await postgres.sql(nonces, again)).toBe(await postgres.sql(nonces, url));
    // Any machine goes on with it.
    expect((await machine()(again, `resume ${run} --yes`)).json()).toMatchObject({ ok: true });
    expect(await held('dev3')).toBe(before);
    expect((await one(again, command)).code).toBe(0);
  }, 60_000);

  test('error: a run that somebody has cut off or deleted is not untouched where it was signed', async () => {
    const url = await made();
    const one = machine();
    const before = await held('dev6');
    const begun = await one(url, 'execute 2 alpha/usdc beta/usdc --account dev6 --yes --no-wait');
    const { run } = begun.json().data;
    const journal = (await one(url, `store export ${run}`)).json().data.text as string;
    const signed = `(select min(n) from ferry.entry where text like '%"type":"signed"%')`;
    const paid = { run, state: 'unfinished', funds: 'in-flight' };
    await postgres.sql(`delete from ferry.entry where n >= ${signed}; update ferry.run set is_over = true`, url);
    expect((await one(url, 'runs list')).json().data.runs).toMatchObject([paid]);
    await postgres.sql(`delete from ferry.entry where n >= ${signed}; update ferry.run set is_over = true`, url);
    expect((await one(url, `runs show ${run.slice(-6)}`)).json().data).toMatchObject(paid);
    await postgres.sql('delete from ferry.run', url);
    expect((await one(url, `resume ${run} --yes`)).json()).toMatchObject({ data: { run, funds: 'delivered' } });
    expect((await one(url, `store export ${run}`)).json().data.text).toContain(journal);
    expect(before - (await held('dev6'))).toBe(2_000_000n);
  }, 60_000);

  test.each([
    ['', ''],
    [
      ', with the clock of the copy',
      `create schema past; create function past.clock_timestamp() returns timestamptz language sql
        as $$ select pg_catalog.clock_timestamp() - interval '1 day' $$`,
    ],
  ])(
    'error: a copy that is put back in its own place%s is noticed by who remembers more',
    async (_, clock) => {
      const url = await made();
      const one = machine();
      const command = 'execute 2 alpha/usdc beta/usdc --account dev4 --yes';
      const copied = ['machine', 'run', 'entry', 'turn', 'nonce', 'counted'];
      for (const name of copied)
        await postgres.sql(`create table if not exists copy_${name} as table ferry.${name}`, url);
      const begun = await one(url, `${command} --no-wait`);
      expect(begun.code).toBe(0);
      // As a snapshot of the disk would: nothing of the database says that it is older.
      for (const name of [...copied].reverse()) await postgres.sql(`delete from ferry.${name}`, url);
      for (const name of copied) await postgres.sql(`insert into ferry.${name} select * from copy_${name}`, url);
      await postgres.sql(
        `${clock}; alter database ${new URL(url).pathname.slice(1)} set search_path = past, pg_catalog, public`,
        url,
      );
      expect((await one(url, command)).json().error).toMatchObject({
        code: 'run.unfinished',
        run: begun.json().data.run,
      });
      const other = 'execute 3 alpha/usdc beta/usdc --account dev4 --permit --yes';
      expect((await machine()(url, other)).json().error).toMatchObject({ code: 'store.behind' });
    },
    60_000,
  );

  test('error: with a store, nothing is signed that outlives the wait for one that was restored', async () => {
    const url = await made();
    const one = machine();
    const command = 'execute 1 alpha/usdc beta/usdc --gasless --account dev9 --yes --valid-for';
    expect((await one(url, `${command} 11m`)).json().error).toMatchObject({
      code: 'usage.invalid',
      funds: 'untouched',
    });
    expect((await one(url, `${command} 10m`)).code).toBe(0);
  }, 60_000);

  test('option: the operator says that nothing is lost', async () => {
    const url = await made();
    const again = await restored(await postgres.dump(url));
    const one = machine();
    const command = 'execute 1 alpha/usdc beta/usdc --permit --account dev8 --yes';
    expect((await one(again, command)).json().error.code).toBe('store.behind');
    const check = await one(again, 'store check');
    expect(check.code).toBe(2);
    expect(check.json().data.checks).toContainEqual(
      expect.objectContaining({ name: 'tail', problem: expect.stringContaining('until') }),
    );
    expect((await one(again, 'store check --trust')).json().error.code).toBe('usage.confirmation');
    expect((await one(again, 'store check --trust --yes')).json().data).toMatchObject({ ok: true });
    expect((await one(again, command)).code).toBe(0);
  }, 60_000);

  test('error: a setting that loses commits is noticed before the next signature of the same session', async () => {
    const url = await made();
    await batch(url, 'dev8', ['a']);
    const node = await loopback((response, request) => {
      void (async () => {
        await postgres.sql('alter system set synchronous_commit = off');
        await postgres.sql('select pg_reload_conf()');
        await until(async () => (await postgres.sql('show synchronous_commit')) === 'off', 'the setting');
        const { status, text } = await forward(sandbox.rpcUrls.alpha ?? '', request);
        json(JSON.parse(text), status)(response, request);
      })();
    });
    const before = await held('dev8');
    const ended = await machine()(url, 'execute 1 alpha/usdc beta/usdc --account dev8 --yes', {
      FERRY_RPC_URL_ALPHA: node.url,
    });
    await postgres.sql('alter system reset synchronous_commit');
    await postgres.sql('select pg_reload_conf()');
    expect(ended.json().error, ended.stdout).toMatchObject({ code: 'store.refused' });
    expect(await held('dev8')).toBe(before);
  }, 60_000);
});
