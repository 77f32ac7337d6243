import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as finishedRuns from '../../../src/io/state/finishedRuns.js';
import { temporaryFolder } from '../../support/ferry.js';

describe('read', () => {
  test('default: the added runs', () => {
    const folder = temporaryFolder();
    expect([...finishedRuns.read(folder).keys()]).toEqual([]);
    finishedRuns.add(folder, [
      ['a', 1],
      ['b', 2],
    ]);
    finishedRuns.add(folder, [['c', 3]]);
    expect([...finishedRuns.read(folder).keys()]).toEqual(['a', 'b', 'c']);
  });

  test('behavior: ignores a torn or changed line, and only that one', () => {
    const folder = temporaryFolder();
    finishedRuns.add(folder, [
      ['a', 1],
      ['b', 2],
    ]);
    const path = join(folder, 'over');
    writeFileSync(path, readFileSync(path, 'utf8').replace('a ', 'z '));
    appendFileSync(path, 'tor');
    finishedRuns.add(folder, [['c', 3]]);
    expect([...finishedRuns.read(folder).keys()]).toEqual(['b', 'c']);
  });
});

describe('keep', () => {
  test('default: removes the others', () => {
    const folder = temporaryFolder();
    finishedRuns.add(folder, [
      ['a', 1],
      ['b', 2],
    ]);
    finishedRuns.keep(folder, ['b', 'unknown']);
    expect([...finishedRuns.read(folder).keys()]).toEqual(['b']);
  });
});

describe('add', () => {
  test('behavior: a missing folder is not an error', () => {
    finishedRuns.add('/nowhere/at/all', [['a', 1]]);
  });
});
