/**
 * Several machines on one store, with the real chains: whatever is broken on purpose, each transfer is paid once. Machines
 * are state directories of their own, with the same secret; their sessions are real ones with a real PostgreSQL.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import { at, type Ended, ferry, temporaryFolder } from '../support/ferry.js';
import { balanceAt, nonceAt } from '../support/node.js';
import { programs, usePostgres } from '../support/postgres.js';
import { usdc, useSandbox } from '../support/sandbox.js';
import { machineAt, newStore } from '../support/sharedBatches.js';
import { ndjson, transfer } from '../support/transferBatches.js';
import { until } from '../support/until.js';

/** A machine of the store: its commands run there. */
type Machine = {
  home: string;
  (argv: string, env?: Record<string, string | undefined>, signal?: AbortSignal): Promise<Ended>;
};

describe.skipIf(!programs)('machines on one store', () => {
  const { sandbox } = useSandbox();
  const postgres = usePostgres();

  const machine = (url?: string): Machine => {
    const one = machineAt(sandbox);
    return Object.assign((...how: Parameters<Machine>) => one(url, ...how), { home: one.home });
  };
  const made = (): Promise<string> => newStore(postgres, sandbox);
  const held = (name: 'dev0' | 'dev1' | 'dev2' | 'dev3' | 'dev4' | 'dev5' | 'dev7' | 'dev8'): Promise<bigint> =>
    balanceAt(sandbox.rpcUrls.alpha ?? '', usdc, accounts[name].address);
  const locks = (url: string): Promise<string> =>
    postgres.sql(`select count(*) from pg_locks where locktype = 'advisory'`, url);

  test('default: one executes, another lists, shows, exports and reconciles', async () => {
    const url = await made();
    const [one, other] = [machine(url), machine(url)];
    const before = await held('dev1');
    const ended = await one('execute 2 alpha/usdc beta/usdc --account dev1 --yes');
    expect([ended.code, before - (await held('dev1'))]).toEqual([0, 2_000_000n]);
    const { run } = ended.json().data;
    expect((await other('runs list')).json().data.runs[0]).toMatchObject({ run, state: 'success', funds: 'delivered' });
    const exported = (await other(`store export ${run.slice(-6)}`)).json().data.text as string;
    expect(
      exported
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).entry.type),
    ).toEqual(expect.arrayContaining(['intent', 'signed', 'outcome']));
    expect((await other('runs reconcile alpha --account dev1')).json().data.unknown).toEqual([]);
    // No file of a run is on any of them.
    expect(existsSync(join(one.home, '.local', 'state', 'ferry', 'runs'))).toBe(false);
    expect(await locks(url)).toBe('0');
    expect((await other('execute 2 alpha/usdc beta/usdc --account dev1 --yes')).code).toBe(0);
  });

  test('behavior: without a store two machines pay the same transfer twice; with one, once', async () => {
    const transfer = 'execute 3 alpha/usdc beta/usdc --account dev2 --yes --no-wait';
    const paidBy = async (url?: string) => {
      const before = await held('dev2');
      const codes: string[] = [];
      for (const each of [machine(url), machine(url)]) codes.push((await each(transfer)).json().error?.code ?? 'paid');
      return { paid: before - (await held('dev2')), codes };
    };
    const alone = await paidBy();
    expect(alone.paid).toBe(6_000_000n);
    // The store has not seen what was paid without it.
    const url = await made();
    await machine(url)('runs reconcile alpha --account dev2 --yes');
    const together = await paidBy(url);
    expect(together).toEqual({ paid: 3_000_000n, codes: ['paid', 'run.unfinished'] });
  });

  test('behavior: the same batch file on two machines, each with its own ledger, is paid once', async () => {
    const url = await made();
    const [one, other] = [machine(url), machine(url)];
    const file = (home: string, ids: readonly string[]): string => {
      const path = join(home, 'batch.ndjson');
      writeFileSync(path, ndjson(ids.map((id) => transfer(id, { account: 'dev7' }))));
      return path;
    };
    const run = (at: Machine, ids: readonly string[], more = '') =>
      at(`execute --batch ${file(at.home, ids)} --out ${join(at.home, 'results.ndjson')} --yes${more}`);
    const before = await held('dev7');
    expect((await run(one, ['a', 'b'])).code).toBe(0);
    const second = await run(other, ['a', 'b', 'c']);
    const results = second.lines().filter(({ type }) => type === 'result');
    expect(results.map(({ id, ok, error }) => [id, ok, error?.code])).toEqual([
      ['a', false, 'batch.begun'],
      ['b', false, 'batch.begun'],
      ['c', true, undefined],
    ]);
    expect([second.code, before - (await held('dev7'))]).toEqual([10, 3_000_000n]);
    // Who means it says so.
    const third = machine(url);
    expect((await run(third, ['a'], ' --again')).code).toBe(0);
    expect(before - (await held('dev7'))).toBe(4_000_000n);
  });

  test('behavior: two transfers of one account on two machines take one turn after the other', async () => {
    const url = await made();
    const before = await held('dev3');
    const all = await Promise.all(
      ['4', '5'].map((amount) => machine(url)(`execute ${amount} alpha/usdc beta/usdc --account dev3 --yes`)),
    );
    expect([all.map(({ code }) => code), before - (await held('dev3'))]).toEqual([[0, 0], 9_000_000n]);
    expect(await postgres.sql('select count(*), count(distinct nonce) from ferry.nonce', url)).toMatch(/^(\d+)\|\1$/);
  });

  test('error: one whose turn was taken over signs no more, and nothing is sent', async () => {
    const url = await made();
    await postgres.sql(
      `create function take_over() returns trigger language plpgsql as $$ begin update ferry.turn set epoch = epoch + 1; return null; end $$;
      create trigger take_over after insert on ferry.entry for each row when (new.text like '%"type":"plan"%') execute function take_over()`,
      url,
    );
    const [before, nonce] = [await held('dev4'), await nonceAt(sandbox.rpcUrls.alpha ?? '', accounts.dev4.address)];
    const ended = await machine(url)('execute 1 alpha/usdc beta/usdc --account dev4 --yes');
    expect(ended.json().error).toMatchObject({ code: 'store.fenced' });
    expect([await held('dev4'), await nonceAt(sandbox.rpcUrls.alpha ?? '', accounts.dev4.address)]).toEqual([
      before,
      nonce,
    ]);
    expect(await postgres.sql('select count(*) from ferry.nonce', url)).toBe('0');
    await postgres.sql('drop trigger take_over on ferry.entry', url);
    expect((await machine(url)('execute 1 alpha/usdc beta/usdc --account dev4 --yes')).code).toBe(0);
  });

  test('default: files are moved into a store, and pay no more beside it', async () => {
    const url = await made();
    const home = temporaryFolder();
    const run = (argv: string, store?: string) =>
      ferry([...argv.split(' '), '--json'], { env: { ...at(sandbox), FERRY_STORE: store }, home });
    const paid = await run('execute 1 alpha/usdc beta/usdc --gasless --account dev6 --yes');
    expect(paid.code).toBe(0);
    const folder = join(home, '.local', 'state', 'ferry');
    const journal = readFileSync(join(folder, 'runs', `${paid.json().data.run}.jsonl`), 'utf8');
    const address = run.bind(
      undefined,
      'execute 1 alpha/eth beta/eth --deposit-address --recipient 0x00000000000000000000000000000000c0FfeE21 --refund-to 0x00000000000000000000000000000000C0FFee22 --no-wait',
    );
    expect((await address()).code).toBe(0);
    const refused = await run('execute 1 alpha/usdc beta/usdc --yes', url);
    expect(refused.json().error).toMatchObject({ code: 'store.files', next: 'ferry store import' });
    const moved = await run('store import --yes', url);
    expect(moved.json().data).toMatchObject({ runs: 2, counted: 5 });
    expect(readdirSync(folder).filter((name) => name.startsWith('runs'))).toEqual([
      expect.stringMatching(/^runs\.imported-/),
    ]);
    expect((await run(`store export ${paid.json().data.run}`, url)).json().data.text).toBe(journal);
    expect((await run('runs list', url)).json().data.runs).toHaveLength(2);
    const next = await run('execute 1 alpha/usdc beta/usdc --gasless --account dev6 --yes', url);
    expect([next.json().error, next.code]).toEqual([undefined, 0]);
    expect((await run('store import --yes', url)).json().data).toMatchObject({ runs: 0, folders: [] });
  }, 20_000);

  test.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
    ['a folder', (path: string) => mkdirSync(path), 'it is not a regular file'],
  ])('error: %s in place of a journal is named, and nothing is moved', async (_, make, reason) => {
    const home = temporaryFolder();
    const path = join(home, '.local', 'state', 'ferry', 'runs', 'a.jsonl');
    mkdirSync(dirname(path), { recursive: true });
    make(path);
    const ended = await ferry(['store', 'import', '--yes', '--json'], {
      env: { ...at(sandbox), FERRY_STORE: await made() },
      home,
    });
    expect(ended.json().error).toMatchObject({ code: 'run.unreadable', facts: { file: path, reason } });
    expect(existsSync(path)).toBe(true);
  });

  test('behavior: a line that was paid from files is not paid again beside them, until they are moved', async () => {
    const url = await made();
    const home = temporaryFolder();
    const run = (argv: string, store?: string, signal?: AbortSignal) =>
      ferry([...argv.split(' '), '--json'], {
        env: { ...at(sandbox), FERRY_STORE: store },
        home,
        ...(signal && { signal }),
      });
    writeFileSync(join(home, 'batch.ndjson'), ndjson([transfer('a', { account: 'dev8' })]));
    const batch = `execute --batch ${join(home, 'batch.ndjson')} --out ${join(home, 'results.ndjson')} --yes`;
    const before = await held('dev8');
    const interrupt = new AbortController();
    const interrupted = run(batch, undefined, interrupt.signal);
    const runs = join(home, '.local', 'state', 'ferry', 'runs');
    const journals = () => (existsSync(runs) ? readdirSync(runs).filter((name) => name.endsWith('.jsonl')) : []);
    await until(() => journals().some((name) => /"signed"/.test(readFileSync(join(runs, name), 'utf8'))), 'signed');
    interrupt.abort();
    await interrupted;
    const refused = async () => expect((await run(batch, url)).json().error).toMatchObject({ code: 'store.files' });
    await refused();
    // As the error says, it is finished without the store. The ledger does not have it.
    expect((await run('resume --account dev8 --yes')).json().data.funds).toBe('delivered');
    await refused();
    // Nor is it forgotten without the index of the journals.
    rmSync(join(runs, 'index'), { recursive: true });
    await refused();
    expect((await run('store import --yes', url)).json().data.runs).toBe(1);
    expect((await run(batch, url)).json().data).toMatchObject({ succeeded: 1 });
    expect(before - (await held('dev8'))).toBe(1_000_000n);
  }, 20_000);

  test('error: no store, none that answers, and one without tables', async () => {
    expect((await machine()('store check')).json().error).toMatchObject({ code: 'store.unconfigured', exit: 2 });
    const away = machine('postgres://ferry@127.0.0.1:1/ferry');
    for (const argv of ['store check', 'execute 1 alpha/usdc beta/usdc --yes', 'runs list'])
      expect((await away(argv)).json().error).toMatchObject({ code: 'store.unreachable', exit: 3, funds: 'untouched' });
    // What a run has paid is not known where its journal cannot be read.
    for (const argv of ['resume', 'resume 1f2e3d', 'status', 'status 1f2e3d', `status 0x${'17'.repeat(32)}`])
      expect((await away(argv, { FERRY_RATE_LIMIT: '600' })).json().error).toMatchObject({
        ...{ code: 'store.unreachable', exit: 3, funds: 'unknown' },
      });
    const empty = machine(await postgres.database());
    expect((await empty('execute 1 alpha/usdc beta/usdc --yes')).json().error).toMatchObject({
      code: 'store.version',
      next: 'ferry store init',
    });
    expect((await empty('store check')).json().data.checks.at(-1)).toMatchObject({ name: 'tables', found: 'none' });
    const locked = machine('postgres://ferry:secret@127.0.0.1/ferry');
    expect((await locked('runs list')).json().error).toMatchObject({ code: 'config.invalid' });
  });

  test('error: a payment that the store cannot note once it has arrived is not untouched', async () => {
    const url = await made();
    // As a disk that is full from then on. What was claimed before signing has no dot.
    const full = `create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`;
    const at = `create trigger late before insert on ferry.counted for each row when (new.id like '%.%') execute function full_disk()`;
    await postgres.sql(`${full}; ${at}`, url);
    const before = await held('dev7');
    const ended = await machine(url)('execute 2 alpha/usdc beta/usdc --account dev7 --yes');
    const { error } = ended.json();
    expect([ended.code, error]).toMatchObject([9, { code: 'track.unfinished', funds: 'in-flight' }]);
    expect(error.next).toBe(`ferry resume ${error.run} --account dev7`);
    await postgres.sql('drop trigger late on ferry.counted', url);
    // Nor is it where its run cannot be opened.
    await postgres.sql(at.replace(/late .* when .* exec/, 'late before update on ferry.run for each row exec'), url);
    const closed = (await machine(url)(`resume ${error.run} --yes`)).json().error;
    expect(closed).toMatchObject({ code: 'store.unwritable', funds: 'unknown' });
    await postgres.sql('drop trigger late on ferry.run', url);
    expect((await machine(url)(`resume ${error.run} --yes`)).json().data.funds).toBe('delivered');
    expect(before - (await held('dev7'))).toBe(2_000_000n);
  });

  test('error: a journal in the store that somebody else has written or changed is not continued', async () => {
    const url = await made();
    const address =
      'execute 1 alpha/eth beta/eth --deposit-address --recipient 0x00000000000000000000000000000000c0FfeE21 --refund-to 0x00000000000000000000000000000000C0FFee22 --no-wait';
    const shown = await machine(url)(address);
    const { run } = shown.json().data;
    const stranger = machine(url);
    writeFileSync(join(stranger.home, '.local', 'state', 'ferry', 'secret'), `${'ab'.repeat(32)}\n`, { mode: 0o600 });
    expect((await stranger(`resume ${run} --yes`)).json().error).toMatchObject({ code: 'run.unproved' });
    await postgres.sql(`update ferry.entry set text = replace(text, '"n":1', '"n": 1') where n = 1`, url);
    expect((await machine(url)(`resume ${run} --yes`)).json().error).toMatchObject({
      code: 'run.unreadable',
      funds: 'unknown',
    });
  });
});
