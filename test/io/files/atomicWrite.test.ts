import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as atomicWrite from '../../../src/io/files/atomicWrite.js';
import { workbench } from '../../support/workbench.js';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('replace', () => {
  test('default', async () => {
    const path = join(workbench().folder, 'a', 'b', 'file');
    atomicWrite.replace(path, 'one');
    atomicWrite.replace(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect([mode(path), mode(dirname(path))]).toEqual(['600', '700']);
    expect(readdirSync(dirname(path))).toEqual(['file']);
  });

  test('behavior: keeps a symbolic link, and makes its file private', async () => {
    const bench = workbench();
    const target = bench.write('dotfiles/config.json', 'old', 0o644);
    const path = join(bench.folder, 'config.json');
    symlinkSync(target, path);
    atomicWrite.replace(path, 'new');
    expect([readFileSync(target, 'utf8'), mode(target)]).toEqual(['new', '600']);
  });

  test('behavior: neither blocked by nor following leftovers of a crash', () => {
    const folder = dirname(workbench().write('keys/kept', ''));
    const left = Array.from({ length: 100 }, (_, count) => `.${process.pid}.${count}.tmp`);
    for (const name of left) symlinkSync('elsewhere', join(folder, name));
    atomicWrite.replace(join(folder, 'replaced'), 'one');
    atomicWrite.create(join(folder, 'created'), 'two');
    expect(readdirSync(folder).sort()).toEqual([...left, 'created', 'kept', 'replaced'].sort());
  });

  test('error: leaves nothing behind if it cannot write', async () => {
    const bench = workbench();
    bench.write('folder/file/inside', '');
    const path = join(bench.folder, 'folder', 'file');
    expect(() => atomicWrite.replace(path, 'text')).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^E/) }),
    );
    expect(readdirSync(join(bench.folder, 'folder'))).toEqual(['file']);
  });
});

test('create: error: never overwrites', async () => {
  const bench = workbench();
  const path = bench.write('keys/main', 'one');
  expect(() => atomicWrite.create(path, 'two')).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(readFileSync(path, 'utf8')).toBe('one');
  expect(readdirSync(dirname(path))).toEqual(['main']);
});

describe('replaceUnsynced', () => {
  test('default', () => {
    const path = workbench().write('rates/file', 'zero');
    atomicWrite.replaceUnsynced(path, 'one');
    atomicWrite.replaceUnsynced(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(mode(path)).toBe('600');
    expect(readdirSync(dirname(path))).toEqual(['file']);
  });

  test('behavior: replaces a symbolic link without following it', () => {
    const bench = workbench();
    const target = bench.write('target', 'old');
    const path = join(bench.folder, 'link');
    symlinkSync(target, path);
    atomicWrite.replaceUnsynced(path, 'new');
    expect([readFileSync(target, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['old', 'new']);
  });
});
