import { describe, expect, test } from 'vitest';
import * as Order from '../../src/core/Order.js';
import * as Vm from '../../src/core/Vm.js';
import { describePublished, read as readPublished } from '../support/published.js';
import vectors from './order-ids.json' with { type: 'json' };

const vmOf = Vm.of([]);
describe('id', () => {
  test.each(vectors.orders)('behavior: $name', ({ orderData, orderId }) => {
    expect(Order.id(orderData, vmOf)).toEqual({ ok: true, id: orderId });
  });
});
describePublished('id of published orders', () => {
  test('x', () => {
    const p = readPublished('order-ids.json') as any;
    for (const o of p.orders) console.log(o.name, o.verdict, (Order.id(o.orderData, vmOf) as any).id === o.orderId);
  });
});
