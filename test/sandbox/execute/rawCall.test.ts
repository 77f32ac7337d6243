import { describe, expect, test } from 'vitest';
import * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import { type CallSource, rawCall } from '../../../src/sandbox/execute/submitCall.js';
import * as market from '../../support/market.js';

const requestId = `0x${'17'.repeat(32)}` as const;

function call(change: Partial<CallSource> = {}) {
  return rawCall({
    requestId,
    nowMs: 5_000,
    chain: market.alpha,
    to: market.other,
    value: 0n,
    gas: 100_000n,
    referrer: 'sandbox-referrer',
    ...change,
  });
}

describe('from', () => {
  test('default: the sponsor pays the flat fee and the gas', () => {
    const { order, quote, costUsd } = call();
    // 100,000 units at 1,500,000 wei cost 375 millionths of a dollar.
    expect(costUsd).toBe(20_375n);
    expect(order).toMatchObject({
      requestId,
      execution: 'call',
      requestType: 'Call',
      user: market.other,
      protocol: undefined,
      permit: undefined,
      sponsorship: { usd: 20_375n },
      fees: { execution: { usd: -20_375n }, swap: { usd: 0n }, sponsored: { usd: 20_375n } },
    });
    expect(quote.steps).toEqual([]);
    expect(QuoteV2.response.parse(quote)).toEqual(quote);
  });

  test('behavior: the sponsor pays the value too', () => {
    const { order, costUsd } = call({ value: 10n ** 15n });
    expect(costUsd).toBe(20_375n + 2_500_000n);
    expect([order.origin.amount, order.destination.amount]).toEqual([10n ** 15n, 10n ** 15n]);
    expect(order.fees.swap.usd).toBe(0n);
  });
});
