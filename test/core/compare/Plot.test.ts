import { describe, expect, test } from 'vitest';
import * as Chart from '../../../src/core/compare/Chart.js';
import type { Comparison } from '../../../src/core/compare/Comparison.js';
import * as Plot from '../../../src/core/compare/Plot.js';
import { plain, type Style } from '../../../src/core/text/TerminalStyle.js';
import { bare, width } from '../../../src/core/text/TerminalText.js';
import { drawn } from '../../support/comparisons.js';

const curve = { '0.0001': 1086.5, '0.001': 119.5, '0.01': 22.8, '0.1': 13.6, '1': 17.1, '10': 61.6, '100': 487.1 };
const flat = { '0.0001': 866, '0.001': 87.5, '0.01': 9.7, '0.1': 1.9, '1': 1.1, '10': 1, '100': null };

function plot(comparison: Comparison, style: Style = plain): string[] {
  const chart = Chart.from(comparison);
  if (!chart) throw new Error('nothing to draw');
  return Plot.format(chart, style);
}

/** The rows of a mark, counted from the top, from left to right. */
function heights(lines: readonly string[], mark: string): number[] {
  const found: [number, number][] = lines.flatMap((line, row) =>
    [...line].flatMap((each, column): [number, number][] => (each === mark ? [[column, row]] : [])),
  );
  return found.sort(([a], [b]) => a - b).map(([, row]) => row);
}

describe('format', () => {
  test.each([60, 80, 200])('default: in %i columns', (columns) => {
    const lines = plot(drawn({ 'beta/usdc': curve, 'beta/eth': flat }), { ...plain, width: columns });
    expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(columns);
    expect(`\n${lines.join('\n')}\n`).toMatchSnapshot();
  });

  test('behavior: flat fees fall, price impact rises', () => {
    const rows = heights(plot(drawn({ 'beta/usdc': curve })), '●');
    expect(rows).toHaveLength(7);
    const lowest = rows.indexOf(Math.max(...rows));
    expect(rows.slice(0, lowest + 1)).toEqual([...rows.slice(0, lowest + 1)].sort((a, b) => a - b));
    expect(rows.slice(lowest)).toEqual([...rows.slice(lowest)].sort((a, b) => b - a));
    expect([lowest > 1, lowest < 5]).toEqual([true, true]);
  });

  test('behavior: every destination has all its marks, even if costs are equal', () => {
    const same = { '1': 10, '10': 20, '100': 30 };
    const text = plot(drawn({ a: same, b: same, c: same })).join('\n');
    for (const mark of ['●', '▲', '■']) expect(text.split(mark)).toHaveLength(4);
  });

  test('behavior: missing quotes are marked below their amount', () => {
    const lines = plot(drawn({ a: { '1': null, '10': 20, '100': null }, b: { '1': 5, '10': 6, '100': null } }));
    expect(lines.at(-1)).toMatch(/^ +● no quote +●▲$|^no quote +● +▲●$|^ +● no quote +▲●$/);
  });

  test('behavior: a single amount, and zero costs', () => {
    expect(heights(plot(drawn({ a: { '5': 12 } })), '●')).toHaveLength(1);
    expect(heights(plot(drawn({ a: { '5': 0, '50': 0 } })), '●')).toEqual([16, 16]);
  });

  test('behavior: color changes nothing but color', () => {
    const colour = (text: string): string => `\u001b[36m${text}\u001b[39m`;
    const coloured: Style = { ...plain, bold: colour, dim: colour, cyan: colour, yellow: colour };
    const comparison = drawn({ 'beta/usdc': curve, 'beta/eth': flat });
    expect(plot(comparison, coloured).map(bare)).toEqual(plot(comparison));
  });
});
