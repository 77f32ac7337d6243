import { describe, expect, test } from 'vitest';
import * as Estimate from '../../../src/core/worker/Estimate.js';

const of = (accounts: number, lines: number): Map<string, number> =>
  new Map(Array.from({ length: accounts }, (_, index) => [`0x${index}`, lines]));

describe('how long a batch takes', () => {
  test('default: one account pays one transfer after the other', () => {
    const estimate = Estimate.from(of(1, 40), 50, 1);
    expect(estimate).toEqual({ lines: 40, accounts: 1, quotesPerMinute: 50, seconds: 600, bound: 'accounts' });
    expect(Estimate.format(estimate)).toContain('about 10 min: one account pays');
  });

  test('behavior: with many accounts, the quotes of a key decide', () => {
    const estimate = Estimate.from(of(1_000, 100), 50, 1);
    expect(estimate).toMatchObject({ bound: 'quotes', seconds: 120_000 });
    expect(Estimate.format(estimate)).toContain('at least 33 h: the service allows 50 quotes a minute');
    expect(Estimate.from(of(1_000, 100), 50, 10)).toMatchObject({ seconds: 12_000, quotesPerMinute: 500 });
  });

  test('behavior: without a limit, accounts decide', () => {
    const estimate = Estimate.from(of(3, 2), Number.POSITIVE_INFINITY, 1);
    expect(estimate).toMatchObject({ bound: 'accounts', seconds: 30, quotesPerMinute: null });
    expect(Estimate.format(estimate)).toContain('about 30 s: each of 3 accounts');
  });
});
