import { describe, expect, test } from 'vitest';
import * as TerminalLine from '../../../src/core/text/TerminalLine.js';

test.each([
  ['abcd', 3, 'ab…'],
  ['日本語', 6, '日本語'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['❤\ufe0f❤\ufe0f❤\ufe0f', 4, '❤\ufe0f❤…'],
])('cut: %j to %d', (text, room, shown) => {
  expect(TerminalLine.cut(text, room)).toBe(shown);
});

test('format: each piece keeps its style, and the line is cut as a whole', () => {
  const mark = (text: string): string => `<${text}>`;
  const pieces: TerminalLine.Piece[] = [
    ['ab', mark],
    ['', mark],
    ['cdef', mark],
    ['g', mark],
  ];
  expect(TerminalLine.format(pieces, 7)).toBe('<ab><cdef><g>');
  expect(TerminalLine.format(pieces, 4)).toBe('<ab><c…>');
  expect(TerminalLine.format(pieces, 2)).toBe('<ab>');
});

describe('fit', () => {
  test.each(['', 'npx ', 'pnpm ', 'yarn ', 'bunx '])('behavior: a command to type stays whole: %sferry', (runner) => {
    const line = `next: ${runner}ferry resume 1f2e3d --account main`;
    expect(TerminalLine.fit(line, 20)).toBe(line);
  });

  test('behavior: so does one without a label, but a sentence that begins like one is broken', () => {
    const line = 'ferry execute 100 alpha/usdc beta/usdc --batch ./lines.ndjson';
    expect(TerminalLine.fit(line, 20)).toBe(line);
    const sentence = 'ferry does not know nonce 4 of it. Go on? (y/N)';
    expect(TerminalLine.fit(sentence, 20)).toBe('ferry does not know\n  nonce 4 of it. Go\n  on? (y/N)');
  });
});
