import { describe, expect, test } from 'vitest';
import * as JsonText from '../../../src/core/text/JsonText.js';
import * as TerminalText from '../../../src/core/text/TerminalText.js';

/** Every character that JSON allows unescaped and that must not reach a terminal. */
const hostile = [
  ...[...range(0x7f, 0x9f), 0xad, 0x61c, 0x34f, 0x180e],
  ...[...range(0x200b, 0x200f), ...range(0x2028, 0x202e), ...range(0x2060, 0x2069), 0x3164, 0xfeff, 0xffa0],
  ...range(0xe0000, 0xe007f),
].map((code) => String.fromCodePoint(code));

describe('line', () => {
  test.each(hostile.map((character) => [character.codePointAt(0)?.toString(16), character] as const))(
    'behavior: U+%s is escaped in values and keys, and the value is the same',
    (_, character) => {
      const value = { [`k${character}`]: `a${character}b`, list: [character] };
      const text = JsonText.line(value);
      expect(text).toMatch(/^[ -~]+$/);
      expect(JSON.parse(text)).toEqual(value);
      expect(TerminalText.escape(character)).toMatch(/^[ -~]+$/);
    },
  );

  test('behavior: ordinary text of any script stays readable', () => {
    expect(JsonText.line('USD₮0 日本 ëµ 🚢')).toBe('"USD₮0 日本 ëµ 🚢"');
  });
});

test('document: is indented, and escapes the same', () => {
  const value = { a: [1n, 'x\u202ey\u2028\n'] };
  const text = JsonText.document(value);
  expect(text).toBe('{\n  "a": [\n    "1",\n    "x\\u202ey\\u2028\\n"\n  ]\n}');
  expect(JSON.parse(text)).toEqual({ a: ['1', 'x\u202ey\u2028\n'] });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
