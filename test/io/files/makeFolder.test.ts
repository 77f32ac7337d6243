import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../src/io/files/makeFolder.js';
import { temporaryFolder } from '../../support/ferry.js';

test('default: with its parents, for this user alone; returns the first that was missing', () => {
  const folder = temporaryFolder();
  const [first, last] = [join(folder, 'a'), join(folder, 'a', 'b', 'c')];
  expect(makeFolder(last)).toBe(first);
  expect([first, last].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(makeFolder(last)).toBeUndefined();
  expect(makeFolder(join(last, 'd'))).toBe(join(last, 'd'));
});

test('error: a file in the way', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(folder, 'file', 'a', 'b'))).toThrow('ENOTDIR');
});

test.skipIf(!existsSync('/proc/self'))('error: a file system that has no such folder ends at once', () => {
  expect(() => makeFolder('/proc/self/a/b/c')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
