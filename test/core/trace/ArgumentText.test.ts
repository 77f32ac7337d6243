import { describe, expect, test } from 'vitest';
import * as ArgumentText from '../../../src/core/trace/ArgumentText.js';

const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const bytes = `0x${'ab'.repeat(100)}`;

describe('format', () => {
  const args = [
    { name: 'to', type: 'address', value: address },
    { name: 'value', type: 'uint256', value: (2n ** 256n - 1n).toString() },
    { name: '', type: 'bool', value: false },
    { name: 'data', type: 'bytes', value: bytes },
  ];

  test('default: line', () => {
    expect(ArgumentText.format(args, 'line')).toBe(
      'to: 0xf39f…2266, value: 2^256-1, false, data: 0xabab…abab (100 bytes)',
    );
    expect(ArgumentText.format(args, 'values')).toBe('0xf39f…2266, 2^256-1, false, 0xabab…abab (100 bytes)');
  });

  test('behavior: a sentence has whole addresses and numbers, full has everything', () => {
    expect(ArgumentText.format(args.slice(0, 1), 'sentence')).toBe(`to: ${address}`);
    expect(ArgumentText.format(args.slice(1, 2), 'sentence')).toMatch(/^value: 1157\d+$/);
    expect(ArgumentText.format(args.slice(3), 'full')).toBe(`data: ${bytes}`);
  });

  test('behavior: structs and lists', () => {
    const calls = [{ target: address, ok: true, note: 'x', part: { a: '1' } }];
    const nested = [{ name: 'calls', type: '(address,bool,string,(uint8))[]', value: calls }];
    expect(ArgumentText.format(nested, 'line')).toBe(
      'calls: [{target: 0xf39f…2266, ok: true, note: "x", part: {a: 1}}]',
    );
    expect(ArgumentText.format(nested, 'values')).toBe('[{0xf39f…2266, true, "x", {1}}]');
    const many = [{ name: '', type: 'uint8[]', value: Array(20).fill('7') }];
    expect(ArgumentText.format(many, 'line')).toBe('[7, 7, 7, 7, 7, 7, … 14 more]');
    expect(ArgumentText.format(many, 'full').split(', ')).toHaveLength(20);
  });

  test('behavior: names and strings are escaped', () => {
    const evil = [{ name: 'a\u001b[1m', value: { 'b\r': ['\u202e'] } }];
    expect(ArgumentText.format(evil, 'full')).toBe('a\\x1b[1m: {b\\x0d: ["\\u{202e}"]}');
  });
});

test('quote: a string cannot break out of its quotation marks', () => {
  expect(ArgumentText.quote('a "b" \\ c\n', 'full')).toBe('"a \\"b\\" \\\\ c\\x0a"');
});
