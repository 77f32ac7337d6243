import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as QuoteParts from '../../../src/sandbox/quote/QuoteParts.js';
import * as market from '../../support/market.js';
import { read } from '../../support/recorded.js';

const { response: bridge } = await market.quote(market.request(100_000_000n, 'alpha/usdc', 'beta/usdc'));
const { response: wrap } = await market.quote(market.request(10n ** 18n, 'alpha/eth', 'alpha/weth'));
const { response: withdrawal } = await market.quote(market.request(100_000_000n, 'lighter/usdc', 'beta/usdc'));
const permit = read('quote-permit-eip3009') as QuoteV2.Response;

const counts = (quote: QuoteV2.Response) =>
  [QuoteParts.transactions, QuoteParts.approvals, QuoteParts.transfers, QuoteParts.signatures].map(
    (of) => of(quote).length,
  );

describe('order', () => {
  test('default', () => {
    expect(QuoteParts.order(bridge)).toBe(bridge.protocol?.v2?.orderData);
    expect(QuoteParts.order(wrap)).toBeUndefined();
  });
});

describe('transactions, approvals, transfers, signatures', () => {
  test('default', () => {
    expect([bridge, wrap, withdrawal, permit].map(counts)).toEqual([
      [2, 1, 0, 0],
      [1, 0, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ]);
  });
});
