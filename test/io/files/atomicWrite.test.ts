import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as atomicWrite from '../../../src/io/files/atomicWrite.js';
import { workbench } from '../../support/workbench.js';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('replace', () => {
  test('default', async () => {
    const path = join(workbench().folder, 'a', 'b', 'file');
    await atomicWrite.replace(path, 'one');
    await atomicWrite.replace(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect([mode(path), mode(dirname(path))]).toEqual(['600', '700']);
    expect(readdirSync(dirname(path))).toEqual(['file']);
  });

  test('behavior: an open file becomes a closed one', async () => {
    const bench = workbench();
    const path = bench.write('file', 'old', 0o644);
    await atomicWrite.replace(path, 'new');
    expect(mode(path)).toBe('600');
  });

  test('behavior: a link stays a link', async () => {
    const bench = workbench();
    const target = bench.write('dotfiles/config.json', 'old');
    const path = join(bench.folder, 'config.json');
    symlinkSync(target, path);
    await atomicWrite.replace(path, 'new');
    expect(readFileSync(target, 'utf8')).toBe('new');
  });

  test('error: leaves nothing behind where it cannot write', async () => {
    const bench = workbench();
    bench.write('folder/file/inside', '');
    const path = join(bench.folder, 'folder', 'file');
    await expect(atomicWrite.replace(path, 'text')).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    expect(readdirSync(join(bench.folder, 'folder'))).toEqual(['file']);
  });
});

describe('create', () => {
  test('default', async () => {
    const path = join(workbench().folder, 'keys', 'main');
    await atomicWrite.create(path, 'one');
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect([mode(path), mode(dirname(path))]).toEqual(['600', '700']);
  });

  test('error: never overwrites', async () => {
    const bench = workbench();
    const path = bench.write('keys/main', 'one');
    await expect(atomicWrite.create(path, 'two')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(readdirSync(dirname(path))).toEqual(['main']);
  });

  test('behavior: of many at once one succeeds', async () => {
    const path = join(workbench().folder, 'file');
    const tries = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => atomicWrite.create(path, `${i}`)));
    expect(tries.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    expect(existsSync(path)).toBe(true);
  });
});
