import { describe, expect, test } from 'vitest';
import * as Chart from '../../../src/core/compare/Chart.js';
import type { Comparison } from '../../../src/core/compare/Comparison.js';
import * as Plot from '../../../src/core/compare/Plot.js';
import { plain } from '../../../src/core/text/TerminalStyle.js';
import { drawn } from '../../support/comparisons.js';

function plot(comparison: Comparison): string[] {
  const chart = Chart.from(comparison);
  if (!chart) throw new Error('nothing to draw');
  return Plot.format(chart, plain);
}

/** The rows of a mark, counted from the top, from left to right. */
function heights(lines: readonly string[], mark: string): number[] {
  const found: [number, number][] = lines.flatMap((line, row) =>
    [...line].flatMap((each, column): [number, number][] => (each === mark ? [[column, row]] : [])),
  );
  return found.sort(([a], [b]) => a - b).map(([, row]) => row);
}

describe('format', () => {
  test('behavior: every destination has all its marks, even if costs are equal, zero, or of one amount', () => {
    const same = { '1': 10, '10': 20, '100': 30 };
    const text = plot(drawn({ a: same, b: same, c: same })).join('\n');
    for (const mark of ['●', '▲', '■']) expect(text.split(mark)).toHaveLength(4);
    expect(heights(plot(drawn({ a: { '5': 12 } })), '●')).toHaveLength(1);
    expect(heights(plot(drawn({ a: { '5': 0, '50': 0 } })), '●')).toEqual([16, 16]);
  });
});

const same = (text: string): string => text;

describe('create', () => {
  test('behavior: a mark hides the line beneath it and no line hides a mark', () => {
    const canvas = Plot.create(3, 1);
    canvas.mark([1, 0], '●', same);
    canvas.line([0, 0], [2, 0], same);
    expect(canvas.format()[0]).toMatch(/^.●.$/);
  });
  test('behavior: a text is written above its mark, else below or beside it, else not at all', () => {
    const high = Plot.create(9, 3);
    high.mark([4, 1], '●', same);
    expect(high.write([4, 1], '12.5', same)).toBe(true);
    expect(high.write([4, 1], '12.5', same)).toBe(true);
    expect(high.format()).toEqual(['  12.5', '    ●', '  12.5']);
    const flat = Plot.create(9, 1);
    flat.mark([1, 0], '●', same);
    expect([flat.write([1, 0], '12.5', same), flat.write([1, 0], '12.5', same)]).toEqual([true, false]);
    expect(flat.format()).toEqual([' ● 12.5']);
  });
});
