import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands, undecided } from '../../../src/commands/batch.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { ferry } from '../../support/ferry.js';
import { programs } from '../../support/postgres.js';
import { usdcAt } from '../../support/sandbox.js';
import { type Shared, share, useStore } from '../../support/sharedBatches.js';
import { ndjson, transfer } from '../../support/transferBatches.js';

const { sandbox, postgres } = useStore();

const heldBy = (name: keyof typeof accounts): Promise<bigint> => usdcAt(sandbox, accounts[name].address);

const two = [transfer('a', { amount: '1' }), transfer('b', { amount: '2' })];

async function submit({ run, file }: Shared, lines: readonly Record<string, unknown>[], ...more: readonly string[]) {
  return run(['batch', 'submit', file(lines), '--name', 'first', '--yes', '--json', ...more]);
}

async function statesIn({ run }: Shared) {
  return (await run(['batch', 'status', 'first', '--json'])).json().data;
}

describe.skipIf(!programs)('a batch in a store', () => {
  test('default: it is submitted, carried out by a worker, and its results are read', async () => {
    const shared = await share(postgres, sandbox);
    const { run, folder } = shared;
    const before = await heldBy('dev0');
    const submitted = await submit(shared, two);
    expect(submitted.json()).toMatchObject({
      ok: true,
      data: {
        isNew: true,
        estimate: { lines: 2, accounts: 1, bound: 'accounts', seconds: 30 },
        batch: { batch: 'first', lines: 2, states: { waiting: 2 }, isOver: false },
      },
    });
    const worked = await run(['worker', '--once', '--json']);
    expect(worked.json()).toMatchObject({ ok: true, data: { done: 2, failed: 0, left: 0 } });
    expect(before - (await heldBy('dev0'))).toBe(3_000_000n);
    const results = await run(['batch', 'results', 'first', '--json']);
    expect(results.lines().slice(0, -1)).toMatchObject([
      { type: 'result', id: 'a', ok: true, seq: 1, data: { funds: 'delivered' } },
      { type: 'result', id: 'b', ok: true, seq: 2, data: { funds: 'delivered' } },
    ]);
    const since = await run(['batch', 'results', 'first', '--since', '1', '--json']);
    expect(since.json().data).toEqual({ batch: 'first', results: 1, last: 2, out: null });
    const out = join(folder, 'results.ndjson');
    expect((await run(['batch', 'results', 'first', '-o', out])).stderr).toContain('2 results are in');
    expect(readFileSync(out, 'utf8')).toBe(`${results.stdout.trimEnd().split('\n').slice(0, -1).join('\n')}\n`);
    const status = await run(['batch', 'status', 'first', '--watch', '--json']);
    expect(status).toMatchObject({ code: 0 });
    expect(status.json().data).toMatchObject({ isOver: true, funds: { delivered: 2 }, worst: null });
    expect((await run(['batch', 'list'])).stdout).toMatch(/first +over +2 +2 +0 +0 +0/);
  });

  test('behavior: the same lines under the same name change nothing, and others are refused', async () => {
    const shared = await share(postgres, sandbox);
    await submit(shared, two);
    expect((await submit(shared, two)).json().data).toMatchObject({ isNew: false, batch: { states: { waiting: 2 } } });
    const other = await submit(shared, [transfer('a', { amount: '1' }), transfer('b', { amount: '3' })]);
    expect(other).toMatchObject({ code: 2 });
    expect(other.json().error).toMatchObject({ code: 'batch.taken', funds: 'untouched' });
  });

  test('behavior: the same lines under another name are another batch', async () => {
    const shared = await share(postgres, sandbox);
    const { run, file } = shared;
    await submit(shared, two);
    expect((await run(['worker', '--once', '--json'])).json().data).toMatchObject({ done: 2 });
    await run(['batch', 'submit', file(two), '--name', 'second', '--yes']);
    expect((await run(['worker', '--once', '--json'])).json().data).toMatchObject({ done: 2, left: 0 });
  });

  test('error: with a service that does not answer, nothing is submitted that no worker would find', async () => {
    const shared = await share(postgres, sandbox);
    const file = shared.file(two);
    const ended = await shared.run(['batch', 'submit', file, '--name', 'first', '--yes', '--json'], {
      FERRY_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(ended.json().error).toMatchObject({ code: 'service.unreachable', funds: 'untouched' });
    expect((await shared.run(['batch', 'list', '--json'])).json().data.batches).toEqual([]);
  });

  test('error: with a mistake in any line, nothing is submitted', async () => {
    const shared = await share(postgres, sandbox);
    const bad = await submit(shared, [...two, transfer('c', { to: 'beta/nothing' })]);
    expect(bad).toMatchObject({ code: 2 });
    expect(bad.json().error.message).toContain('Line 3');
    const [twice, none] = [await submit(shared, [...two, transfer('a')]), await submit(shared, [])];
    expect([twice.json().error.code, none.json().error.code]).toEqual(['batch.unreadable', 'batch.unreadable']);
    expect((await shared.run(['batch', 'list'])).stdout).toBe('No batches.\n');
    expect((await shared.run(['batch', 'status', 'first', '--json'])).json().error.code).toBe('batch.unknown');
  });

  test('behavior: what is submitted is what was read, whatever has become of the file once the question is asked', async () => {
    const shared = await share(postgres, sandbox);
    const file = shared.file(two);
    const ended = await ferry(['batch', 'submit', file, '--name', 'first'], {
      env: shared.env,
      terminals: { stdin: true, stdout: true, stderr: true },
      answer: () => {
        writeFileSync(file, ndjson([transfer('a', { amount: '9' })]));
        return 'yes';
      },
    });
    expect(ended.code).toBe(0);
    const docs = await postgres.sql('select doc from ferry.line order by n', shared.url);
    expect(`${docs}\n`).toBe(ndjson(two));
  });

  test('error: without a store there are no batches', async () => {
    const { run } = await share(postgres, sandbox);
    const ended = await run(['batch', 'list', '--json'], { FERRY_STORE: undefined });
    expect(ended.json().error).toMatchObject({ code: 'store.unconfigured' });
  });

  test('behavior: the role that submits adds batches, pauses them, reads, and changes nothing else', async () => {
    const shared = await share(postgres, sandbox);
    await postgres.sql('create role clerk login in role ferry_submit', shared.url);
    const FERRY_STORE = shared.url.replace('ferry@', 'clerk@');
    const clerk = (...argv: string[]) => shared.run([...argv, '--json'], { FERRY_STORE });
    const submitted = await clerk('batch', 'submit', shared.file(two), '--name', 'first', '--yes');
    expect(submitted.json()).toMatchObject({ ok: true, data: { isNew: true } });
    for (const act of ['pause', 'resume', 'status']) expect((await clerk('batch', act, 'first')).json().ok).toBe(true);
    const checked = (await clerk('store', 'check')).json().data;
    expect(checked.checks.filter(({ problem }: { problem: string | null }) => problem !== null)).toEqual([
      { name: 'rights', found: 'writes no runs', problem: expect.stringContaining('takes the role ferry_work') },
    ]);
    expect((await shared.run(['worker', '--once', '--json'])).json().data).toMatchObject({ done: 2 });
    for (const refused of [
      `update ferry.line set state = 'waiting'`,
      'update ferry.run set line = null',
      `update ferry.batch set submitter = '0x'`,
      'update ferry.turn set epoch = epoch + 1',
      `update ferry.store set id = 'x'`,
      ...['result', 'run', 'entry', 'nonce', 'line', 'batch'].map((table) => `delete from ferry.${table}`),
      `insert into ferry.result select * from ferry.result`,
      `insert into ferry.nonce values ('a', '', 1, null, null)`,
      // What a person would be told to type.
      `insert into ferry.line (batch, n, id, digest, account, doc, state, reason)
        values ('first', 2, 'c', '', '', '', 'refused', '{"message":"Mend it.","next":"id"}')`,
    ])
      await expect(postgres.sql(refused, FERRY_STORE), refused).rejects.toThrow('permission denied');
    expect((await clerk('batch', 'cancel', 'first', '--yes')).json().error).toMatchObject({ code: 'store.unwritable' });
  });

  test('option: --hold, pause, resume and cancel decide what is begun', async () => {
    const shared = await share(postgres, sandbox);
    const { run } = shared;
    await submit(shared, two, '--hold');
    expect((await run(['worker', '--once', '--json'])).json().data).toMatchObject({ done: 0 });
    expect((await run(['batch', 'resume', 'first', '--json'])).json().data.state).toBe('ready');
    expect((await run(['batch', 'pause', 'first', '--json'])).json().data.state).toBe('paused');
    expect((await run(['worker', '--once', '--json'])).json().data).toMatchObject({ done: 0 });
    expect((await run(['batch', 'cancel', 'first', '--yes', '--json'])).json().data.cancelled).toBe(2);
    expect((await run(['batch', 'resume', 'first', '--json'])).json().error.code).toBe('batch.cancelled');
    expect((await run(['worker', '--once', '--json'])).json().data).toMatchObject({ done: 0 });
    const results = await run(['batch', 'results', 'first', '--failed', '--json']);
    expect(results.lines().slice(0, -1)).toMatchObject([
      { id: 'a', ok: false, seq: 1, error: { code: 'batch.cancelled', funds: 'untouched' } },
      { id: 'b', ok: false, seq: 2 },
    ]);
    expect(await statesIn(shared)).toMatchObject({ isOver: true, states: { cancelled: 2 }, worst: 'batch.cancelled' });
  });

  test('option: retry --failed pays what failed with funds untouched, and nothing else again', async () => {
    const shared = await share(postgres, sandbox);
    const { run } = shared;
    await submit(shared, [
      transfer('a', { amount: '1', account: 'dev7' }),
      transfer('b', { amount: '99999999', account: 'dev7' }),
    ]);
    const before = await heldBy('dev7');
    const trusted = ['--submitters', accounts.dev0.address, '--accounts', 'dev7'];
    expect((await run(['worker', '--once', ...trusted, '--json'])).json().data).toMatchObject({ done: 1, failed: 1 });
    expect(await statesIn(shared)).toMatchObject({ isOver: true, worst: 'submit.insufficient-balance' });
    expect((await run(['batch', 'retry', 'first', '--json'])).json().error.code).toBe('usage.missing');
    expect((await run(['batch', 'retry', 'first', '--failed', '--json'])).json().data.lines).toBe(1);
    expect(await statesIn(shared)).toMatchObject({ isOver: false, states: { done: 1, waiting: 1 } });
    expect((await run(['worker', '--once', ...trusted, '--json'])).json().data).toMatchObject({ done: 0, failed: 1 });
    expect(before - (await heldBy('dev7'))).toBe(1_000_000n);
    const last = (await run(['batch', 'results', 'first', '--json'])).json().data;
    expect(last).toMatchObject({ results: 2, last: 3 });
  });
});

test('retry: the id of a line makes no line of its own', () => {
  const id = 'x\nnext: id';
  const line = { batch: 'payroll', id, account: '', state: 'refused', run: null, code: '' } as const;
  const refused = [undecided({ ...line, message: id, next: null })];
  expect(commands.retry.view({ batch: 'payroll', lines: 0, refused }, plain)).toBe(`✓ 0 lines of payroll wait again.
Stays refused: x\\x0anext: id. x\\x0anext: id
  if it was not paid: ferry batch retry payroll --line 'x\\x0anext: id'
  if it was paid:     ferry batch cancel payroll --line 'x\\x0anext: id'`);
});

test('cancel and retry: a single line', () => {
  const view = { batch: 'payroll', refused: [] };
  expect(commands.retry.view({ ...view, lines: 1 }, plain)).toBe('✓ 1 line of payroll waits again.');
  expect(commands.cancel.view({ ...view, cancelled: 1 }, plain)).toBe('✓ 1 line of payroll is canceled.');
});
