import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/core/base/Errors.js';
import type { Ports } from '../../../src/core/execution/Following.js';
import * as PlanSettlement from '../../../src/core/execution/PlanSettlement.js';

const plan = { requestId: '0x0a', actions: ['approve', 'deposit'] };

/** A transaction that left together with others; with what its node said, if it did not take it. */
function sending(index: number, refusal?: BaseError): PlanSettlement.Sending {
  const action = { kind: plan.actions[index], summary: `Step ${index}`, from: '0x01' };
  const attempts = [{ purpose: 'send', bytes: '0x02', txHash: `0xd${index}` }];
  const sent = { step: { plan, action, index }, signed: { nonce: index, attempts } };
  return { ...sent, refusal: Promise.resolve(refusal) } as unknown as PlanSettlement.Sending;
}

/** What ends the wait for both, of which no node has mined one. */
async function end(...sent: PlanSettlement.Sending[]): Promise<unknown> {
  const ports = { origin: { minedNonce: async () => 0 }, signal: new AbortController().signal } as unknown as Ports;
  const settling = PlanSettlement.settle(sent, { transactions: [], paid: undefined }, ports, {
    wait: false,
    timeoutMs: 1,
  });
  return settling.next().catch((error: unknown) => error);
}

describe('settle', () => {
  const unreachable = new BaseError('chain.unreachable', 'The node cannot be reached.');
  const expensive = new BaseError('submit.insufficient-gas', 'It cannot pay for gas.');

  test('error: the node did not take the first, and may have taken the payment', async () => {
    for (const refusal of [undefined, new BaseError('submit.unknown', 'Its answer was lost.')])
      expect(await end(sending(0, expensive), sending(1, refusal))).toMatchObject({
        code: 'submit.unknown',
        funds: 'unknown',
        txHash: '0xd1',
        facts: expect.arrayContaining([['stopped by', 'It cannot pay for gas.']]),
      });
  });

  test('error: neither has left this machine, or there is no payment beside it', async () => {
    expect(await end(sending(0, expensive), sending(1, unreachable))).toBe(expensive);
    expect(await end(sending(0, unreachable))).toBe(unreachable);
  });

  test('error: what reverted for good is journaled, and not said to be mined', async () => {
    const mined = { hash: '0xd0', blockNumber: 7n, gasUsed: 1n, effectiveGasPrice: 1n, fee: 1n };
    const receipt = { ...mined, status: 'reverted', logs: [] };
    const origin = {
      minedNonce: async () => 1,
      usedNonce: async () => ({ state: 'used' }),
      receipt: async () => ({ ...receipt, witnesses: ['a', 'b'] }),
      blockTime: async () => 0n,
    };
    const appended: unknown[] = [];
    const ports = {
      ...{ origin, service: { status: async () => ({ status: 'waiting' }) }, signal: new AbortController().signal },
      ...{ clock: { now: () => 0, sleep: async () => {} }, warn: () => {} },
      journal: { append: async (entry: unknown) => void appended.push(entry) },
    } as unknown as Ports;
    const { step, ...sent } = sending(0);
    const intent = { origin: { chain: { native: { symbol: 'ETH', decimals: 18 } } } };
    const action = { ...step.action, kind: 'deposit', chain: {} };
    const payment = {
      ...sent,
      step: { plan: { ...plan, intent }, action, index: 0 },
    } as unknown as PlanSettlement.Sending;
    const settled = { transactions: [], paid: undefined };
    const settling = PlanSettlement.settle([payment], settled, ports, { wait: false, timeoutMs: 1 });
    const events: string[] = [];
    await expect(async () => {
      for await (const { type } of settling) events.push(type);
    }).rejects.toMatchObject({ code: 'submit.reverted' });
    expect(events).toEqual(['sent']);
    expect(appended).toEqual([expect.objectContaining({ type: 'receipt', status: 'reverted' })]);
  });
});
