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
});
