import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  DamagedLogError,
  type FrameLog,
  headBytes,
  inMemory,
  open,
  StateFileError,
} from '../../../src/sandbox/storage/frameLog.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ferry-log-'));
  path = join(folder, 'a.log');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const textsOf = (log: FrameLog): string[] => Array.from(log.frames(), ({ content }) => content.toString());

function write(...texts: readonly string[]): void {
  const log = open(path);
  for (const text of texts) log.append(Buffer.from(text));
  log.close();
}

describe.each([
  ['in a file', () => open(path)],
  ['in memory', inMemory],
])('a log %s', (_, create) => {
  test('default: gives back what was appended, in order and by place', () => {
    const log = create();
    const texts = ['one', '', 'x'.repeat(5_000_000), 'four'];
    const places = texts.map((text) => log.append(Buffer.from(text)));
    expect(textsOf(log)).toEqual(texts);
    expect(Array.from(log.frames(), ({ place }) => place)).toEqual(places);
    expect(places.map((place) => log.read(place).toString())).toEqual(texts);
    log.close();
  });
});

describe('open', () => {
  test('behavior: continues, and is private', () => {
    write('one');
    write('two');
    const log = open(path);
    expect(textsOf(log)).toEqual(['one', 'two']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    log.close();
  });

  test('behavior: cut off anywhere, it has every frame before, and goes on after them', () => {
    write('one', 'second', 'the third of them');
    const whole = readFileSync(path);
    const ends = [3, 6, 17].map((length) => headBytes + length).map((size, at, all) => sum(all.slice(0, at)) + size);
    for (let cut = 0; cut <= whole.length; cut++) {
      writeFileSync(path, whole.subarray(0, cut));
      const log = open(path);
      const kept = ['one', 'second', 'the third of them'].slice(0, ends.filter((end) => end <= cut).length);
      expect(textsOf(log)).toEqual(kept);
      log.append(Buffer.from('next'));
      log.close();
      const again = open(path);
      expect(textsOf(again)).toEqual([...kept, 'next']);
      again.close();
    }
  });

  test('error: any byte that is not as it was', () => {
    write('one', 'second');
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      writeFileSync(path, damaged);
      expect(() => open(path)).toThrow(DamagedLogError);
    }
  });

  test('error: not a file', () => {
    expect(() => open(folder)).toThrow(StateFileError);
  });
});

describe('append', () => {
  test('error: somebody else writes to it', () => {
    const told: StateFileError[] = [];
    const log = open(path, (error) => told.push(error));
    log.append(Buffer.from('one'));
    appendFileSync(path, 'x');
    for (const text of ['two', 'three']) expect(() => log.append(Buffer.from(text))).toThrow(StateFileError);
    expect(told).toMatchObject([{ code: 'config.unwritable', next: 'ferry sandbox start' }]);
    expect(readFileSync(path).toString().endsWith('onex')).toBe(true);
    log.close();
  });
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

describe('StateFileError', () => {
  test('default: says what happened, what is lost and what to type', () => {
    const error = new StateFileError('/a/ledger.log', 'written', new Error('ENOSPC: no space left on device, write'));
    expect(error).toMatchObject({
      code: 'config.unwritable',
      message: 'The state of the sandbox cannot be written.',
      facts: [
        ['file', '/a/ledger.log'],
        ['reason', 'ENOSPC: no space left on device, write'],
      ],
      hint: expect.stringContaining('What it has answered so far is kept'),
      next: 'ferry sandbox start',
    });
    expect(new StateFileError('/a', 'read', 'x')).toMatchObject({ next: 'ferry sandbox reset --yes' });
  });
});
