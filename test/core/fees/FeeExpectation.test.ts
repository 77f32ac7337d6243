import { describe, expect, test } from 'vitest';
import * as FeeExpectation from '../../../src/core/fees/FeeExpectation.js';

const strict = { tolerance: FeeExpectation.initial, isScheduleStrict: true };
const sound = { checks: [], schedule: undefined, moreUsd: 0n, inputUsd: 100_000_000n };

describe('toleranceFrom', () => {
  test.each([
    ['0.5%', { of: 'input', millionths: 5_000n }],
    ['100%', { of: 'input', millionths: 1_000_000n }],
    ['0.0001%', { of: 'input', millionths: 1n }],
    ['0.05', { of: 'usd', millionths: 50_000n }],
    ['$2', { of: 'usd', millionths: 2_000_000n }],
  ])('default: %s', (text, tolerance) => {
    expect(FeeExpectation.toleranceFrom(text)).toEqual(tolerance);
    expect(FeeExpectation.toleranceFrom(FeeExpectation.format(FeeExpectation.toleranceFrom(text)))).toEqual(tolerance);
  });
  test.each(['', '-1', '1 %', '%', '1e3', '0.00001%', 'two'])('error: %j', (text) => {
    expect(() => FeeExpectation.toleranceFrom(text)).toThrow('is not a tolerance');
  });
});

test('unmet: a broken check, but not an undecided one; more charged than tolerated, to the millionth', () => {
  const check = { check: 'impact', expected: '1', found: '2' };
  expect(FeeExpectation.unmet({ ...sound, checks: [{ ...check, verdict: 'broken' }] }, strict)).toEqual([
    'impact: expected 1, found 2',
  ]);
  expect(FeeExpectation.unmet({ ...sound, checks: [{ ...check, verdict: 'cannot tell' }] }, strict)).toEqual([]);
  expect(FeeExpectation.unmet({ ...sound, moreUsd: 500_000n }, strict)).toEqual([]);
  expect(FeeExpectation.unmet({ ...sound, moreUsd: 500_001n }, strict)).toEqual([
    'charged: 0.500001 more than quoted, at most 0.5% allowed',
  ]);
  const dollars = { ...strict, tolerance: FeeExpectation.toleranceFrom('0') };
  expect(FeeExpectation.unmet({ ...sound, moreUsd: 1n, inputUsd: undefined }, dollars)).toHaveLength(1);
  expect(FeeExpectation.unmet({ ...sound, moreUsd: 1n, inputUsd: undefined }, strict)).toEqual([]);
});
