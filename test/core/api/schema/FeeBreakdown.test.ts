import { describe, expect, test } from 'vitest';
import * as FeeBreakdown from '../../../../src/core/api/schema/FeeBreakdown.js';
import { decode, problems } from '../../../support/problems.js';

const zero = { usd: '0' };
const known = { swap: { usd: '-0.01' }, execution: { usd: '-0.02' }, app: zero, sponsored: zero };

describe('schema', () => {
  test('default', () => {
    const value = { ...known, platform: { usd: '-0.06', amount: '60000', amountFormatted: '0.06' } };
    expect(decode(FeeBreakdown.schema, value)).toEqual(value);
  });

  test('behavior: app and sponsored may be absent', () => {
    expect(problems(FeeBreakdown.schema, { swap: zero, execution: zero })).toEqual([]);
  });

  test('error: no execution', () => {
    expect(problems(FeeBreakdown.schema, { swap: zero })).toEqual(['execution: missing, expected an object']);
  });

  test('error: dollars as a number', () => {
    expect(problems(FeeBreakdown.schema, { ...known, swap: { usd: 0.01 } })).toEqual(['swap.usd: expected a string']);
  });
});

describe('platform', () => {
  test.each(['platform', 'relay', 'anyword'])('default: %s', (word) => {
    expect(FeeBreakdown.platform({ ...known, [word]: { usd: '-0.06' } })).toEqual({
      word,
      component: { usd: '-0.06' },
    });
  });

  test('behavior: rent is not the platform component', () => {
    const breakdown = { ...known, rent: { usd: '-1' }, platform: zero };
    expect(FeeBreakdown.platform(breakdown)).toEqual({ word: 'platform', component: zero });
    expect(FeeBreakdown.platform({ ...known, rent: { usd: '-1' } })).toBeUndefined();
  });

  test('behavior: ignores a key that is not a component', () => {
    expect(FeeBreakdown.platform({ ...known, note: 'text', platform: zero })?.word).toBe('platform');
  });

  test('behavior: undefined if two keys qualify', () => {
    expect(FeeBreakdown.platform({ ...known, platform: zero, campaign: zero })).toBeUndefined();
  });
});
