import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/core/tracking/Journal.js';
import type { Runs } from '../../../src/core/tracking/RunStore.js';
import { createRuns } from '../../../src/io/runs/runFolder.js';
import { temporaryFolder } from '../../support/ferry.js';
import { hostAt } from '../../support/hostAt.js';
import { intent, transactions, unsealedTextOf } from '../../support/journals.js';

function runsIn(stateDir: string, warnings: string[] = [], now = Date.now): Runs {
  return createRuns({ ...hostAt(stateDir), now }, { warn: (text) => warnings.push(text) });
}

const { type: _, run: __, ...wanted } = intent;

/** Starts a run, appends that many of the entries after the intent, and closes it. */
async function begun(runs: Runs, entries: readonly Entry[], more: Partial<typeof wanted> = {}): Promise<string> {
  const run = await runs.create({ ...wanted, key: '0xab', ...more }, { again: true });
  for (const entry of entries.slice(1)) await run.append(entry);
  run.close();
  return run.id;
}

/** Dates a folder or a file back, as what copies it does, once the clock of the file system tells that from before. */
function isCopied(path: string): void {
  const { ctimeMs } = statSync(path);
  do utimesSync(path, 0, 0);
  while (statSync(path).ctimeMs === ctimeMs);
}

describe('create', () => {
  test('default: a private folder and file, named by the start time', async () => {
    const stateDir = join(temporaryFolder(), 'deep', 'state');
    const runs = runsIn(stateDir, [], () => Date.UTC(2026, 10, 21, 9, 30, 0));
    const id = await begun(runs, transactions);
    expect(id).toMatch(/^20261121-093000-[0-9a-f]{6}$/);
    expect(statSync(runs.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(runs.folder, `${id}.jsonl`)).mode & 0o777).toBe(0o600);
    expect((await runs.show(id)).state?.outcome?.funds).toBe('delivered');
  });

  test('behavior: a finished or unsigned run does not block the same transfer', async () => {
    const runs = runsIn(temporaryFolder());
    await begun(runs, transactions);
    await begun(runs, transactions.slice(0, 4));
    (await runs.create(wanted, { again: false })).close();
  });

  test.each([
    ['a damaged line', (text: string) => text.replace('"n":3', '"n":33')],
    ['a newer version', (text: string) => text.replaceAll('"v":2', '"v":3')],
  ])('error: a run of the same transfer that cannot be read: %s', async (_what, damaged) => {
    const runs = runsIn(temporaryFolder());
    const id = await begun(runs, transactions.slice(0, 6), { key: wanted.key });
    const path = join(runs.folder, `${id}.jsonl`);
    writeFileSync(path, damaged(readFileSync(path, 'utf8')));
    await expect(runs.create(wanted, { again: false })).rejects.toMatchObject({ code: 'run.unfinished', run: id });
    (await runs.create({ ...wanted, key: '0xcd' }, { again: false })).close();
  });

  test('error: a folder that is a file', async () => {
    const stateDir = join(temporaryFolder(), 'state');
    writeFileSync(stateDir, '');
    await expect(runsIn(stateDir).create(wanted, { again: false })).rejects.toMatchObject({
      code: 'config.unwritable',
    });
  });
});

test('open: error: no such run, or several', async () => {
  const runs = runsIn(temporaryFolder());
  await expect(runs.open('x')).rejects.toMatchObject({ code: 'run.unknown', funds: 'untouched' });
  // Somebody has that from ferry, and its journal is lost.
  const lost = '20261121-093000-1f2e3d';
  await expect(runs.open(lost)).rejects.toMatchObject({ code: 'run.unknown', funds: 'unknown' });
  await expect(runs.open('')).rejects.toMatchObject({ code: 'run.unknown' });
  await begun(runs, transactions);
  for (const name of ['20260101-000000-aa1111', '20260101-000000-bb1111'])
    writeFileSync(join(runs.folder, `${name}.jsonl`), '');
  isCopied(runs.folder);
  await expect(runs.open('1111')).rejects.toMatchObject({ code: 'run.ambiguous' });
  await expect(runs.open('aa1111')).rejects.toMatchObject({ code: 'run.unsigned' });
});

describe('unfinished', () => {
  test('behavior: rebuilds a missing index, and one that is older than the journals', async () => {
    const runs = runsIn(temporaryFolder());
    await begun(runs, transactions);
    const open = await begun(runs, transactions.slice(0, 6));
    const found = async () => (await runs.unfinished()).map(({ id }) => id);
    expect(await found()).toEqual([open]);
    rmSync(join(runs.folder, 'index'), { recursive: true });
    expect(await found()).toEqual([open]);
    // A journal that was restored.
    const restored = '20200101-000000-abcdef';
    const renamed = transactions
      .slice(0, 6)
      .map((each) => (each.type === 'intent' ? { ...each, run: restored } : each));
    writeFileSync(join(runs.folder, `${restored}.jsonl`), unsealedTextOf(renamed));
    isCopied(runs.folder);
    expect(await found()).toEqual([open, restored]);
  });

  test('behavior: notices an older version of a journal that was put back', async () => {
    const runs = runsIn(temporaryFolder());
    const id = await begun(runs, transactions);
    const path = join(runs.folder, `${id}.jsonl`);
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 6).join('\n').concat('\n'));
    isCopied(path);
    expect((await runs.unfinished()).map((run) => run.id)).toEqual([id]);
  });

  test('behavior: a mark of a run that has ended is removed', async () => {
    const runs = runsIn(temporaryFolder());
    const over = await begun(runs, transactions);
    const marks = join(runs.folder, 'index', 'open');
    expect(readdirSync(marks)).toEqual([]);
    writeFileSync(join(marks, `${over}-00000000`), '');
    expect(await runs.unfinished()).toEqual([]);
    expect(readdirSync(marks)).toEqual([]);
  });
});

test('ofLedger: the runs of each wanted line, newest first, whatever became of it, with a rebuilt index as well', async () => {
  let now = Date.UTC(2026, 0, 1);
  const runs = runsIn(temporaryFolder(), [], () => (now += 1000));
  const place = { network: wanted.network, instance: wanted.instance };
  const of = (id: string) => begun(runs, transactions, { line: { ledger: '/l', id, digest: 'd' } });
  const first = await of('a');
  const newest = [await of('a'), await of('b')];
  await runs.recorded(newest[0] ?? '');
  const found = async () =>
    [...(await runs.ofLedger('/l', place, ({ id }) => id === 'a')).values()].map((begun) =>
      begun.map(({ run, line }) => [run, line.id]),
    );
  const expected = [
    [newest[0], 'a'],
    [first, 'a'],
  ];
  expect(await found()).toEqual([expected]);
  rmSync(join(runs.folder, 'index'), { recursive: true });
  expect(await found()).toEqual([expected]);
  expect(await runs.ofLedger('/m', place, () => true)).toEqual(new Map());
  expect(await runs.ofLedger('/l', { ...place, network: 'x' }, () => true)).toEqual(new Map());
});

describe('unrecordedLines', () => {
  const place = { network: wanted.network, instance: wanted.instance };
  const line = { ledger: '/ledger', id: 'a', digest: 'd' };

  test('default: lines that are unfinished, or have ended without a result in the ledger', async () => {
    const runs = runsIn(temporaryFolder());
    const ended = await begun(runs, transactions, { line });
    const open = await begun(runs, transactions.slice(0, 6), { line: { ...line, id: 'b' } });
    await begun(runs, transactions.slice(0, 6));
    const found = async () => (await runs.unrecordedLines(place)).map(({ run, line: { id } }) => [run, id]).sort();
    const both = [
      [ended, 'a'],
      [open, 'b'],
    ].sort();
    expect(await found()).toEqual(both);
    rmSync(join(runs.folder, 'index'), { recursive: true });
    expect(await found()).toEqual(both);
    await runs.recorded(ended);
    await runs.recorded(open);
    expect(await found()).toEqual([[open, 'b']]);
    expect(await runs.unrecordedLines({ network: 'mainnet', instance: null })).toEqual([]);
  });

  test('behavior: a run that is looked at again since its journal is as young as the marks stays recorded', async () => {
    const runs = runsIn(temporaryFolder());
    const id = await begun(runs, transactions, { line });
    await runs.recorded(id);
    isCopied(join(runs.folder, `${id}.jsonl`));
    expect(await runs.unfinished()).toEqual([]);
    expect(await runs.unrecordedLines(place)).toEqual([]);
  });

  test('behavior: a rebuilt index knows which results are in the ledger', async () => {
    const runs = runsIn(temporaryFolder());
    const ledger = join(runs.folder, '..', 'results.ndjson');
    await begun(runs, transactions, { line: { ...line, ledger } });
    writeFileSync(ledger, `${JSON.stringify({ id: 'a', digest: 'd' })}\n`);
    rmSync(join(runs.folder, 'index'), { recursive: true });
    expect(await runs.unrecordedLines(place)).toEqual([]);
  });
});

test('list: newest first, unreadable runs with their problem', async () => {
  let now = Date.UTC(2026, 0, 1);
  const runs = runsIn(temporaryFolder(), [], () => (now += 1000));
  const ids = [await begun(runs, transactions), await begun(runs, transactions.slice(0, 5))];
  writeFileSync(join(runs.folder, '20250101-000000-000000.jsonl'), 'no\n');
  isCopied(runs.folder);
  const listed = await runs.list(20);
  expect(listed.map(({ id }) => id)).toEqual([ids[1], ids[0], '20250101-000000-000000']);
  expect(listed[2]?.problem?.code).toBe('run.unreadable');
  expect(await runs.list(1)).toHaveLength(1);
});

describe('open, of who wrote it', () => {
  test('behavior: a journal from before, or of another secret, is read and is nobody’s', async () => {
    const stateDir = temporaryFolder();
    const id = await begun(runsIn(stateDir), transactions.slice(0, 6));
    rmSync(join(stateDir, 'secret'));
    expect((await runsIn(stateDir).show(id)).isOwn).toBe(false);
    const old = '20260101-000000-aa1111';
    const entries = transactions.slice(0, 6).map((each) => (each.type === 'intent' ? { ...each, run: old } : each));
    writeFileSync(join(stateDir, 'runs', `${old}.jsonl`), unsealedTextOf(entries));
    const run = await runsIn(stateDir).open(old);
    run.close();
    expect([run.isOwn, run.state().summary]).toEqual([false, intent.summary]);
  });

  test('error: the journal of a run under another name', async () => {
    const runs = runsIn(temporaryFolder());
    const id = await begun(runs, transactions.slice(0, 6));
    copyFileSync(join(runs.folder, `${id}.jsonl`), join(runs.folder, '20260101-000000-aa1111.jsonl'));
    await expect(runs.open('20260101-000000-aa1111')).rejects.toMatchObject({
      code: 'run.unreadable',
      funds: 'unknown',
    });
  });

  test('error: a journal or a folder that others can write to', async () => {
    const stateDir = temporaryFolder();
    const runs = runsIn(stateDir);
    const id = await begun(runs, transactions.slice(0, 6));
    chmodSync(join(runs.folder, `${id}.jsonl`), 0o666);
    await expect(runs.open(id)).rejects.toMatchObject({ code: 'state.untrusted', funds: 'unknown' });
    chmodSync(join(runs.folder, `${id}.jsonl`), 0o600);
    chmodSync(stateDir, 0o777);
    await expect(runs.open(id)).rejects.toMatchObject({ code: 'state.untrusted', next: `chmod go-w ${stateDir}` });
    await expect(runs.create(wanted, { again: true })).rejects.toMatchObject({ code: 'state.untrusted' });
    await expect(runs.unfinished()).rejects.toMatchObject({ code: 'state.untrusted' });
  });
});
