import { expect, test } from 'vitest';
import { draw } from '../../../src/io/terminal/qrCode.js';

/** Rows of modules: true is dark. Each character has two, the upper and the lower. */
function modules(text: string): boolean[][] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const cells = [...line.slice(2)];
      return [cells.map((cell) => cell === ' ' || cell === '▄'), cells.map((cell) => cell === ' ' || cell === '▀')];
    });
}

test('draw: a square with the three finder patterns, whose quiet zone is light', () => {
  const rows = modules(draw('0x0EdCeCa268d17A1725280227a7fAf8bF38A45AeB'));
  const width = rows[0]?.length ?? 0;
  expect(width).toBeGreaterThan(28);
  expect(rows.every((row) => row.length === width)).toBe(true);
  const finder = ['#######', '#     #', '# ### #', '# ### #', '# ### #', '#     #', '#######'];
  const at = (top: number, left: number): string[] =>
    finder.map((_, row) => [...finder.keys()].map((column) => (rows[top + row]?.[left + column] ? '#' : ' ')).join(''));
  expect(at(2, 2)).toEqual(finder);
  expect(at(2, width - 9)).toEqual(finder);
  expect(at(width - 9, 2)).toEqual(finder);
  expect(rows[0]?.some(Boolean)).toBe(false);
});
