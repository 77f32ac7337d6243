import { describe, expect, test } from 'vitest';
import * as Resumption from '../../../src/core/execution/Resumption.js';

describe('showsDeposit', () => {
  const id = `0x${'ab'.repeat(32)}`;
  const quote = { requestId: `0x${'01'.repeat(32)}`, response: { protocol: { v2: { orderId: id } } } } as never;

  /** Whether a deposit is shown by a transaction with these events, which the service may name. */
  const shows = (of: { names?: string[]; status?: string; data?: string }): Promise<boolean> => {
    const { names = ['0x02'], status = 'success', data = `0x00${id.slice(2)}` } = of;
    const service = { status: async () => ({ status: 'pending', inTxHashes: names }) };
    const node = { receipt: async () => ({ status, logs: [{ address: '0x', topics: [], data }] }) };
    return Resumption.showsDeposit(quote, { service, node } as never);
  };

  test('default: a transaction that the service names has an event of the order', async () => {
    expect(await shows({})).toBe(true);
    expect(await shows({ data: `0x00${id.slice(2).toUpperCase()}` })).toBe(true);
  });

  test('behavior: the word of the service alone, a reverted transaction and one of another order show nothing', async () => {
    expect(await shows({ names: [] })).toBe(false);
    expect(await shows({ status: 'reverted' })).toBe(false);
    expect(await shows({ data: `0x00${'cd'.repeat(32)}` })).toBe(false);
  });

  test('behavior: a node that does not answer shows nothing', async () => {
    const service = { status: async () => ({ status: 'pending', inTxHashes: ['0x02'] }) };
    const node = { receipt: () => Promise.reject(new Error('silent')) };
    expect(await Resumption.showsDeposit(quote, { service, node } as never)).toBe(false);
  });
});
