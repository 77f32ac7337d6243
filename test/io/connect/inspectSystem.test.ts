import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as Keystore from '../../../src/core/accounts/Keystore.js';
import { createMachine } from '../../../src/io/connect/inspectSystem.js';
import { deadLock, lockOf } from '../../support/locks.js';
import { workbench } from '../../support/workbench.js';

const address = '0x1111111111111111111111111111111111111111';
const sealed = { ciphertext: '01'.repeat(32), iv: '02'.repeat(16), mac: '03'.repeat(32) };
const keystore = Keystore.format({ address, ...sealed, kdf: { name: 'pbkdf2', c: 1, salt: '00' } }, 'id');

test('look: relative to the working directory', async () => {
  const bench = workbench();
  const path = bench.write('home/code/project/file', '');
  const machine = createMachine(bench.host);
  expect(await machine.look('file')).toEqual({ path, isThere: true, isOpen: false });
  chmodSync(path, 0o640);
  expect(await machine.look(path)).toMatchObject({ isOpen: true });
  expect(await machine.look('nothing')).toMatchObject({ isThere: false, isOpen: false });
});

test('keyFiles: both folders, with problems', async () => {
  const bench = workbench();
  const folder = 'home/.config/ferry/keys';
  const paths = [
    bench.write(`${folder}/.12.0.tmp`, ''),
    bench.write(`${folder}/broken`, '{'),
    bench.write(`${folder}/main`, keystore),
    bench.write(`${folder}/open`, keystore, 0o644),
    bench.write(`${folder}/venue.keys/api`, keystore),
  ];
  // Other tools' files, with names that ferry does not take.
  bench.write(`${folder}/notes.txt`, 'none');
  const odd = bench.write(`${folder}/UTC--2026-01-01T00-00-00.0Z--1111`, keystore);
  const found = await createMachine(bench.host).keyFiles();
  expect(found.map(({ path, isOpen, isLeftOver, problem }) => [path, isOpen, isLeftOver, problem])).toEqual([
    [paths[0], false, true, undefined],
    [paths[1], false, false, 'it is not JSON'],
    [paths[2], false, false, undefined],
    [paths[3], true, false, undefined],
    [odd, false, false, `ferry takes no key of this file name: ferry key import <name> --keystore ${odd}`],
    [paths[4], false, false, 'it does not contain an API key of a venue account'],
  ]);
});

describe('state', () => {
  test('default: does not create a missing directory', async () => {
    const bench = workbench();
    const path = join(bench.home, '.local/state/ferry');
    expect(await createMachine(bench.host).state()).toEqual({
      path,
      isThere: false,
      isOpen: false,
      problem: undefined,
      freeBytes: expect.any(BigInt),
      abandonedLocks: [],
    });
    expect(existsSync(join(bench.home, '.local'))).toBe(false);
  });

  test('behavior: writes to it and leaves nothing behind', async () => {
    const bench = workbench({ env: { FERRY_STATE_DIR: 'state' } });
    const path = join(bench.project, 'state');
    mkdirSync(path, { mode: 0o755 });
    expect(await createMachine(bench.host).state()).toMatchObject({ path, isThere: true, isOpen: true });
    expect(readdirSync(path)).toEqual([]);
  });

  test('behavior: lists abandoned locks, and no held ones', async () => {
    const bench = workbench({ env: { FERRY_STATE_DIR: 'state' } });
    const dead = deadLock();
    const at = (name: string, text: string): string => bench.write(`home/code/project/state/${name}`, text);
    const abandoned = [at('sandbox/lock', dead), at('locks/313371-0x1', dead), at('locks/run-a', dead)];
    at('locks/run-b', lockOf());
    at('runs/c.jsonl', dead);
    expect((await createMachine(bench.host).state()).abandonedLocks).toEqual(abandoned);
  });

  test('error: a file in place of it or of a parent', async () => {
    const bench = workbench({ env: { FERRY_STATE_DIR: 'file' } });
    writeFileSync(join(bench.project, 'file'), '');
    expect((await createMachine(bench.host).state()).problem).toBe('part of the path is a file');
    const below = createMachine({ ...bench.host, env: { FERRY_STATE_DIR: 'file/state' } });
    expect((await below.state()).problem).toBe('part of the path is a file');
  });
});
