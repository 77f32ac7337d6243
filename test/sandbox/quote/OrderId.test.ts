import { describe, expect, test } from 'vitest';
import type * as OrderData from '../../../src/core/api/schema/OrderData.js';
import * as OrderId from '../../../src/sandbox/quote/OrderId.js';
import recorded from '../../core/order/order-ids.json' with { type: 'json' };

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

describe('from', () => {
  test.each(vectors)('behavior: $name', ({ orderData, orderId }) => {
    expect(OrderId.from(orderData)).toBe(orderId);
  });

  test('behavior: depends on every field', () => {
    const [vector] = vectors;
    if (!vector) throw new Error('no vectors');
    const { orderData, orderId } = vector;
    const [input] = orderData.inputs;
    if (!input) throw new Error('no inputs');
    const changed: readonly OrderData.OrderData[] = [
      { ...orderData, version: 'v2' },
      { ...orderData, solverChainId: 'alpha' },
      { ...orderData, inputs: [] },
      { ...orderData, inputs: [{ ...input, payment: { ...input.payment, weight: '2' } }] },
      { ...orderData, output: { ...orderData.output, deadline: orderData.output.deadline - 1 } },
      { ...orderData, output: { ...orderData.output, calls: [...orderData.output.calls, '0x'] } },
    ];
    const ids = changed.map(OrderId.from);
    expect(new Set([orderId, ...ids]).size).toBe(changed.length + 1);
  });
});
