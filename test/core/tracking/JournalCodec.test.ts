import { keccak256, stringToBytes } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type { BaseError } from '../../../src/core/base/Errors.js';
import * as JournalCodec from '../../../src/core/tracking/JournalCodec.js';
import { seal, sealOf, textOf, transactions, unsealedTextOf } from '../../support/journals.js';

function written(): string[] {
  return textOf(transactions)
    .split('\n')
    .slice(0, -1)
    .map((line) => `${line}\n`);
}

function refusal(text: string): string | undefined {
  try {
    JournalCodec.read(text, seal);
    return undefined;
  } catch (error) {
    return (error as BaseError).code;
  }
}

describe('read', () => {
  test('error: a version that is no number', () => {
    expect(() => JournalCodec.read('{"v":{"toString":1},"n":0}\n')).toThrow('Line 1 of the journal is damaged.');
  });

  test('default: what was written', () => {
    const text = written().join('');
    const read = JournalCodec.read(text, seal);
    expect(read.lines.map(({ entry }) => entry)).toEqual(transactions);
    expect(read.length).toBe(text.length);
  });

  test('behavior: cut off anywhere, it is the whole lines before the cut', () => {
    const lines = written();
    const text = lines.join('');
    // Anywhere in the first lines, and at the ends of all.
    const ends = [...text.matchAll(/\n/g)].flatMap(({ index }) => [index, index + 1, index + 2]);
    for (const length of [...Array(text.indexOf('\n') + 200).keys(), ...ends]) {
      const whole = text.slice(0, length).split('\n').length - 1;
      const read = JournalCodec.read(text.slice(0, length), seal);
      expect(read.lines).toHaveLength(whole);
      expect(read.length).toBe(lines.slice(0, whole).join('').length);
    }
  });

  test('error: a change of any letter of a whole line', () => {
    const lines = written();
    const [first = '', ...rest] = lines;
    for (let at = 0; at < first.length - 1; at++) {
      const changed = first.slice(0, at) + (first[at] === 'x' ? 'y' : 'x') + first.slice(at + 1);
      expect(['run.unreadable', 'run.version']).toContain(refusal([changed, ...rest].join('')));
    }
  });

  test('error: a line that is missing, there twice, or in another place', () => {
    const [a = '', b = '', c = '', ...rest] = written();
    for (const lines of [
      [b, c],
      [a, c],
      [a, b, b],
      [a, c, b],
      [a, '\n', b],
    ])
      expect(refusal([...lines, ...rest].join(''))).toBe('run.unreadable');
  });

  test('error: another version is said to be one', () => {
    expect(refusal('{"v":3,"whatever":true}\n')).toBe('run.version');
    expect(refusal(`${written()[0]}{"v":"next"}\n`)).toBe('run.version');
  });

  test('error: an entry of no known kind, with the right checksum', () => {
    const { text } = JournalCodec.from({ at: 1, entry: { type: 'later' } as never }, 0, JournalCodec.start, seal);
    expect(refusal(text)).toBe('run.unreadable');
  });

  test('error: a line of another number, with the right checksum', () => {
    const [entry] = transactions;
    const { text } = JournalCodec.from({ at: 1, entry } as JournalCodec.Line, 1, JournalCodec.start, seal);
    expect(refusal(text)).toBe('run.unreadable');
  });
});

describe('read, of who wrote it', () => {
  const isOwn = (text: string, by = seal) => JournalCodec.read(text, by).isOwn;

  /** A journal of lines, in which the checksums are right. */
  function summed(lines: readonly Record<string, unknown>[]): string {
    let before = JournalCodec.start.sum;
    const texts = lines.map(({ v, n, at, entry, seal: made }) => {
      const text = JSON.stringify({ v, n, at, entry, seal: made });
      before = keccak256(stringToBytes(`${before}\n${text}`)).slice(2, 18);
      return `${text.slice(0, -1)},"sum":"${before}"}\n`;
    });
    return texts.join('');
  }

  test('default: sealed by this user, and so is every beginning of it', () => {
    const lines = written();
    for (let count = 1; count <= lines.length; count++) expect(isOwn(lines.slice(0, count).join(''))).toBe(true);
  });

  test('behavior: nothing is, without a line, without the secret, or with another one', () => {
    const text = textOf(transactions);
    expect(isOwn('')).toBe(false);
    expect(JournalCodec.read(text).isOwn).toBe(false);
    expect(isOwn(text, sealOf('another'))).toBe(false);
  });

  test('behavior: a journal from before is read, and is nobody’s; so is one that goes on from there', () => {
    const old = unsealedTextOf(transactions.slice(0, 3));
    const read = JournalCodec.read(old, seal);
    expect(read.lines.map(({ entry }) => entry)).toEqual(transactions.slice(0, 3));
    expect(read.isOwn).toBe(false);
    const next = JournalCodec.from({ at: 1, entry: { type: 'status', status: 'x' } }, 3, read.end, seal);
    expect(isOwn(old + next.text)).toBe(false);
  });

  test('error: an altered line with a checksum made anew, for it and all that follow', () => {
    const lines = written();
    for (const at of lines.keys()) {
      const changed = lines.map((line, index) => {
        const read = JSON.parse(line);
        return index === at ? { ...read, at: read.at + 1 } : read;
      });
      expect(() => JournalCodec.read(summed(changed), seal)).toThrow('was changed after ferry wrote it');
    }
  });

  test('error: a line that another journal of this user has in its place, with checksums made anew', () => {
    const [first = ''] = written();
    const [, second = ''] = textOf(transactions, seal, 1).split('\n');
    const text = summed([first, second].map((line) => JSON.parse(line)));
    expect(() => JournalCodec.read(text, seal)).toThrow('was changed after ferry wrote it');
  });
});
