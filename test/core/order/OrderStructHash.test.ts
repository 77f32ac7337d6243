import fc from 'fast-check';
import { bytesToHex, hashStruct } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type * as OrderData from '../../../src/core/api/schema/OrderData.js';
import * as OrderStructHash from '../../../src/core/order/OrderStructHash.js';
import { changedLists, changedValues, order, types, vmOf } from '../../support/orders.js';
import { runs } from '../../support/runs.js';
import { sampled } from '../../support/sampled.js';
import vectors from './order-ids.json' with { type: 'json' };

const orders = vectors.orders as readonly { orderData: OrderData.OrderData }[];

describe('from', () => {
  test('behavior: agrees with viem for any order', () => {
    fc.assert(
      fc.property(order(), ({ orderData, message }) => {
        expect(OrderStructHash.from(orderData, vmOf).hash).toBe(
          hashStruct({
            types: typedDataTypes(),
            primaryType: 'Order',
            data: inHex(message) as Record<string, unknown>,
          }),
        );
      }),
      { numRuns: runs(100) },
    );
  });

  test('behavior: changing any value or list of an order changes its hash', () => {
    const made = fc.sample(order(), { numRuns: 40, seed: 1 }) as { orderData: OrderData.OrderData }[];
    const all = [...orders, ...made].flatMap(({ orderData }) => [
      { orderData },
      ...changedValues(orderData),
      ...changedLists(orderData),
    ]);
    expect(all.length).toBeGreaterThan(1500);
    const hashed = sampled(all, 300).map(({ orderData }) =>
      OrderStructHash.from(orderData as OrderData.OrderData, vmOf),
    );
    expect(hashed.flatMap(({ problems }) => problems)).toEqual([]);
    expect(new Set(hashed.map(({ hash }) => hash)).size).toBe(hashed.length);
  });
});

/** The type definitions in viem's format. */
function typedDataTypes(): Record<string, { name: string; type: string }[]> {
  return Object.fromEntries(
    Object.entries(types).map(([name, definition]) => {
      const members = definition.slice(name.length + 1, -1).split(',');
      return [name, members.map((member) => ({ type: member.split(' ')[0] ?? '', name: member.split(' ')[1] ?? '' }))];
    }),
  );
}

function inHex(value: unknown): unknown {
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (Array.isArray(value)) return value.map(inHex);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inHex(part)]));
}
