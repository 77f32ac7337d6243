/** What every store must do: the same cases on files and on PostgreSQL, each as two machines that share one. */
import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as RateLimit from '../../../src/core/network/RateLimit.js';
import type { Counted, NonceCounter, Nonces, Turn } from '../../../src/core/ports/Ports.js';
import type { Entry } from '../../../src/core/tracking/Journal.js';
import type { Run, Runs } from '../../../src/core/tracking/RunStore.js';
import { createRateFile, type RateState } from '../../../src/io/http/rateLimitState.js';
import { createCounted } from '../../../src/io/locks/countedPayments.js';
import { createStoreControl } from '../../../src/io/postgres/controlStore.js';
import { openStore } from '../../../src/io/postgres/openStore.js';
import * as schema from '../../../src/io/postgres/schema.js';
import { connect } from '../../../src/io/postgres/session.js';
import { createRuns } from '../../../src/io/runs/runFolder.js';
import { createNonces } from '../../../src/io/state/nonceLocks.js';
import * as nonceRecord from '../../../src/io/state/nonceRecord.js';
import { countedPayments } from '../../../src/io/state/paths.js';
import * as userSecret from '../../../src/io/state/userSecret.js';
import { temporaryFolder } from '../../support/ferry.js';
import { hostAt } from '../../support/hostAt.js';
import { intent, transactions } from '../../support/journals.js';
import { type Postgres, programs, startPostgres } from '../../support/postgres.js';

/** What one machine sees of the store. */
type Machine = {
  runs: Runs;
  nonces: Nonces;
  counted: Counted;
  rates: RateState;
  /** Resolves once others see what it has done. */
  settled(): Promise<unknown>;
};

/** Makes a new store, and gives as many machines on it as are asked for. */
type MakeStore = () => Promise<() => Promise<Machine>>;

let postgres: Postgres | undefined;
beforeAll(async () => {
  if (programs) postgres = await startPostgres();
}, 30_000);
afterAll(() => postgres?.stop());

const limits = { quote: 2 };

async function inFiles(): Promise<() => Promise<Machine>> {
  const host = hostAt(temporaryFolder());
  return async () => ({
    runs: createRuns(host, { warn: () => {} }),
    nonces: createNonces({ host, timeoutMs: 300 }),
    counted: createCounted(countedPayments(host), async () => 'chains'),
    rates: createRateFile({ host, random: Math.random, limits, origin: 'x', apiKey: 'y' }),
    settled: async () => {},
  });
}

/** The database that was made last. */
let latest = '';

async function inPostgres(): Promise<() => Promise<Machine>> {
  const url = (await postgres?.database()) ?? '';
  latest = url;
  const session = await connect({ url, env: {} });
  await schema.migrate(session);
  await session.end();
  const secret = temporaryFolder();
  userSecret.findOrMake(hostAt(secret));
  return async () => {
    const stateDir = temporaryFolder();
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    cpSync(join(secret, 'secret'), join(stateDir, 'secret'));
    const host = hostAt(stateDir);
    const options = { url, env: {}, isAsyncAccepted: false, host, seal: userSecret.sealing(host), warn: () => {} };
    const store = await openStore(options);
    onTestFinished(() => store.session.end());
    const { runs } = store;
    const rates = store.rates({ origin: 'x', apiKey: 'y' });
    const settled = () => store.session.query('select 1');
    return { runs, nonces: store.nonces(300), counted: store.counted(async () => 'chains'), rates, settled };
  };
}

async function two(make: MakeStore): Promise<[Machine, Machine]> {
  const machine = await make();
  return [await machine(), await machine()];
}

const { type: _, run: __, ...wanted } = intent;
const counter: NonceCounter = { chainId: 1, chain: 'alpha', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' };

async function take(nonces: Nonces, of: NonceCounter = counter): Promise<Turn> {
  const taking = nonces.take(of);
  for (;;) {
    const step = await taking.next();
    if (step.done) return step.value;
  }
}

/** Starts a run, appends that many of the entries after the intent, and closes it. */
async function begun(runs: Runs, count = transactions.length, more: Partial<typeof wanted> = {}): Promise<string> {
  const run = await runs.create({ ...wanted, ...more }, { again: true });
  for (const entry of transactions.slice(1, count)) await run.append(entry);
  await close(run, runs);
  return run.id;
}

/** Closes a run, and waits until others can open it. */
async function close(run: Run, runs: Runs): Promise<void> {
  run.close();
  await expect.poll(async () => (await runs.show(run.id)).isHeld, { interval: 10 }).toBe(false);
}

const stores: [name: string, make: MakeStore][] = [
  ['files', inFiles],
  ['PostgreSQL', inPostgres],
];

describe.each(stores.filter(([name]) => name === 'files' || programs))('a store in %s', (_name, make) => {
  test('default: another machine reads what one has written, as its own', async () => {
    const [one, other] = await two(make);
    const id = await begun(one.runs);
    const found = await other.runs.show(id.slice(-6));
    expect(found).toMatchObject({ id, isOwn: true, isHeld: false, problem: undefined });
    expect(found.lines.map(({ entry }) => entry)).toEqual([{ ...intent, run: id }, ...transactions.slice(1)]);
    expect((await other.runs.list(10)).map((run) => run.id)).toEqual([id]);
    expect(await other.runs.unfinished()).toEqual([]);
  });

  test('behavior: a run is of one machine at a time, and goes on where it stopped', async () => {
    const [one, other] = await two(make);
    const held = await one.runs.create(wanted, { again: false });
    await expect(other.runs.open(held.id)).rejects.toMatchObject({ code: 'run.busy' });
    expect(await other.runs.show(held.id)).toMatchObject({ isHeld: true });
    for (const entry of transactions.slice(1, 5)) await held.append(entry);
    await close(held, other.runs);
    const resumed = await other.runs.open(held.id);
    expect(resumed.isOwn).toBe(true);
    for (const entry of transactions.slice(5)) await resumed.append(entry);
    await close(resumed, one.runs);
    expect((await one.runs.show(held.id)).state?.outcome?.funds).toBe('delivered');
  });

  test('behavior: the same transfer is started once, wherever', async () => {
    const [one, other] = await two(make);
    const held = await one.runs.create(wanted, { again: false });
    await expect(other.runs.create(wanted, { again: false })).rejects.toMatchObject({
      code: 'run.unfinished',
      run: held.id,
    });
    for (const entry of transactions.slice(1, 5)) await held.append(entry);
    await close(held, other.runs);
    await expect(other.runs.create(wanted, { again: false })).rejects.toMatchObject({ code: 'run.unfinished' });
    (await other.runs.create({ ...wanted, key: '0xcd' }, { again: false })).close();
    expect((await one.runs.unfinished()).map(({ id }) => id)).toEqual([held.id]);
    const resumed = await other.runs.open(held.id);
    for (const entry of transactions.slice(5)) await resumed.append(entry);
    await close(resumed, one.runs);
    (await one.runs.create(wanted, { again: false })).close();
  });

  test('behavior: of many that start the same transfer at once, one does', async () => {
    const machine = await make();
    const machines = await Promise.all(Array.from({ length: 4 }, machine));
    const started = await Promise.allSettled(machines.map(({ runs }) => runs.create(wanted, { again: false })));
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of started) if (each.status === 'fulfilled') each.value.close();
  });

  test('behavior: a run is found by the end of its name, if only one has it', async () => {
    const { runs } = await (await make())();
    const ids = [await begun(runs), await begun(runs, 3)];
    expect((await runs.show(ids[0]?.slice(-6) ?? '')).id).toBe(ids[0]);
    await expect(runs.show('no-such')).rejects.toMatchObject({ code: 'run.unknown' });
    await expect(runs.show('')).rejects.toMatchObject({ code: 'run.unknown' });
    await expect(runs.show('-')).rejects.toMatchObject({ code: 'run.unknown' });
  });

  test('behavior: the lines of a ledger are found, those without a result too', async () => {
    const [one, other] = await two(make);
    const place = { network: wanted.network, instance: wanted.instance };
    const line = (id: string) => ({ ledger: '/x/results', id, digest: `d${id}` });
    const [a, b] = [
      await begun(one.runs, undefined, { line: line('a'), key: '0xa' }),
      await begun(one.runs, 5, { line: line('b'), key: '0xb' }),
    ];
    const found = await other.runs.ofLedger('/x/results', place, ({ digest }) => digest.startsWith('d'));
    expect([...found.values()].map((runs) => runs.map(({ run }) => run)).sort()).toEqual([[a], [b]].sort());
    expect((await other.runs.ofLedger('/x/results', { ...place, instance: 'two' }, () => true)).size).toBe(0);
    expect((await other.runs.unrecordedLines(place)).map(({ run }) => run).sort()).toEqual([a, b].sort());
    await one.runs.recorded(a);
    expect((await other.runs.unrecordedLines(place)).map(({ run }) => run)).toEqual([b]);
  });

  test('behavior: old runs that have ended are removed, and no others', async () => {
    const { runs } = await (await make())();
    const [ended, open] = [await begun(runs), await begun(runs, 5, { key: '0xcd' })];
    expect(await runs.prune({ beforeMs: Date.now() + 60_000, keep: 2 })).toEqual([]);
    expect(await runs.prune({ beforeMs: Date.now() - 60_000, keep: 0 })).toEqual([]);
    const newest = await begun(runs, undefined, { key: '0xef' });
    expect(await runs.prune({ beforeMs: Date.now() + 60_000, keep: 2 })).toEqual([ended]);
    expect((await runs.list(10)).map(({ id }) => id)).toEqual([newest, open]);
    expect(await runs.prune({ beforeMs: Date.now() + 60_000, keep: 0 })).toEqual([newest]);
    expect((await runs.list(10)).map(({ id }) => id)).toEqual([open]);
  });

  test('behavior: the run of a line is kept until its ledger has it', async () => {
    const { runs } = await (await make())();
    const id = await begun(runs, undefined, { line: { ledger: '/x/results', id: 'a', digest: 'd' } });
    const all = { beforeMs: Date.now() + 60_000, keep: 0 };
    expect(await runs.prune(all)).toEqual([]);
    await runs.recorded(id);
    expect(await runs.prune(all)).toEqual([id]);
  });

  test('behavior: a run that has ended stays ended when somebody looks for its end again', async () => {
    const { runs } = await (await make())();
    const id = await begun(runs);
    const again = await runs.open(id);
    await again.append({ type: 'status', status: 'success' });
    await close(again, runs);
    expect(await runs.unfinished()).toEqual([]);
    expect(await runs.prune({ beforeMs: Date.now() + 60_000, keep: 0 })).toEqual([id]);
  });

  test('default: a turn is of one machine at a time, and the next knows what was used', async () => {
    const [one, other] = await two(make);
    const turn = await take(one.nonces);
    expect(turn.known()).toBeUndefined();
    turn.use(5n);
    turn.use(9n, 'batch');
    await turn.commit();
    await expect(take(other.nonces)).rejects.toMatchObject({ code: 'submit.busy' });
    await expect(take(one.nonces)).rejects.toMatchObject({ code: 'submit.busy' });
    turn.release();
    turn.release();
    await one.settled();
    const next = await take(other.nonces);
    expect([next.known(), next.known('batch'), next.known('other')]).toEqual([5n, 9n, undefined]);
    next.use(3n);
    expect(next.known()).toBe(5n);
    next.release();
    const elsewhere = await take(other.nonces, { ...counter, chainId: 2 });
    expect(elsewhere.known()).toBeUndefined();
    elsewhere.release();
  });

  test('behavior: a nonce is durable once the entry that announces it is', async () => {
    const [one, other] = await two(make);
    const turn = await take(one.nonces);
    const run = await one.runs.create(wanted, { again: false });
    for (const entry of transactions.slice(1, 4)) await run.append(entry);
    const signed = transactions[4];
    if (signed?.type !== 'signed') throw new Error('The fifth entry is a signature.');
    turn.use(BigInt(signed.nonce) + 1n);
    await run.append(signed, turn);
    run.close();
    turn.release();
    await one.settled();
    const next = await take(other.nonces);
    expect(next.known()).toBe(BigInt(signed.nonce) + 1n);
    next.release();
  });

  test('default: a payment is counted for one transfer', async () => {
    const [one, other] = await two(make);
    const counts = await Promise.all([one, other].map(({ counted }) => counted.count('1.0xab.0', 'a')));
    expect(counts).toEqual([true, true]);
    expect(await other.counted.count('1.0xab.0', 'b')).toBe(false);
    expect(await other.counted.count('1.0xab.1', 'b')).toBe(true);
    const owners = ['1.0xab.0', '1.0xab.1', '1.0xab.2'].map((id) => one.counted.ownerOf(id));
    expect(await Promise.all(owners)).toEqual(['a', 'b', undefined]);
  });

  test('default: machines share a rate limit', async () => {
    const machine = await make();
    const machines = await Promise.all(Array.from({ length: 3 }, machine));
    const waits: number[] = [];
    for (const { rates } of machines) {
      const asked = () => ({ limits, path: '/quote/v2', nowMs: rates.now() });
      waits.push((await rates.change((before) => RateLimit.take(before, asked(), 120_000))).waitMs);
    }
    expect(waits[0]).toBe(0);
    expect(waits[1]).toBeGreaterThan(10_000);
    expect(waits[2]).toBeGreaterThan((waits[1] ?? 0) + 10_000);
  });
});

describe.skipIf(!programs)('runs of files that are moved into a store', () => {
  /** Files of a machine, and the store that they are moved into. */
  const moving = async () => {
    const stateDir = temporaryFolder();
    const host = hostAt(stateDir);
    const files = createRuns(host, { warn: () => {} });
    const { runs } = await (await inPostgres())();
    const session = await connect({ url: latest, env: {} });
    onTestFinished(() => session.end());
    const options = { session, isAsyncAccepted: false, host, seal: userSecret.sealing(host), warn: () => {} };
    return { folder: join(stateDir, 'runs'), files, runs, control: createStoreControl(options) };
  };

  test('behavior: a line whose result is in its ledger stays recorded, and no other', async () => {
    const { files, control, runs } = await moving();
    const of = (id: string) => ({ line: { ledger: '/gone/results.ndjson', id, digest: '0x01' } });
    const recorded = await begun(files, undefined, of('recorded'));
    await files.recorded(recorded);
    const ended = await begun(files, undefined, of('ended'));
    const stopped = await begun(files, 5, of('stopped'));
    expect(await control.importFiles()).toMatchObject({ runs: 3 });
    const unrecorded = await runs.unrecordedLines({ network: 'sandbox', instance: 'one' });
    expect(unrecorded.map(({ run }) => run).sort()).toEqual([ended, stopped].sort());
  });

  test('error: nothing is moved while a process has a run', async () => {
    const { files, control } = await moving();
    const run = await files.create(wanted, { again: true });
    await expect(control.importFiles()).rejects.toMatchObject({ code: 'run.busy', run: run.id });
    await close(run, files);
    expect(await control.importFiles()).toMatchObject({ runs: 1 });
  });

  test('behavior: what a run has done since it was moved, and before its folder was renamed, is moved too', async () => {
    const { folder, files, control, runs } = await moving();
    const id = await begun(files, 5);
    cpSync(folder, `${folder}.kept`, { recursive: true });
    await control.importFiles();
    renameSync(`${folder}.kept`, folder);
    const run = await files.open(id);
    for (const entry of transactions.slice(5)) await run.append(entry);
    await close(run, files);
    const { lines } = await files.show(id);
    await control.importFiles();
    expect((await runs.show(id)).lines).toEqual(lines);
    expect(await runs.unfinished()).toEqual([]);
  });

  test('error: of a copy whose run went on otherwise than in the store, no nonces are moved', async () => {
    const { folder, files, control, runs } = await moving();
    const id = await begun(files, 5);
    cpSync(folder, `${folder}.copy`, { recursive: true });
    await control.importFiles();
    renameSync(`${folder}.copy`, folder);
    const words = [
      [runs, 'waiting'],
      [files, 'pending'],
    ] as const;
    for (const [store, status] of words) {
      const run = await store.open(id);
      await run.append({ type: 'status', status });
      await close(run, store);
    }
    nonceRecord.write(join(folder, '../nonces/1-0xaa.json'), { '': 5n });
    expect(await control.importFiles()).toMatchObject({ runs: 1, counters: 0 });
  });
});

test.skipIf(!programs)(
  'one of two machines begins a line at once, each for an account and a ledger of its own',
  async () => {
    const machines = await two(inPostgres);
    const held = await connect({ url: latest, env: {} });
    const line = (ledger: string) => ({ ledger, id: 'a', digest: '0xd1' });
    const begin = ({ runs }: Machine, n: number): Promise<Run> =>
      runs.create({ ...wanted, key: `0x0${n}`, line: line(`/${n}/results`), command: null }, { again: false });
    let beginning: Promise<PromiseSettledResult<Run>[]> = Promise.resolve([]);
    await held.transaction(async (query) => {
      await query('lock table ferry.run in share row exclusive mode');
      beginning = Promise.allSettled(machines.map(begin));
      // Both have looked whether somebody has begun it, or wait to do so.
      const waiting = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(() => postgres?.sql(waiting, latest)).toBe('2');
    });
    await held.end();
    const codes = (await beginning).map((each) => (each.status === 'rejected' ? each.reason.code : 'begun'));
    expect(codes.sort()).toEqual(['begun', 'run.unfinished']);
  },
);

describe.skipIf(!programs)('the runs of a line of a shared batch', () => {
  const line = { ledger: 'batch:pay', id: 'a', digest: '0xd1' };
  const paying = { ...wanted, line, command: null };
  const untouched = { type: 'outcome', status: 'cancelled', funds: 'untouched', code: null } as const;

  test.each([
    ['is signed', 'run.unfinished', transactions.slice(1, 5)],
    ['was paid', 'batch.begun', transactions.slice(1)],
  ])('error: another is not made while one %s, under any key, with or without --again', async (_, code, entries) => {
    const machine = await inPostgres();
    const { runs } = await machine();
    const first = await runs.create(paying, { again: false });
    for (const entry of entries) await first.append(entry);
    await close(first, runs);
    for (const [key, again] of [
      ['0xab', false],
      ['0xcd', false],
      ['0xcd', true],
    ] as const)
      await expect(runs.create({ ...paying, key }, { again })).rejects.toMatchObject({ code, run: first.id });
    (await runs.create({ ...paying, line: { ...line, id: 'b' } }, { again: false })).close();
  });

  test('behavior: another is made after one that signed nothing, or that ended untouched', async () => {
    const [one, other] = await two(inPostgres);
    const unsigned = await one.runs.create(paying, { again: false });
    await expect(other.runs.create(paying, { again: false })).rejects.toMatchObject({ code: 'run.unfinished' });
    await close(unsigned, other.runs);
    const voided = await other.runs.create(paying, { again: false });
    for (const entry of transactions.slice(1, 5)) await voided.append(entry);
    await voided.append(untouched);
    await close(voided, other.runs);
    const last = await one.runs.create(paying, { again: false });
    // In the order in which they were begun, although they began within one second.
    expect((await other.runs.list(10)).map(({ id }) => id)).toEqual([last.id, voided.id, unsigned.id]);
    last.close();
  });
});

describe.skipIf(!programs)('a run that another process has opened since', () => {
  const call = { type: 'call', request: {} } as const;
  const replacement = {
    type: 'replacement',
    step: 0,
    purpose: 'speed-up',
    bytes: '0x02',
    txHash: '0x03',
    nonce: 0,
  } as const;

  test.each([
    ['a call', { kind: 'call' } as const, [], call],
    ['a replacement', {}, transactions.slice(1, 5), replacement],
  ])('error: %s, which has no turn, is not written by the one before', async (_, more, entries, entry) => {
    const machine = await inPostgres();
    const { runs } = await machine();
    const run = await runs.create({ ...wanted, ...more }, { again: false });
    for (const each of entries) await run.append(each);
    // Its session lives, and its locks are gone.
    await postgres?.sql('update ferry.run set epoch = epoch + 1', latest);
    await expect(run.append(entry)).rejects.toMatchObject({ code: 'store.fenced' });
    expect((await runs.show(run.id)).lines.map((line) => line.entry.type)).not.toContain(entry.type);
    run.close();
  });

  test('default: who has opened it writes them', async () => {
    const [one, other] = await two(inPostgres);
    const run = await one.runs.create({ ...wanted, kind: 'call' }, { again: false });
    await close(run, other.runs);
    const again = await other.runs.open(run.id);
    await again.append(call);
    again.close();
  });
});

test.skipIf(!programs)('each nonce of a turn is kept with the transaction that used it', async () => {
  const machine = await inPostgres();
  const { runs, nonces } = await machine();
  const turn = await take(nonces);
  const run = await runs.create(wanted, { again: false });
  const signed = transactions.filter(({ type }) => type === 'signed') as Extract<Entry, { type: 'signed' }>[];
  for (const entry of transactions.slice(1, 4)) await run.append(entry);
  // Both are used before the first is written, as where an approval and its payment leave together.
  for (const { nonce } of signed) turn.use(BigInt(nonce) + 1n);
  for (const entry of signed) await run.append(entry, turn);
  for (const { step, txHash } of signed) await run.append({ type: 'broadcast', step, txHash }, turn);
  const kept = await postgres?.sql('select nonce, tx_hash from ferry.nonce order by nonce', latest);
  expect(kept).toBe(signed.map(({ nonce, txHash }) => `${nonce}|${txHash}`).join('\n'));
  await run.append({ type: 'outcome', status: 'success', funds: 'delivered', code: null }, turn);
  expect(await postgres?.sql('select nonce, tx_hash from ferry.nonce order by nonce', latest)).toBe(kept);
  turn.release();
  run.close();
});
