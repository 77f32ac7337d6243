import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { open } from '../../../src/io/files/codeCache.js';
import { temporaryFolder } from '../../support/ferry.js';

const code = Buffer.from('compiled');

let home: string;
let folder: string;

beforeEach(() => {
  home = temporaryFolder();
  folder = join(home, '.cache', 'ferry', 'code');
});

function cacheOf(build = 'aaaa', env: NodeJS.ProcessEnv = {}) {
  const cache = open(build, { env, home });
  if (!cache) throw new Error('There is none.');
  return cache;
}

/** The path of the only file. */
function only(): string {
  const [name = '', ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  return join(folder, name);
}

describe('open', () => {
  test('default: what one process writes, the next reads, for the same command', () => {
    expect(cacheOf().read('quote')).toBeUndefined();
    cacheOf().write('quote', code);
    expect([cacheOf().read('quote'), cacheOf().read('execute')]).toEqual([code, undefined]);
  });

  test('behavior: another build reads nothing of it, and takes its place', () => {
    cacheOf().write('quote', code);
    expect(cacheOf('bbbb').read('quote')).toBeUndefined();
    cacheOf('bbbb').write('execute', code);
    expect(only()).toContain('-bbbb-execute');
  });

  test('behavior: in XDG_CACHE_HOME if that is set, and nowhere if Node is told to keep none', () => {
    const xdg = join(home, 'elsewhere');
    cacheOf('aaaa', { XDG_CACHE_HOME: xdg }).write('quote', code);
    expect(readdirSync(join(xdg, 'ferry', 'code'))).toHaveLength(1);
    expect(open('aaaa', { env: { NODE_DISABLE_COMPILE_CACHE: '1' }, home })).toBeUndefined();
    expect(open('aaaa', { env: {}, home: '' })).toBeUndefined();
  });

  test('behavior: a home that is not there is not made', () => {
    rmSync(home, { recursive: true });
    cacheOf().write('quote', code);
    expect(existsSync(home)).toBe(false);
    expect(cacheOf().read('quote')).toBeUndefined();
  });

  test('error: a byte that changed, or one that is missing: it is not run', () => {
    cacheOf().write('quote', code);
    const whole = readFileSync(only());
    for (const at of [0, 31, 32, whole.length - 1]) {
      writeFileSync(only(), whole.with(at, (whole[at] ?? 0) ^ 1));
      expect(cacheOf().read('quote')).toBeUndefined();
    }
    writeFileSync(only(), whole);
    expect(cacheOf().read('quote')).toEqual(code);
    truncateSync(only(), 20);
    expect(cacheOf().read('quote')).toBeUndefined();
  });

  test('behavior: what cannot be written is not kept, and is no error', () => {
    writeFileSync(join(home, '.cache'), '');
    cacheOf().write('quote', code);
    expect(cacheOf().read('quote')).toBeUndefined();
  });
});

describe('attack: code that somebody else could have put there', () => {
  test('error: a file that others can write, or a link', () => {
    cacheOf().write('quote', code);
    const path = only();
    chmodSync(path, 0o620);
    expect(cacheOf().read('quote')).toBeUndefined();
    chmodSync(path, 0o600);
    symlinkSync(path, path.replace(/quote$/, 'execute'));
    expect(cacheOf().read('execute')).toBeUndefined();
  });

  test('error: a folder that others can write is neither read nor written', () => {
    cacheOf().write('quote', code);
    chmodSync(folder, 0o777);
    expect(cacheOf().read('quote')).toBeUndefined();
    cacheOf().write('execute', code);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('error: a link in place of the folder', () => {
    const other = join(home, 'other');
    mkdirSync(join(home, '.cache', 'ferry'), { recursive: true });
    mkdirSync(other, { mode: 0o700 });
    symlinkSync(other, folder);
    cacheOf().write('quote', code);
    expect(readdirSync(other)).toEqual([]);
  });

  test.skipIf(process.geteuid?.() !== 0)('error: a file of another user', async () => {
    const { chownSync } = await import('node:fs');
    cacheOf().write('quote', code);
    chownSync(only(), 12_345, 12_345);
    expect(cacheOf().read('quote')).toBeUndefined();
    chownSync(only(), 0, 0);
    chownSync(folder, 12_345, 12_345);
    expect(cacheOf().read('quote')).toBeUndefined();
  });
});
