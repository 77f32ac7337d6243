import { describe, expect, test } from 'vitest';
import * as RecordedAppFees from '../../../src/core/fees/RecordedAppFees.js';

const usdc = { symbol: 'USDC', decimals: 6 };
const fee = { recipient: '0xab', bps: '5', amount: '5000000', amountUsd: '4.99' };
const read = { recipient: '0xab', bps: '5', amount: '5000000', formatted: '5', symbol: 'USDC', usd: '4.99' };

describe('fromV3', () => {
  test.each([
    ['quoted and charged', { quoted: [fee], actual: [fee], currency: usdc }, ['quoted', 'actual']],
    ['charged alone', { quoted: null, actual: [fee], currency: usdc }, ['actual']],
    ['none', null, []],
  ])('default: %s', (_, appFees, whens) => {
    expect(RecordedAppFees.fromV3({ data: { appFees } })).toEqual(whens.map((when) => ({ when, ...read })));
  });

  test('behavior: without decimals the amount is as the service writes it', () => {
    const appFees = [{ ...fee, amountFormatted: '5.0' }];
    const [found] = RecordedAppFees.fromV3({ data: { appFees } });
    expect(found).toMatchObject({ when: 'quoted', formatted: '5.0', symbol: null });
    expect(RecordedAppFees.fromV3({ data: { appFees: [{}] } })).toEqual([
      { when: 'quoted', recipient: null, bps: null, amount: null, formatted: null, symbol: null, usd: null },
    ]);
  });
});

test('fromV2: the charged ones and the currency are beside the list', () => {
  const data = { appFees: [fee], paidAppFees: [fee], appFeeCurrencyObject: usdc };
  expect(RecordedAppFees.fromV2({ data })).toEqual([
    { when: 'quoted', ...read },
    { when: 'actual', ...read },
  ]);
});
