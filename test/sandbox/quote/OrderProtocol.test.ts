import { describe, expect, test } from 'vitest';
import * as OrderData from '../../../src/core/api/schema/OrderData.js';
import * as Pricing from '../../../src/sandbox/pricing/Pricing.js';
import * as QuoteTerms from '../../../src/sandbox/pricing/QuoteTerms.js';
import * as OrderProtocol from '../../../src/sandbox/quote/OrderProtocol.js';
import * as fixture from '../../support/market.js';

const deadline = 1_790_604_800;
const salt = fixture.input.identity.salt;

function orderData(rest: Parameters<typeof fixture.request>[3] = {}): OrderData.OrderData {
  const asked = fixture.request(100_000_000n, 'alpha/usdc', 'beta/eth', rest);
  const terms = QuoteTerms.from(asked, fixture.market, undefined);
  return OrderProtocol.orderData(terms, Pricing.from(terms), { market: fixture.market, salt, deadline });
}

describe('orderData: the venue', () => {
  const ofVenue = (...asked: Parameters<typeof fixture.request>) => {
    const terms = QuoteTerms.from(fixture.request(...asked), fixture.whole, undefined);
    return OrderProtocol.orderData(terms, Pricing.from(terms), { market: fixture.market, salt, deadline });
  };

  test('default: account indexes, currency 0, no contract', () => {
    const deposit = ofVenue(100_000_000n, 'alpha/usdc', 'lighter/usdc', { recipient: '106' });
    expect(OrderData.schema.parse(deposit)).toEqual(deposit);
    expect(deposit.output).toMatchObject({
      chainId: 'lighter',
      payments: [{ recipient: '106', currency: '0' }],
      extraData: '0x',
    });
    const withdrawal = ofVenue(100_000_000n, 'lighter/usdc', 'beta/eth');
    expect(withdrawal.inputs[0]).toMatchObject({
      payment: { chainId: 'lighter', currency: '0', amount: '100000000' },
      refunds: [
        { chainId: 'lighter', recipient: '100', currency: '0', extraData: '0x' },
        { chainId: 'beta', recipient: fixture.user },
      ],
    });
    expect(withdrawal.output.extraData).toMatch(/^0x0{24}/);
  });
});

describe('orderData', () => {
  test('default', () => {
    const usdc = fixture.token(fixture.alpha, 'USDC').address;
    const native = fixture.token(fixture.beta, 'ETH').address;
    const start = fixture.token(fixture.beta, 'USDC').address;
    const [alphaRouter, betaRouter] = [fixture.alpha, fixture.beta].map(
      ({ contracts }) => `0x${contracts.router.slice(2).padStart(64, '0')}`,
    );
    const data = orderData({ recipient: fixture.other });
    const [payment] = data.output.payments;
    expect(OrderData.schema.parse(data)).toEqual(data);
    expect(data).toEqual({
      version: 'v1',
      solverChainId: 'alpha',
      solver: fixture.solver.toLowerCase(),
      salt,
      inputs: [
        {
          payment: { chainId: 'alpha', currency: usdc, amount: '100000000', weight: '1' },
          refunds: [
            {
              chainId: 'alpha',
              recipient: fixture.user,
              currency: usdc,
              minimumAmount: '0',
              deadline,
              extraData: alphaRouter,
            },
            {
              chainId: 'beta',
              recipient: fixture.other,
              // What the solver swaps there.
              currency: start,
              minimumAmount: '0',
              deadline,
              extraData: betaRouter,
            },
          ],
        },
      ],
      output: {
        chainId: 'beta',
        payments: [
          {
            recipient: fixture.other,
            currency: native,
            minimumAmount: payment?.minimumAmount,
            expectedAmount: payment?.expectedAmount,
          },
        ],
        calls: [],
        deadline,
        extraData: betaRouter,
      },
      fees: [],
    });
    expect(BigInt(payment?.minimumAmount ?? 0)).toBe((BigInt(payment?.expectedAmount ?? 0) * 98n + 99n) / 100n);
  });

  test("behavior: uses the request's refund account", () => {
    const [refund] = orderData({ refundTo: fixture.other }).inputs[0]?.refunds ?? [];
    expect(refund?.recipient).toBe(fixture.other);
  });
});
