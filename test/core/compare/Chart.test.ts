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
  test('behavior: the parts of the only destination', async () => {
    const chart = Chart.from(await comparison(['1', '100'], 'alpha/eth', ['beta/usdc']));
    expect(chart?.parts.map(({ name }) => name)).toEqual(['Execution', 'Swap', 'Platform', 'Gas']);
  });
  test('behavior: amounts without a quote are gaps, and still on the axis', () => {
    const chart = Chart.from(drawn({ 'beta/usdc': { '0.001': null, '1': 20, '10000': null } }));
    expect(chart?.series[0]).toMatchObject({ points: [{ x: 1 }], gaps: [0.001, 10_000] });
    expect([chart?.x.low, chart?.x.high]).toEqual([0.001, 10_000]);
  });
  test('behavior: no chart without a cost', () => {
    expect(Chart.from(drawn({ 'beta/usdc': { '1': null } }))).toBeUndefined();
  });
});
