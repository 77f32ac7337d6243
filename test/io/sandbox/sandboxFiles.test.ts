import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import * as files from '../../../src/io/sandbox/sandboxFiles.js';
import { type SandboxPaths, sandboxPaths } from '../../../src/io/state/paths.js';
import { temporaryFolder } from '../../support/ferry.js';

let stateDir: string;
let paths: SandboxPaths;

beforeEach(() => {
  stateDir = temporaryFolder();
  paths = sandboxPaths({ env: { FERRY_STATE_DIR: stateDir }, cwd: '/', home: '/nowhere' });
});

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

const home = { cwd: '/project', home: '/home/ada' };

test.each([
  [{}, '/home/ada/.local/state/ferry'],
  [{ XDG_STATE_HOME: '/state' }, '/state/ferry'],
  // The XDG specification requires relative paths to be ignored.
  [{ XDG_STATE_HOME: 'state' }, '/home/ada/.local/state/ferry'],
  [{ XDG_STATE_HOME: '' }, '/home/ada/.local/state/ferry'],
  [{ FERRY_STATE_DIR: '/own', XDG_STATE_HOME: '/state' }, '/own'],
  [{ FERRY_STATE_DIR: 'own' }, '/project/own'],
])('paths: behavior: %j', (env, expected) => {
  expect(sandboxPaths({ ...home, env }).stateDir).toBe(expected);
});

describe('makeFolder', () => {
  test('behavior: makes a folder private that other users could read', () => {
    mkdirSync(paths.folder);
    chmodSync(paths.folder, 0o755);
    files.makeFolder(paths);
    expect(mode(paths.folder)).toBe('700');
  });

  test('error: part of the path is a file', () => {
    writeFileSync(paths.folder, '');
    expect(() => files.makeFolder(paths)).toThrow(
      expect.objectContaining({
        code: 'config.unwritable',
        message: `The sandbox's state cannot be written to ${paths.folder}.`,
        facts: [['reason', 'part of the path is a file']],
        hint: 'Set FERRY_STATE_DIR to another directory.',
      }),
    );
  });
});

test('writeWhole: error: a folder that was removed is not made again', () => {
  const path = join(paths.folder, 'file');
  expect(() => files.writeWhole(path, 'text')).toThrow(expect.objectContaining({ code: 'config.unwritable' }));
  expect(readdirSync(stateDir)).toEqual([]);
});

describe('readFailure', () => {
  const failure: files.Failure = {
    at: 1,
    code: 'sandbox.no-anvil',
    message: 'No anvil.',
    facts: [['path', '/anvil']],
    next: 'install it',
  };

  test('default', () => {
    files.makeFolder(paths);
    files.writeFailure(paths, failure);
    expect(files.readFailure(paths)).toEqual(failure);
  });

  test.each([['{'], ['null'], ['{}'], ['{"message":"x","code":"no.such-code"}']])(
    'behavior: %s is not a failure',
    (text) => {
      files.makeFolder(paths);
      writeFileSync(paths.failure, text);
      expect(files.readFailure(paths)).toBeUndefined();
    },
  );

  test('behavior: does not throw if it cannot write', () => {
    files.writeFailure(paths, failure);
    expect(existsSync(paths.failure)).toBe(false);
  });
});

test('openLog', () => {
  files.makeFolder(paths);
  const last = files.openLog(paths);
  writeSync(last, 'of the last time\n');
  const log = files.openLog(paths);
  writeSync(log, 'now\n');
  expect([readFileSync(paths.log, 'utf8'), files.lastLines(log, 2)]).toEqual(['now\n', 'now']);
  expect(files.lastLines(last, 2)).toBe('of the last time');
  closeSync(last);
  closeSync(log);
});

test('trimLog', () => {
  files.makeFolder(paths);
  const log = files.openLog(paths);
  writeSync(log, 'short\n');
  files.trimLog(paths);
  expect(readFileSync(paths.log, 'utf8')).toBe('short\n');
  for (let i = 0; i < 20; i++) writeSync(log, `${String(i).padStart(2, '0')}${'.'.repeat(65_533)}\n`);
  files.trimLog(paths);
  expect(statSync(paths.log).size).toBe(65_536);
  // Later writes append at the end, without a hole.
  writeSync(log, 'last\n');
  closeSync(log);
  const text = readFileSync(paths.log, 'utf8');
  expect(text.slice(0, 3)).toBe('19.');
  expect(text).toHaveLength(65_541);
  expect(text.endsWith('.\nlast\n')).toBe(true);
});
