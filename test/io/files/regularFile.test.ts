import { execFileSync } from 'node:child_process';
import { closeSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as regularFile from '../../../src/io/files/regularFile.js';
import { temporaryFolder } from '../../support/ferry.js';

test('default: makes a private file, and appends to it', () => {
  const path = join(temporaryFolder(), 'file');
  for (const text of ['one', 'two']) {
    const file = regularFile.open(path, 'a');
    writeSync(file, text);
    closeSync(file);
  }
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['onetwo', 0o600]);
});

test('error: a pipe that nobody is at the other end of, a folder', () => {
  const pipe = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const how of ['r', 'r+', 'a'] as const) expect(() => regularFile.open(pipe, how)).toThrow();
  expect(() => regularFile.open(temporaryFolder(), 'r')).toThrow('it is not a regular file');
});
