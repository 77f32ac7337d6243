import { expect, test } from 'vitest';
import * as BatchSummary from '../../../src/core/batch/BatchSummary.js';

const line = (amount: string, from: string, options = {}) => ({ amount, from, options });

test.each([
  [[line('100', 'alpha/usdc')], '1 transfer, which pays 100 alpha/usdc'],
  [[line('0.1', 'alpha/eth'), line('0.2', 'Alpha/ETH')], '2 transfers, which pay 0.3 alpha/eth'],
  [
    [line('1', 'alpha/usdc'), line('2', 'beta/usdc'), line('0.000000000000000001', 'alpha/eth')],
    '3 transfers, which pay 1 alpha/usdc, 2 beta/usdc and 0.000000000000000001 alpha/eth',
  ],
  [
    [line('1', 'alpha/usdc'), line('max', 'beta/usdc'), line('5', 'alpha/usdc', { exactOutput: true })],
    '3 transfers, which pay 1 alpha/usdc and the quoted amount in 2 of them',
  ],
])('format: %j', (lines, expected) => {
  expect(BatchSummary.format(lines.reduce(BatchSummary.add, BatchSummary.none))).toBe(expected);
});
