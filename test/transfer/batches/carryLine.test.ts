/** A line of a shared batch is paid once, whatever machines, clocks, people and writers of the database do. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '../../../src/io/postgres/session.js';
import { lockOf } from '../../../src/io/postgres/storeJournal.js';
import { createLocks } from '../../../src/io/postgres/storeLocks.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { addFault, clearFaults } from '../../support/faults.js';
import { temporaryFolder } from '../../support/ferry.js';
import { forward, json, loopback } from '../../support/loopback.js';
import { ask } from '../../support/node.js';
import { programs } from '../../support/postgres.js';
import { sampled } from '../../support/sampled.js';
import { usdcAt } from '../../support/sandbox.js';
import { type Shared, share, useStore } from '../../support/sharedBatches.js';
import { transfer } from '../../support/transferBatches.js';

const { sandbox, postgres } = useStore();

const held = (): Promise<bigint> => usdcAt(sandbox, accounts.dev0.address);

const hour = 3_600_000;
const once = ['worker', '--once', '--accounts', 'dev0', '--json'];

async function submitted(lines = [transfer('a')], into = share(postgres, sandbox)): Promise<Shared> {
  const shared = await into;
  const ended = await shared.run(['batch', 'submit', shared.file(lines), '--name', 'pay', '--yes']);
  expect(ended.stderr).toBe('');
  return shared;
}

/** A worker that fails its next line before anything is signed. */
async function failed(shared: Shared, laterMs = 0, machine = shared.machine()): Promise<void> {
  const fault = { kind: 'tamper', match: { path: '/quote/v2' }, times: 1, recipe: 'wrong-recipient' } as const;
  await addFault(sandbox, 'service', fault);
  const ended = await shared.run(once, machine, { laterMs });
  expect(ended.json().data).toMatchObject({ done: 0, failed: 1 });
  await clearFaults(sandbox);
}

/** A worker that ends once the origin's node is asked something, which nobody answers. */
async function endedAt(method: string, shared: Shared): Promise<void> {
  const aborting = new AbortController();
  const node = await loopback((response, request) => {
    if (request.body.includes(method)) return aborting.abort();
    void forward(sandbox.rpcUrls.alpha ?? '', request).then(({ status, text }) =>
      json(JSON.parse(text), status)(response, request),
    );
  });
  await shared.run(once, { ...shared.machine(), FERRY_RPC_URL_ALPHA: node.url }, { signal: aborting.signal });
  expect(aborting.signal.aborted).toBe(true);
}

/** A worker that ends once it has signed; nothing of that is sent. Resolves to the run. */
async function stopped(shared: Shared): Promise<string> {
  await endedAt('eth_sendRawTransaction', shared);
  return postgres.sql(
    `select r.id from ferry.run r where exists (
      select 1 from ferry.entry where run = r.id and text like '%"type":"signed"%'
    )`,
    shared.url,
  );
}

const status = async ({ run }: Shared) => (await run(['batch', 'status', 'pay', '--json'])).json().data;

describe.skipIf(!programs)('a line whose runs are not as they were made', () => {
  test('behavior: a run of a machine with a wrong clock does not hide a later one that is signed', async () => {
    const shared = await submitted();
    const before = await held();
    await failed(shared, hour);
    expect((await shared.run(['batch', 'retry', 'pay', '--failed', '--json'])).json().data).toMatchObject({ lines: 1 });
    await stopped(shared);
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 1 });
    expect(before - (await held())).toBe(1_000_000n);
  });

  test('behavior: a run resumed by hand ends its line, whatever the clocks say', async () => {
    const shared = await submitted();
    const before = await held();
    await failed(shared, hour);
    await shared.run(['batch', 'retry', 'pay', '--failed']);
    const run = await stopped(shared);
    const resumed = await shared.run(['resume', run, '--yes', '--json'], shared.machine());
    expect(resumed.json()).toMatchObject({ ok: true, data: { funds: 'delivered' } });
    expect(await status(shared)).toMatchObject({ states: { done: 1 }, funds: { delivered: 1 }, isOver: true });
    const together = `select count(*) from ferry.result r join ferry.line l on l.n = r.n and l.xmin = r.xmin
      join ferry.entry e on e.run = r.run and e.xmin = r.xmin and e.text like '%"type":"outcome"%'`;
    expect(await postgres.sql(together, shared.url)).toBe('1');
    const results = (await shared.run(['batch', 'results', 'pay', '--json'])).lines();
    expect(results[0]).toMatchObject({ type: 'result', id: 'a', ok: true, seq: 2, data: { run, funds: 'delivered' } });
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 0, failed: 0 });
    // Whoever sets the line back finds it paid.
    await postgres.sql(`delete from ferry.result; update ferry.line set state = 'waiting'`, shared.url);
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 1 });
    expect(before - (await held())).toBe(1_000_000n);
  });

  test('behavior: a run that is canceled by hand ends its line, which is not begun again by itself', async () => {
    const shared = await submitted();
    const before = await held();
    const run = await stopped(shared);
    const cancelled = await shared.run(['runs', 'cancel', run, '--yes', '--json'], shared.machine());
    expect(cancelled.json()).toMatchObject({ ok: true, data: { status: 'cancelled' } });
    expect(await status(shared)).toMatchObject({ states: { failed: 1 }, funds: { untouched: 1 } });
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 0, failed: 0 });
    expect(before - (await held())).toBe(0n);
    await shared.run(['batch', 'retry', 'pay', '--failed']);
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 1 });
    expect(before - (await held())).toBe(1_000_000n);
  });
});

describe.skipIf(!programs)('a line whose worker ended before it signed', () => {
  test('behavior: it is not paid while its batch is paused, and once after that', async () => {
    const shared = await submitted();
    const before = await held();
    await endedAt('eth_getCode', shared);
    await shared.run(['batch', 'pause', 'pay']);
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 0, failed: 0 });
    expect(before - (await held())).toBe(0n);
    await shared.run(['batch', 'resume', 'pay']);
    await postgres.sql('update ferry.line set not_before = null', shared.url);
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 1 });
    expect(before - (await held())).toBe(1_000_000n);
  });
});

describe.skipIf(!programs)('a line whose worker ended between its approval and its payment', () => {
  test('error: a worker whose caps it is over does not pay it, and another does', async () => {
    const shared = await submitted();
    const before = await held();
    const run = await stopped(shared);
    // As if it were killed between the two entries.
    await postgres.sql(
      `delete from ferry.entry where text like '%"type":"signed","step":1,%';
      delete from ferry.nonce where nonce = (select max(nonce) from ferry.nonce where sequence = '')`,
      shared.url,
    );
    const signed = `select count(*) from ferry.entry where text like '%"type":"signed"%'`;
    expect(await postgres.sql(signed, shared.url)).toBe('1');
    const ended = await shared.run([...once, '--max-line', 'usdc=0.5'], shared.machine());
    expect(ended.json().data).toMatchObject({ done: 0, failed: 0, left: 1 });
    expect(await postgres.sql(signed, shared.url)).toBe('1');
    // What its run has signed is finished even if the batch is canceled.
    expect((await status(shared)).stuck).toMatchObject([{ id: 'a', state: 'stuck', code: 'batch.capped', run }]);
    await postgres.sql('update ferry.line set not_before = null', shared.url);
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 1 });
    expect(before - (await held())).toBe(1_000_000n);
  });
});

describe.skipIf(!programs)('a line whose run, which signed nothing, cannot be opened', () => {
  /** What a worker leaves the line as. */
  const leftBy = async (shared: Shared, machine: { FERRY_STATE_DIR: string }): Promise<void> => {
    expect((await shared.run(once, machine)).json().data).toMatchObject({ done: 0, failed: 0, left: 1 });
  };
  const paidOnceMore = async (shared: Shared): Promise<void> => {
    const before = await held();
    await postgres.sql('update ferry.line set not_before = null', shared.url);
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 1 });
    expect(before - (await held())).toBe(1_000_000n);
  };

  test('error: it is looked at again where another process has the run', async () => {
    const shared = await submitted();
    await endedAt('eth_getCode', shared);
    const run = await postgres.sql('select id from ferry.run', shared.url);
    const other = await connect({ url: shared.url, env: {} });
    expect(await createLocks(other).tryTake(lockOf(run))).toBe(true);
    await leftBy(shared, shared.machine());
    expect((await status(shared)).stuck).toMatchObject([{ id: 'a', state: 'stuck', code: 'run.busy', run }]);
    await other.end();
    await paidOnceMore(shared);
  });

  test('error: a machine with another secret leaves it to those that can read it', async () => {
    const shared = await submitted();
    await endedAt('eth_getCode', shared);
    await leftBy(shared, { FERRY_STATE_DIR: join(temporaryFolder(), 'other') });
    expect((await status(shared)).stuck).toMatchObject([{ id: 'a', state: 'stuck', code: 'run.unproved' }]);
    await paidOnceMore(shared);
  });
});

/** A transaction that another program sends for the account. */
async function sentElsewhere({ address: from }: { address: string }): Promise<void> {
  const url = sandbox.rpcUrls.alpha ?? '';
  await ask(url, 'anvil_impersonateAccount', from);
  await ask(url, 'eth_sendTransaction', { from, to: from, value: '0x0' });
  await ask(url, 'anvil_stopImpersonatingAccount', from);
  await ask(url, 'evm_mine');
}

/** A worker that pays from an account of its own. */
const onceBy = (account: string): string[] => [
  ...['worker', '--once', '--accounts', account, '--submitters', accounts.dev0.address, '--json'],
];

describe.skipIf(!programs)('a line that is held while a worker carries it', () => {
  test('error: it stays refused, and waits again once somebody has decided', async () => {
    const shared = await share(postgres, sandbox);
    const paid = await shared.run(['execute', '1', 'alpha/usdc', 'beta/usdc', '--account', 'dev2', '--yes']);
    expect(paid.code).toBe(0);
    // The line itself has the nonce adopted that nobody knows, which then holds every line of its account.
    await submitted([transfer('a', { account: 'dev2', allow: ['foreign-nonces'] })], Promise.resolve(shared));
    await sentElsewhere(accounts.dev2);
    expect((await shared.run(onceBy('dev2'))).json().data).toMatchObject({ done: 0, failed: 0, left: 1 });
    expect(await status(shared)).toMatchObject({
      states: { refused: 1 },
      isOver: false,
      stuck: [{ id: 'a', state: 'refused', code: 'batch.unmatched' }],
    });
    await shared.run(['runs', 'reconcile', 'alpha', '--account', 'dev2', '--yes']);
    const retried = await shared.run(['batch', 'retry', 'pay', '--line', 'a', '--yes', '--json']);
    expect(retried.json().data).toMatchObject({ lines: 1 });
    expect((await shared.run(onceBy('dev2'))).json().data).toMatchObject({ done: 1 });
  });
});

describe.skipIf(!programs)('a line that had failed before it was held', () => {
  test('error: it is named, and stays ended once somebody has ended it', async () => {
    const shared = await share(postgres, sandbox);
    const paid = await shared.run(['execute', '1', 'alpha/usdc', 'beta/usdc', '--account', 'dev3', '--yes']);
    expect(paid.code).toBe(0);
    const lines = ['a', 'b'].map((id) => transfer(id, { account: 'dev3', amount: '99999999' }));
    await submitted(lines, Promise.resolve(shared));
    expect((await shared.run(onceBy('dev3'))).json().data).toMatchObject({ failed: 2 });
    await sentElsewhere(accounts.dev3);
    const reconciled = await shared.run(['runs', 'reconcile', 'alpha', '--account', 'dev3', '--yes', '--json']);
    expect(reconciled.json().data.held).toEqual(['pay/a', 'pay/b']);
    const named = ['a', 'b'].map((id) => ({ id, state: 'failed', code: 'batch.unmatched' }));
    expect((await status(shared)).stuck).toMatchObject(named);
    const decide = async (...argv: string[]) => (await shared.run(['batch', ...argv, '--json'])).json();
    expect((await decide('retry', 'pay', '--failed')).data).toMatchObject({
      lines: 0,
      refused: [{ id: 'a' }, { id: 'b' }],
    });
    const end = ['cancel', 'pay', '--line', 'a', '--yes'];
    expect((await decide(...end)).data).toMatchObject({ cancelled: 1 });
    expect((await decide(...end)).error).toMatchObject({ code: 'batch.unknown' });
    expect((await decide('retry', 'pay', '--held', '--yes')).data).toMatchObject({ lines: 1 });
    expect(await status(shared)).toMatchObject({ states: { failed: 1, waiting: 1 }, funds: { unknown: 1 }, stuck: [] });
  });

  test('error: what was ended with funds unknown is not begun again, whatever its row says', async () => {
    const shared = await submitted([transfer('a', { account: 'dev3' })]);
    const hold = `update ferry.line set state = 'refused', reason = '{"code":"batch.unmatched","message":"held"}'`;
    await postgres.sql(hold, shared.url);
    const decide = (...more: string[]) => shared.run(['batch', ...more, '--yes', '--json']);
    expect((await decide('cancel', 'pay', '--line', 'a')).code).toBe(0);
    await postgres.sql(hold, shared.url);
    expect((await decide('retry', 'pay', '--held')).json().data).toMatchObject({ lines: 0 });
    expect((await decide('retry', 'pay', '--line', 'a')).json().error).toMatchObject({ code: 'batch.unknown' });
    expect(await postgres.sql('select state from ferry.line', shared.url)).toBe('refused');
  });
});

/** What a writer of the database can do to a paid line. */
const setBack = `delete from ferry.result; update ferry.line set state = 'waiting', not_before = null where id = 'a'`;
const sealedUnder = (id: string): string =>
  `(select run from ferry.entry where n = 0 and text like '%"id":"${id}"%' order by run desc limit 1)`;

describe.skipIf(!programs)('a writer of the database', () => {
  test.each(
    sampled(
      [
        ['hides its run', `update ferry.run set ledger = null, line = null, digest = null`],
        ['gives its run to another line', `update ferry.run set line = 'b'`],
        ['gives it another digest', `update ferry.run set digest = '0x00'`],
      ],
      1,
    ),
  )('error: who sets a paid line back and %s does not have it paid again, by any machine', async (_, sql) => {
    const shared = await submitted();
    const before = await held();
    const one = shared.machine();
    expect((await shared.run(once, one)).json().data).toMatchObject({ done: 1 });
    for (const machine of [one, shared.machine()]) {
      await postgres.sql(`${setBack}; ${sql}`, shared.url);
      await shared.run(once, machine);
      expect(before - (await held())).toBe(1_000_000n);
    }
    // Otherwise a machine would read every journal.
    const read = `explain select run from ferry.entry where n = 0 and text like '%"line":{"ledger":"batch:%'
      and md5(substring(text from '"line":(\\{"ledger":"batch:.*"digest":"[^"]*"\\})')) = 'x'`;
    expect(await postgres.sql(`set enable_seqscan = off; ${read}`, shared.url)).toContain('entry_line');
  });

  test('error: a run of another line, which moved nothing, stands for no run of this one', async () => {
    const shared = await submitted([transfer('a'), transfer('b')]);
    const before = await held();
    const one = shared.machine();
    await postgres.sql(
      `update ferry.line set not_before = clock_timestamp() + interval '1 hour' where id = 'b'`,
      shared.url,
    );
    expect((await shared.run(once, one)).json().data).toMatchObject({ done: 1 });
    await postgres.sql(`update ferry.line set not_before = null`, shared.url);
    await failed(shared);
    const pointed = `update ferry.run r set (ledger, line, digest) = (select 'batch:pay', id, digest from ferry.line where id = 'a')
      where id = ${sealedUnder('b')}`;
    await postgres.sql(`${setBack}; ${pointed}`, shared.url);
    for (const machine of [one, shared.machine()]) await shared.run(once, machine);
    expect(before - (await held())).toBe(1_000_000n);
    expect((await status(shared)).stuck).toMatchObject([
      { id: 'a', state: 'refused', code: 'batch.begun', message: expect.stringContaining('another line') },
    ]);
  });

  test('error: a run without its journal is no run that signed nothing', async () => {
    const shared = await submitted();
    const before = await held();
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 1 });
    await postgres.sql(`${setBack}; delete from ferry.entry`, shared.url);
    await shared.run(once, shared.machine());
    expect(before - (await held())).toBe(1_000_000n);
    expect((await status(shared)).stuck).toMatchObject([{ id: 'a', state: 'refused', code: 'batch.begun' }]);
  });

  test.each([
    ['its approval', 'min'],
    ['its payment', 'max'],
  ])('error: a journal cut off before %s is put back or noticed by the machine that signed it', async (_, which) => {
    const shared = await submitted();
    const before = await held();
    const machine = shared.machine();
    expect((await shared.run([...once, '--max-day', 'usdc=1'], machine)).json().data).toMatchObject({ done: 1 });
    const signed = `(select ${which}(n) from ferry.entry where text like '%"type":"signed"%')`;
    const cut = `${setBack}; delete from ferry.entry where n >= ${signed}`;
    await postgres.sql(cut, shared.url);
    expect((await shared.run([...once, '--max-day', 'usdc=1'], machine)).json().data).toMatchObject({ done: 1 });
    expect(before - (await held())).toBe(1_000_000n);
    rmSync(join(machine.FERRY_STATE_DIR, 'store'), { recursive: true });
    await postgres.sql(cut, shared.url);
    await shared.run([...once, '--max-day', 'usdc=1'], machine);
    expect(before - (await held())).toBe(1_000_000n);
    const message = expect.stringContaining('lacks what this machine has signed');
    expect((await status(shared)).stuck).toMatchObject([{ id: 'a', state: 'refused', code: 'batch.begun', message }]);
  });

  test('error: so it is by a machine that has finished what another one signed', async () => {
    const shared = await submitted();
    const before = await held();
    await stopped(shared);
    const machine = shared.machine();
    expect((await shared.run(once, machine)).json().data).toMatchObject({ done: 1 });
    rmSync(join(machine.FERRY_STATE_DIR, 'store'), { recursive: true });
    await postgres.sql(
      `${setBack}; delete from ferry.entry where n >= (select min(n) from ferry.entry where text like '%"type":"signed"%')`,
      shared.url,
    );
    await shared.run(once, machine);
    expect(before - (await held())).toBe(1_000_000n);
    expect((await status(shared)).stuck).toMatchObject([{ id: 'a', state: 'refused', code: 'batch.begun' }]);
  });

  test('error: a batch that was signed for another store is not taken', async () => {
    const shared = await submitted();
    const before = await held();
    expect((await shared.run(once, shared.machine())).json().data).toMatchObject({ done: 1 });
    const other = await share(postgres, sandbox);
    const copied = async (more = ''): Promise<void> => {
      for (const table of ['batch', 'line']) {
        const rows = await postgres.sql(`select json_agg(t) from ferry.${table} t`, shared.url);
        await postgres.sql(
          `insert into ferry.${table} select * from json_populate_recordset(null::ferry.${table}, $json$${rows}$json$)`,
          other.url,
        );
      }
      await postgres.sql(`update ferry.line set state = 'waiting'; ${more}`, other.url);
    };
    const machine = other.machine();
    await other.run(once, machine);
    await copied();
    const ended = await other.run(once, machine);
    expect(ended.json().warnings.join()).toContain('signed for another store');
    expect(before - (await held())).toBe(1_000_000n);
    // A machine remembers which store is at an address.
    const id = await postgres.sql('select id from ferry.store', shared.url);
    await postgres.sql(`update ferry.store set id = '${id}'`, other.url);
    expect((await other.run(once, machine)).json().error).toMatchObject({ code: 'store.refused' });
    expect(before - (await held())).toBe(1_000_000n);
    const check = async (...more: string[]) => (await other.run(['store', 'check', '--json', ...more], machine)).json();
    expect((await check()).data).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([{ name: 'store', found: id, problem: expect.stringContaining('--adopt') }]),
    });
    expect((await check('--adopt', '--yes')).data).toMatchObject({ ok: true });
  });
});

describe.skipIf(!programs)('a line that may be paid, of which the store has no run', () => {
  /** Its machine has paid it, and refuses it since somebody has deleted its run. */
  async function lost(lines = [transfer('a'), transfer('b', { amount: '99999999' })]) {
    const shared = await submitted(lines);
    const machine = shared.machine();
    await shared.run(once, machine);
    const run = await postgres.sql(`select run from ferry.line where id = 'a'`, shared.url);
    await postgres.sql(`${setBack.replace('result', "result where id = 'a'")}; delete from ferry.run`, shared.url);
    await shared.run(once, machine);
    const [stuck] = (await status(shared)).stuck;
    expect(stuck).toMatchObject({ id: 'a', state: 'refused', code: 'batch.begun', run });
    return { shared, machine, run, stuck };
  }

  test('error: retry leaves it refused, names it and says how to decide', async () => {
    const before = await held();
    const { shared } = await lost();
    const retried = await shared.run(['batch', 'retry', 'pay', '--failed', '--json']);
    expect(retried.json().data).toMatchObject({
      lines: 1,
      refused: [{ id: 'a', next: 'ferry batch retry pay --line a' }],
    });
    const told = await shared.run(['batch', 'retry', 'pay', '--failed']);
    expect(told.stdout).toContain('ferry batch cancel pay --line a');
    await shared.run(once, shared.machine());
    expect((await status(shared)).states).toMatchObject({ refused: 1, done: 0 });
    expect(before - (await held())).toBe(1_000_000n);
  });

  test('error: cancel does not say of it that nothing was begun; --line ends it with funds unknown', async () => {
    const { shared } = await lost([transfer('a'), transfer('b', { account: 'dev1' })]);
    expect((await shared.run(['batch', 'cancel', 'pay', '--yes', '--json'])).json().data).toMatchObject({
      cancelled: 1,
      refused: [{ id: 'a' }],
    });
    expect(await status(shared)).toMatchObject({
      states: { refused: 1, cancelled: 1 },
      funds: { untouched: 1 },
      isOver: false,
    });
    const ended = await shared.run(['batch', 'cancel', 'pay', '--line', 'a', '--yes', '--json']);
    expect(ended.json().data).toMatchObject({ cancelled: 1 });
    expect(await status(shared)).toMatchObject({ funds: { unknown: 1 }, isOver: true, worst: 'batch.begun' });
    const again = await shared.run(['batch', 'cancel', 'pay', '--line', 'a', '--yes', '--json']);
    expect(again.json().error).toMatchObject({ code: 'batch.unknown' });
  });

  test('option: retry --line begins it again, signed by who submitted the batch, and only for the runs that it names', async () => {
    const before = await held();
    const { shared, machine } = await lost();
    const retry = (...more: string[]) => shared.run(['batch', 'retry', 'pay', '--line', 'a', '--json', ...more]);
    expect((await retry()).json().error).toMatchObject({ code: 'usage.confirmation' });
    expect((await retry('--yes', '--account', 'dev1')).json().error).toMatchObject({ code: 'batch.untrusted' });
    // Who writes to the database cannot say so.
    await postgres.sql(`${setBack.replace(/^.*?; /, '')}`, shared.url);
    await shared.run(once, machine);
    expect(before - (await held())).toBe(1_000_000n);
    expect((await retry('--yes')).json().data).toMatchObject({ lines: 1 });
    expect((await shared.run(once, machine)).json().data).toMatchObject({ done: 1 });
    expect(before - (await held())).toBe(2_000_000n);
    // What was decided is used up.
    await postgres.sql(`${setBack.replace('result', "result where id = 'a'")}; delete from ferry.run`, shared.url);
    await shared.run(once, machine);
    expect(before - (await held())).toBe(2_000_000n);
    expect((await status(shared)).stuck).toMatchObject([{ id: 'a', code: 'batch.begun' }]);
    expect((await shared.run(['batch', 'retry', 'pay', '--line', 'b', '--yes', '--json'])).json().error).toMatchObject({
      code: 'batch.unknown',
    });
  });

  test('behavior: the run of a line that failed outlives runs prune, so that it can be tried again', async () => {
    const shared = await share(postgres, sandbox);
    const machine = shared.machine();
    // What the account has paid in other tests, this store does not know.
    expect((await shared.run(['runs', 'reconcile', 'alpha', '--account', 'dev0', '--yes'], machine)).code).toBe(0);
    await submitted([transfer('a')], Promise.resolve(shared));
    await failed(shared, 0, machine);
    const prune = ['runs', 'prune', '--older-than', '0s', '--yes', '--json'];
    expect((await shared.run(prune, machine, { laterMs: hour })).json().data.pruned).toEqual([]);
    await shared.run(['batch', 'retry', 'pay', '--failed']);
    expect((await shared.run(once, machine)).json().data).toMatchObject({ done: 1 });
    expect((await shared.run(prune, machine, { laterMs: hour })).json().data.pruned).toHaveLength(2);
  });
});
