import fc from 'fast-check';
import { bytesToHex, hashStruct } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type * as OrderData from '../../../src/core/api/schema/OrderData.js';
import * as OrderStructHash from '../../../src/core/order/OrderStructHash.js';
import { changedLists, changedValues, order, types, vmOf } from '../../support/orders.js';
import { structHash } from '../../support/structHash.js';
import vectors from './order-ids.json' with { type: 'json' };

const orders = vectors.orders as readonly { name: string; orderData: OrderData.OrderData; orderId: string }[];

describe('from', () => {
  test.each(orders)('default: $name', ({ orderData, orderId }) => {
    const { hash, problems } = OrderStructHash.from(orderData, vmOf);
    expect(problems).toEqual([]);
    expect(bytesToHex(hash)).toBe(orderId);
  });

  test('behavior: any order, as the text of EIP-712 has it', () => {
    fc.assert(
      fc.property(order(), ({ orderData, message }) => {
        const { hash, problems } = OrderStructHash.from(orderData, vmOf);
        expect(problems).toEqual([]);
        expect(hash).toEqual(structHash('Order', message, types));
      }),
      { numRuns: 200 },
    );
  });

  test('behavior: any order, as viem hashes typed data', () => {
    fc.assert(
      fc.property(order(), ({ orderData, message }) => {
        expect(bytesToHex(OrderStructHash.from(orderData, vmOf).hash)).toBe(
          hashStruct({
            types: typedDataTypes(),
            primaryType: 'Order',
            data: inHex(message) as Record<string, unknown>,
          }),
        );
      }),
    );
  });

  test('behavior: no other order has the same hash: every value and every list of every order changed', () => {
    const hashes = new Set<string>();
    let count = 0;
    for (const { orderData } of orders) {
      for (const changed of [{ orderData }, ...changedValues(orderData), ...changedLists(orderData)]) {
        const { hash, problems } = OrderStructHash.from(changed.orderData as OrderData.OrderData, vmOf);
        expect(problems).toEqual([]);
        hashes.add(bytesToHex(hash));
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(1500);
    expect(hashes.size).toBe(count);
  });

  test('behavior: no change of a random order keeps its hash', () => {
    fc.assert(
      fc.property(order(), ({ orderData }) => {
        const before = bytesToHex(OrderStructHash.from(orderData, vmOf).hash);
        const same = [...changedValues(orderData), ...changedLists(orderData)].filter(({ orderData: changed }) => {
          const { hash, problems } = OrderStructHash.from(changed as OrderData.OrderData, vmOf);
          return problems.length > 0 || bytesToHex(hash) === before;
        });
        expect(same.map(({ at }) => at)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

/** The definitions in viem's form. */
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
