/** A quote and its order: what both say, what they are bound to, and the order's id. */
import { pad } from 'viem';
import { describe, expect, test } from 'vitest';
import * as OrderData from '../../../src/core/api/schema/OrderData.js';
import { native } from '../../../src/core/base/Address.js';
import * as Pricing from '../../../src/sandbox/pricing/Pricing.js';
import * as QuoteTerms from '../../../src/sandbox/pricing/QuoteTerms.js';
import * as Order from '../../../src/sandbox/quote/Order.js';
import * as OrderId from '../../../src/sandbox/quote/OrderId.js';
import * as Quote from '../../../src/sandbox/quote/Quote.js';
import { depositAddress } from '../../../src/sandbox/quote/Quote.js';
import recorded from '../../core/order/order-ids.json' with { type: 'json' };
import * as fixture from '../../support/market.js';

const bridge = fixture.request(100_000_000n, 'alpha/usdc', 'beta/usdc');

describe('Quote: from', () => {
  test('default', async () => {
    const { response, order } = await Quote.from(bridge, fixture.input);
    const { requestId } = fixture.input.identity;
    const v2 = response.protocol?.v2;
    if (!v2) throw new Error('no order');
    expect(response.requestId).toBe(requestId);
    expect(response.steps.map((step) => step.requestId)).toEqual([requestId, requestId]);
    expect(v2.orderId).toBe(OrderId.from(v2.orderData));
    expect(v2.orderData.salt).toBe(fixture.input.identity.salt);
    expect(order.protocol).toEqual({
      orderId: v2.orderId,
      orderData: v2.orderData,
      depository: fixture.alpha.contracts.depository,
    });
    expect(v2).not.toHaveProperty('orderSignature');
  });

  test('behavior: a permit is bound to its order', async () => {
    const { response, order } = await Quote.from({ ...bridge, usePermit: true }, fixture.input);
    expect(response.steps).toHaveLength(1);
    expect(response.fees?.gas?.amount).toBe('0');
    expect(order.permit).toEqual({
      from: fixture.user,
      to: fixture.alpha.contracts.approvalProxy,
      value: order.origin.amount,
      validBefore: 1_790_000_600n,
      nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const identity = { ...fixture.input.identity, salt: `0x${'ce'.repeat(32)}` as const };
    const other = await Quote.from({ ...bridge, usePermit: true }, { ...fixture.input, identity });
    expect(other.order.permit?.nonce).not.toBe(order.permit?.nonce);
  });

  test('behavior: a sponsor pays in place of the user', async () => {
    const asked = { ...bridge, subsidizeFees: true };
    const { response, order } = await fixture.quote(asked, { client: { sponsorBalanceUsd: 1_000_000n } });
    expect(response.details.currencyOut.amount).toBe('100000000');
    expect(response.fees?.subsidized?.amount).toBe('30325');
    expect(response.feeSponsorship?.quoted?.sponsoredTotal.amount).toBe('30325');
    expect(order.sponsorship).toEqual({ usd: 30_325n, amount: 30_325n, execution: 20_325n });
  });

  test("behavior: the sponsor of a same-chain swap pays the fees, not the pool's loss", async () => {
    const asked = fixture.request(100_000_000n, 'alpha/usdc', 'alpha/usdt', { subsidizeFees: true });
    const { response, order } = await fixture.quote(asked, { client: { sponsorBalanceUsd: 1_000_000n } });
    expect(order.solverAmount).toBe(100_000_000n);
    expect(response.feeSponsorship?.quoted?.components.swap).toMatchObject({
      total: { amount: '11000' },
      sponsored: { amount: '0' },
      userPays: { amount: '11000' },
    });
  });

  test('error: insufficient sponsor balance', async () => {
    const asked = { ...bridge, subsidizeFees: true };
    await expect(fixture.quote(asked, { client: { sponsorBalanceUsd: 30_324n } })).rejects.toMatchObject({
      status: 400,
      body: { errorCode: 'INSUFFICIENT_FUNDS' },
    });
  });
});

describe('Quote: depositAddress', () => {
  test('default: a captured one', () => {
    const contracts = {
      depositFactory: '0x1dF43AB501F8B0d604F9A58A41A51744f2f8Cd22',
      depositImplementation: '0x40b309095342d0823d6B9458cCC07AB170bC3E94',
    } as const;
    const orderId = '0xb6f17ce7bc21e018001a496987a1d148e70b7f9717886d3dc6d6fa7f37a763cd';
    expect(depositAddress(contracts, orderId, '0x40ad8cf176672efe12a0d7ac50fa5da2b0b64e74')).toBe(
      '0x0EdCeCa268d17A1725280227a7fAf8bF38A45AeB',
    );
  });
});

const eth = 10n ** 18n;

describe('Order: from', () => {
  test('default', async () => {
    const asked = fixture.request(100_000_000n, 'alpha/usdc', 'beta/usdt', {
      refundTo: fixture.other,
      slippageTolerance: '50',
      appFees: [{ recipient: fixture.other, fee: '30' }],
    });
    const { order } = await fixture.quote(asked);
    expect(order).toMatchObject({
      requestId: fixture.input.identity.requestId,
      execution: 'solver',
      requestType: 'Crosschain Swap',
      user: fixture.user,
      recipient: fixture.user,
      refundTo: fixture.other,
      forceRefund: false,
      origin: { chainId: 313371, amount: 100_000_000n },
      destination: { chainId: 313372 },
      slippageBps: 50n,
      createdAtMs: fixture.market.nowMs,
      deadline: 1_790_604_800,
      fillBefore: undefined,
      appFees: [{ recipient: fixture.other, bps: 30n, amount: 300_000n }],
      sponsorship: undefined,
      timeEstimateSeconds: 2,
    });
    expect(order.solverAmount).toBeGreaterThan(order.destination.amount);
  });

  test('behavior: the TTL starts at the quote', async () => {
    const { order } = await fixture.quote(fixture.request(eth, 'alpha/eth', 'beta/eth', { ttl: 30 }));
    expect(order.fillBefore).toBe(1_790_000_030);
  });

  test.each([
    ['alpha/eth', 'beta/eth', 'Bridge'],
    ['alpha/eth', 'beta/weth', 'Crosschain Swap'],
    ['alpha/eth', 'alpha/usdc', 'Same-chain Swap'],
    ['alpha/eth', 'alpha/weth', 'Wrap'],
    ['alpha/weth', 'alpha/eth', 'Unwrap'],
    ['alpha/dai', 'alpha/dai', 'Send'],
  ])('behavior: %s to %s is a %s', async (from, to, requestType) => {
    const { order } = await fixture.quote(fixture.request(eth, from, to, { recipient: fixture.other }));
    expect(order.requestType).toBe(requestType);
  });
});

const deadline = 1_790_604_800;
const salt = fixture.input.identity.salt;

function orderData(rest: Parameters<typeof fixture.request>[3] = {}): OrderData.OrderData {
  const asked = fixture.request(100_000_000n, 'alpha/usdc', 'beta/eth', rest);
  const terms = QuoteTerms.from(asked, fixture.market, undefined);
  return Order.orderData(terms, Pricing.from(terms), { market: fixture.market, salt, deadline });
}

describe('orderData: the venue', () => {
  const ofVenue = (...asked: Parameters<typeof fixture.request>) => {
    const terms = QuoteTerms.from(fixture.request(...asked), fixture.whole, undefined);
    return Order.orderData(terms, Pricing.from(terms), { market: fixture.market, salt, deadline });
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
    const { alpha, beta, user, other } = fixture;
    const usdc = fixture.token(alpha, 'USDC').address;
    const data = orderData({ recipient: other });
    const [{ expectedAmount, minimumAmount } = { expectedAmount: '0', minimumAmount: '0' }] = data.output.payments;
    const [alphaRouter, betaRouter] = [alpha, beta].map(({ contracts }) => pad(contracts.router, { size: 32 }));
    const refund = { minimumAmount: '0', deadline };
    // What the solver swaps there.
    const start = fixture.token(beta, 'USDC').address;
    expect(OrderData.schema.parse(data)).toEqual(data);
    expect(data).toEqual({
      ...{ version: 'v1', solverChainId: 'alpha', solver: fixture.solver.toLowerCase(), salt, fees: [] },
      inputs: [
        {
          payment: { chainId: 'alpha', currency: usdc, amount: '100000000', weight: '1' },
          refunds: [
            { ...refund, chainId: 'alpha', recipient: user, currency: usdc, extraData: alphaRouter },
            { ...refund, chainId: 'beta', recipient: other, currency: start, extraData: betaRouter },
          ],
        },
      ],
      output: {
        ...{ chainId: 'beta', calls: [], deadline, extraData: betaRouter },
        payments: [{ recipient: other, currency: native, minimumAmount, expectedAmount }],
      },
    });
    expect(BigInt(minimumAmount)).toBe((BigInt(expectedAmount) * 98n + 99n) / 100n);
  });
});

/** Random orders, with ids from an independent implementation; those between chains that the sandbox can have. */
const known = ['base', 'arbitrum', 'ethereum', 'lighter'];
const vectors = (recorded.orders as { name: string; orderData: OrderData.OrderData; orderId: string }[]).filter(
  ({ orderData: { inputs, output, fees } }) =>
    [
      ...inputs.flatMap(({ payment, refunds }) => [payment, ...refunds].map(({ chainId }) => chainId)),
      ...fees.flatMap(({ recipientChainId, currencyChainId }) => [recipientChainId, currencyChainId]),
      output.chainId,
    ].every((slug) => known.includes(slug)),
);

describe('OrderId: from', () => {
  test.each(vectors)('behavior: $name', ({ orderData, orderId }) => {
    expect(OrderId.from(orderData)).toBe(orderId);
  });
});
