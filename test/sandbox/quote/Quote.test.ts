import { describe, expect, test } from 'vitest';
import type * as OrderData from '../../../src/core/api/schema/OrderData.js';
import * as OrderId from '../../../src/sandbox/quote/OrderId.js';
import * as Quote from '../../../src/sandbox/quote/Quote.js';
import recorded from '../../core/order/order-ids.json' with { type: 'json' };
import * as fixture from '../../support/market.js';

const bridge = fixture.request(100_000_000n, 'alpha/usdc', 'beta/usdc');

describe('Quote: from', () => {
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
