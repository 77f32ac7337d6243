import { describe, expect, test } from 'vitest';
import * as Chart from '../../../src/core/compare/Chart.js';
import { comparison, drawn } from '../../support/comparisons.js';

describe('from', () => {
  test('default: a series per destination, its points from left to right', async () => {
    const chart = Chart.from(await comparison(['100', '1'], 'alpha/eth', ['beta/usdc', 'beta/eth']));
    expect(chart?.series.map(({ name }) => name)).toEqual(['beta/usdc', 'beta/eth']);
    expect(chart?.series[0]?.points.map(({ x, amount }) => [x, amount])).toEqual([
      [1, '1'],
      [100, '100'],
    ]);
    expect([chart?.unit, chart?.from, chart?.parts]).toEqual(['ETH', 'alpha/eth', []]);
    for (const { y, label } of chart?.series[0]?.points ?? []) expect(y).toBeCloseTo(Number(label), 1);
  });
  test('behavior: no chart without a cost', () => {
    expect(Chart.from(drawn({ 'beta/usdc': { '1': null } }))).toBeUndefined();
  });
});
