import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as finishedRuns from '../../../src/io/state/finishedRuns.js';
import { temporaryFolder } from '../../support/ferry.js';

describe('read', () => {
  test('default: what was added', () => {
    const folder = temporaryFolder();
    expect([...finishedRuns.read(folder).keys()]).toEqual([]);
    finishedRuns.add(folder, [
      ['a', 1],
      ['b', 2],
    ]);
    finishedRuns.add(folder, [['c', 3]]);
    expect([...finishedRuns.read(folder).keys()]).toEqual(['a', 'b', 'c']);
  });

  test('behavior: a line that is torn or changed does not count, and spoils no other', () => {
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
  test('default: forgets the others', () => {
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
  test('behavior: a folder that is not there is no error', () => {
    finishedRuns.add('/nowhere/at/all', [['a', 1]]);
  });
});
