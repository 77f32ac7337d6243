import { describe, expect, test } from 'vitest';
import type { BaseError } from '../../../src/core/base/Errors.js';
import * as JournalCodec from '../../../src/core/tracking/JournalCodec.js';
import { transactions } from '../../support/journals.js';

function written(): string[] {
  let sum = JournalCodec.start;
  return transactions.map((entry, n) => {
    const line = JournalCodec.from({ at: 1_789_000_000_000 + n, entry }, n, sum);
    sum = line.sum;
    return line.text;
  });
}

function refusal(text: string): string | undefined {
  try {
    JournalCodec.read(text);
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
    const read = JournalCodec.read(text);
    expect(read.lines.map(({ entry }) => entry)).toEqual(transactions);
    expect(read.length).toBe(text.length);
  });

  test('behavior: cut off anywhere, it is the whole lines before the cut', () => {
    const lines = written();
    const text = lines.join('');
    for (let length = 0; length <= text.length; length++) {
      const whole = text.slice(0, length).split('\n').length - 1;
      const read = JournalCodec.read(text.slice(0, length));
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
    expect(refusal('{"v":2,"whatever":true}\n')).toBe('run.version');
    expect(refusal(`${written()[0]}{"v":"next"}\n`)).toBe('run.version');
  });

  test('error: an entry of no known kind, with the right checksum', () => {
    const { text } = JournalCodec.from({ at: 1, entry: { type: 'later' } as never }, 0, JournalCodec.start);
    expect(refusal(text)).toBe('run.unreadable');
  });
});
