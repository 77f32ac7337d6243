import { describe, expect, test } from 'vitest';
import * as QuoteV2 from '../../../../src/core/api/QuoteV2.js';
import * as Decode from '../../../../src/core/api/schema/Decode.js';
import * as OrderData from '../../../../src/core/api/schema/OrderData.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { describePublished, read as readPublished } from '../../../support/published.js';
import { read } from '../../../support/recorded.js';

function recordedOrder(name: string): OrderData.OrderData {
  const order = decode(QuoteV2.response, read(name)).protocol?.v2?.orderData;
  if (!order) throw new Error(`${name} has no order`);
  return order;
}

describe('schema', () => {
  test.each(['quote-bridge', 'quote-swap', 'quote-venue-deposit', 'quote-venue-withdrawal'])('default: %s', (name) => {
    const order = recordedOrder(name);
    expect(decode(OrderData.schema, order)).toEqual(order);
  });

  test('behavior: reports unknown fields at every level', () => {
    const order = { ...recordedOrder('quote-bridge'), fees: [fee] };
    expect(Decode.unknownFields(OrderData.schema, withUnknownFields(order)).sort()).toEqual([
      'aFieldOfTomorrow',
      'fees[0].aFieldOfTomorrow',
      'inputs[0].aFieldOfTomorrow',
      'inputs[0].payment.aFieldOfTomorrow',
      'inputs[0].refunds[0].aFieldOfTomorrow',
      'inputs[0].refunds[1].aFieldOfTomorrow',
      'output.aFieldOfTomorrow',
      'output.payments[0].aFieldOfTomorrow',
    ]);
  });

  test.each([
    ['version', 'version: missing, expected a string'],
    ['salt', 'salt: missing, expected a string'],
    ['inputs', 'inputs: missing, expected an array'],
    ['fees', 'fees: missing, expected an array'],
  ])('error: no %s', (key, problem) => {
    const order: Record<string, unknown> = { ...recordedOrder('quote-bridge') };
    delete order[key];
    expect(problems(OrderData.schema, order)).toEqual([problem]);
  });

  test('error: an amount as a number', () => {
    const order = recordedOrder('quote-bridge');
    const payment = { ...order.inputs[0]?.payment, amount: 100 };
    expect(problems(OrderData.schema, { ...order, inputs: [{ payment, refunds: [] }] })).toEqual([
      'inputs[0].payment.amount: expected a string',
    ]);
  });
});

describe('tolerant', () => {
  test('behavior: keeps unknown fields', () => {
    const order = withUnknownFields(recordedOrder('quote-bridge'));
    expect(decode(OrderData.tolerant, order)).toEqual(order);
  });
});

describePublished('published orders', () => {
  test('default', () => {
    const { orders } = readPublished('order-ids.json') as { orders: { orderData: unknown }[] };
    expect(orders.length).toBeGreaterThan(0);
    expect(orders.flatMap(({ orderData }) => problems(OrderData.schema, orderData))).toEqual([]);
  });
});

const fee: OrderData.Fee = {
  recipientChainId: 'alpha',
  recipient: '0x4cd2',
  currencyChainId: 'alpha',
  currency: '0x00',
  amount: '1',
};
