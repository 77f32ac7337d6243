import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchLedger } from '../../../src/core/batch/BatchLedger.js';
import * as ledgerFile from '../../../src/io/state/ledgerFile.js';
import { temporaryFolder } from '../../support/ferry.js';

const owner = { command: 'quote', network: 'sandbox' } as const;
const line = (id: string): string =>
  JSON.stringify({ network: 'sandbox', command: 'quote', id, digest: `0x${id}`, ok: true, data: 'ä', error: null });
const none = { succeeded: 0, failed: 0, worst: null };
const known = (ledger: BatchLedger, ids: readonly string[]): unknown[] =>
  ids.map((id) => ledger.find({ id, digest: `0x${id}` }));

describe('open', () => {
  test('default: created, written, closed and continued', async () => {
    const cwd = temporaryFolder();
    const ledger = await ledgerFile.open('l.ndjson', owner, { cwd });
    expect([ledger.path, ledger.isTorn, ledger.before]).toEqual([join(cwd, 'l.ndjson'), false, none]);
    ledger.append(line('1'));
    ledger.append(line('2'));
    ledger.sync();
    ledger.close();
    expect(statSync(ledger.path).mode & 0o777).toBe(0o600);
    const again = await ledgerFile.open('l.ndjson', owner, { cwd });
    expect(again.before).toEqual({ succeeded: 2, failed: 0, worst: null });
    expect(known(again, ['1', '2', '3'])).toEqual(['same', 'same', undefined]);
    expect(again.find({ id: '1', digest: '0x2' })).toBe('other');
    again.append(line('3'));
    again.close();
    expect(readFileSync(ledger.path, 'utf8')).toBe(`${line('1')}\n${line('2')}\n${line('3')}\n`);
    expect(existsSync(`${ledger.path}.lock`)).toBe(false);
  });

  test('behavior: torn at any byte, continues after the last whole line', async () => {
    const cwd = temporaryFolder();
    const whole = Buffer.from(`${line('1')}\n${line('2')}\n`);
    const first = Buffer.byteLength(line('1')) + 1;
    for (let size = 0; size <= whole.length; size++) {
      writeFileSync(join(cwd, 'l'), whole.subarray(0, size));
      const ledger = await ledgerFile.open('l', owner, { cwd });
      const expected = size === whole.length ? 2 : size >= first ? 1 : 0;
      expect(ledger.before.succeeded).toBe(expected);
      expect(ledger.isTorn).toBe(![0, first, whole.length].includes(size));
      ledger.append(line('9'));
      ledger.close();
      expect(
        readFileSync(ledger.path, 'utf8')
          .trimEnd()
          .split('\n')
          .map((each) => JSON.parse(each).id),
      ).toEqual([['9'], ['1', '9'], ['1', '2', '9']][expected]);
    }
  });

  test('behavior: drops failures that moved nothing if they are to be retried', async () => {
    const cwd = temporaryFolder();
    const failed = (id: string, funds: string): string =>
      JSON.stringify({ ...JSON.parse(line(id)), ok: false, error: { code: 'service.timeout', funds } });
    const text = [line('1'), failed('2', 'untouched'), failed('3', 'in-flight'), failed('4', 'untouched'), 'torn'];
    writeFileSync(join(cwd, 'l'), text.join('\n'));
    const kept = await ledgerFile.open('l', owner, { cwd });
    expect([kept.isTorn, kept.before]).toEqual([true, { succeeded: 1, failed: 3, worst: 'service.timeout' }]);
    expect(known(kept, ['1', '2', '3', '4'])).toEqual(['same', 'same', 'same', 'same']);
    const others = ['1', '2', '3'].map((id) => kept.find({ id, digest: '0x9' }));
    expect(others).toEqual(['other', 'other-untouched', 'other']);
    kept.close();
    writeFileSync(join(cwd, 'l'), text.join('\n'));
    const ledger = await ledgerFile.open('l', { ...owner, retryFailed: true }, { cwd });
    expect([ledger.isTorn, ledger.before]).toEqual([true, { succeeded: 1, failed: 1, worst: 'service.timeout' }]);
    expect(known(ledger, ['1', '2', '3', '4'])).toEqual(['same', undefined, 'same', undefined]);
    ledger.append(line('2'));
    ledger.close();
    expect(readFileSync(join(cwd, 'l'), 'utf8')).toBe(`${text[0]}\n${text[2]}\n${line('2')}\n`);
    expect(readdirSync(cwd)).toEqual(['l']);
  });

  test.each([
    ['is damaged in the middle', `${line('1')}\n{"id":\n${line('2')}\n`, 'line 2 is not a batch result'],
    ['has an id twice', `${line('1')}\n${line('1')}\n`, 'line 2 repeats the id of an earlier line'],
    ['holds other results', `${line('1').replace('quote', 'execute')}\n`, 'it contains results of ferry execute'],
  ])('error: a ledger that %s is left unchanged', async (_, text, why) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'l'), text);
    await expect(ledgerFile.open('l', owner, { cwd })).rejects.toMatchObject({
      code: 'batch.ledger',
      message: `The ledger cannot be continued: ${why}.`,
    });
    expect(readFileSync(join(cwd, 'l'), 'utf8')).toBe(text);
    expect(existsSync(join(cwd, 'l.lock'))).toBe(false);
  });

  test('error: a ledger that another process is writing', async () => {
    const cwd = temporaryFolder();
    const ledger = await ledgerFile.open('l', owner, { cwd });
    await expect(ledgerFile.open('l', owner, { cwd })).rejects.toMatchObject({ code: 'run.busy' });
    ledger.append(line('1'));
    ledger.close();
    (await ledgerFile.open('l', owner, { cwd })).close();
  });

  test('error: not a file, no folder, a full disk', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'folder'));
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    await expect(ledgerFile.open('folder', owner, { cwd })).rejects.toMatchObject({ code: 'config.unwritable' });
    await expect(ledgerFile.open('missing/l', owner, { cwd })).rejects.toMatchObject({ code: 'config.unwritable' });
    await expect(ledgerFile.open('pipe', owner, { cwd })).rejects.toThrow(
      'it is not a regular file, so it could not be read again',
    );
  });

  test.each<[how: string, change: (path: string) => void]>([
    ['another file in its place', (path) => execFileSync('sed', ['-i', 's/a/a/', path])],
    ['written over', (path) => writeFileSync(path, '')],
    ['removed', (path) => rmSync(path)],
  ])('error: changed while it is written: %s', async (_, change) => {
    const ledger = await ledgerFile.open('l.ndjson', owner, { cwd: temporaryFolder() });
    ledger.append(line('1'));
    ledger.sync();
    change(ledger.path);
    ledger.append(line('2'));
    expect(() => ledger.sync()).toThrow(expect.objectContaining({ code: 'batch.ledger' }));
    ledger.close();
  });

  test('error: another file of one line without an end stays as it is', async () => {
    const cwd = temporaryFolder();
    for (const text of ['a secret of the user', '{"version":3}', '[1]', '7']) {
      writeFileSync(join(cwd, 'file'), text);
      await expect(ledgerFile.open('file', owner, { cwd })).rejects.toMatchObject({ code: 'batch.ledger' });
      expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe(text);
    }
  });

  test('error: a link in a folder that others can write to', async () => {
    const cwd = temporaryFolder();
    const shared = join(cwd, 'shared');
    mkdirSync(shared);
    writeFileSync(join(cwd, 'other'), `${line('1')}\n`, { mode: 0o600 });
    symlinkSync('../other', join(shared, 'l'));
    chmodSync(shared, 0o1777);
    await expect(ledgerFile.open('shared/l', owner, { cwd })).rejects.toMatchObject({ code: 'config.unwritable' });
    chmodSync(shared, 0o755);
    const own = await ledgerFile.open('shared/l', owner, { cwd });
    expect(own.before.succeeded).toBe(1);
    own.close();
  });

  test('behavior: retrying follows no link that somebody put beside the ledger', async () => {
    const cwd = temporaryFolder();
    const failed = JSON.stringify({
      ...JSON.parse(line('2')),
      ...{ ok: false, data: null, error: { code: 'service.unreachable', funds: 'untouched', retryable: true } },
    });
    writeFileSync(join(cwd, 'l'), `${line('1')}\n${failed}\n`, { mode: 0o600 });
    writeFileSync(join(cwd, 'precious'), 'precious');
    symlinkSync('precious', join(cwd, 'l.new'));
    (await ledgerFile.open('l', { ...owner, retryFailed: true }, { cwd })).close();
    expect(readFileSync(join(cwd, 'l'), 'utf8')).toBe(`${line('1')}\n`);
    expect(readFileSync(join(cwd, 'precious'), 'utf8')).toBe('precious');
    expect(readdirSync(cwd).sort()).toEqual(['l', 'l.new', 'precious']);
  });

  test('error: one that others can write to says which lines are paid', async () => {
    const cwd = temporaryFolder();
    const path = join(cwd, 'l');
    writeFileSync(path, `${line('1')}\n`);
    chmodSync(path, 0o664);
    await expect(ledgerFile.open('l', owner, { cwd })).rejects.toMatchObject({
      ...{ code: 'state.untrusted', funds: 'untouched', next: 'chmod go-w l' },
      hint: expect.not.stringContaining('FERRY_STATE_DIR'),
    });
    chmodSync(path, 0o644);
    (await ledgerFile.open('l', owner, { cwd })).close();
  });

  test('behavior: a ledger edited by hand may end with empty lines', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'l'), `${line('1')}\n`);
    appendFileSync(join(cwd, 'l'), '\n\n');
    chmodSync(join(cwd, 'l'), 0o644);
    const ledger = await ledgerFile.open('l', owner, { cwd });
    expect([ledger.isTorn, ledger.before.succeeded]).toEqual([false, 1]);
    ledger.close();
  });
});
