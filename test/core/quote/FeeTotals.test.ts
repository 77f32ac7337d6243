import { expect, test } from 'vitest';
import * as FeeTotals from '../../../src/core/quote/FeeTotals.js';

const impact = (platform: string) => ({
  swap: { usd: '-0.016154' },
  execution: { usd: '-0.02294' },
  [platform]: { usd: '-0.009997' },
  app: { usd: '0' },
  sponsored: { usd: '0.072433' },
});

test('from: behavior: undefined if a component is missing or not a number', () => {
  expect(FeeTotals.from({ ...impact('relay'), swap: { usd: 'N/A' } })).toBeUndefined();
  expect(FeeTotals.from({ swap: { usd: '0' }, execution: { usd: '0' } })).toBeUndefined();
});

const fees = { swap: -16_154n, execution: -22_940n, platform: -9_997n, app: 0n, sponsored: 72_433n };
test('sponsoring: included in the total or left out of it; undefined if the sum matches neither', () => {
  expect(FeeTotals.sponsoring(fees, -49_092n)).toBe('beside');
  expect(FeeTotals.sponsoring(fees, -49_091n + 72_433n)).toBe('inside');
  expect(FeeTotals.sponsoring({ ...fees, sponsored: 0n }, -49_091n)).toBe('inside');
  for (const total of [0n, -59_091n, -49_097n]) expect(FeeTotals.sponsoring(fees, total)).toBeUndefined();
});

test('total: the sponsored amount is added back', () => {
  expect(FeeTotals.total({ swap: -1n, execution: -2n, platform: -3n, app: -4n, sponsored: 10n })).toBe(0n);
});
