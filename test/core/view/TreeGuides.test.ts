import { describe, expect, test } from 'vitest';
import * as TreeGuides from '../../../src/core/view/TreeGuides.js';

function drawn(depths: readonly number[], width = 80): string[] {
  const frames = depths.map((depth) => ({ depth }));
  return TreeGuides.from(frames, width).map(({ before }, index) => `${before}${depths[index]}`);
}

describe('from', () => {
  test('default: branches', () => {
    expect(drawn([0, 1, 2, 3, 2, 1, 2])).toEqual(['0', '├ 1', '│ ├ 2', '│ │ └ 3', '│ └ 2', '└ 1', '  └ 2']);
  });

  test('behavior: further lines of a call come before its inner calls', () => {
    const frames = [0, 1, 2, 1].map((depth) => ({ depth }));
    expect(TreeGuides.from(frames, 80).map(({ below }) => `${below}x`)).toEqual(['│ x', '│ │ x', '│     x', '    x']);
  });

  test('behavior: levels beyond the drawn depth are numbered', () => {
    const deep = drawn(Array.from({ length: 600 }, (_, depth) => depth));
    expect(deep[13]).toBe(`${'  '.repeat(12)}└ 13`);
    expect(deep[14]).toBe(`${'  '.repeat(12)}14 └ 14`);
    expect(deep[599]).toBe(`${'  '.repeat(12)}599 └ 599`);
    const [narrow] = drawn([0, 1, 2, 3, 4, 5, 6], 20).slice(-1);
    expect(narrow).toBe('      6 └ 6');
  });
});
