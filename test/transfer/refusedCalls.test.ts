/** What is not explained; the rest is driven by test/scenarios/arrivalCalls.test.ts. */
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../src/core/base/Errors.js';
import type { Context } from '../../src/core/command/Context.js';
import * as Network from '../../src/core/network/Network.js';
import { network } from '../../src/core/network/sandbox.js';
import type * as TransferIntent from '../../src/core/quote/TransferIntent.js';
import { explainRefusedCalls } from '../../src/transfer/refusedCalls.js';

const chain = Network.chain(network, 'beta');
const call = { to: `0x${'1'.repeat(40)}`, data: '0x', value: 0n } as const;
const intent = { amount: 5n, destination: { chain, token: chain.native }, calls: [call] };
const refusal = (code: string) => new BaseError('service.refused', 'It was refused.', { facts: [['code', code]] });

async function explained(thrown: unknown, calls: readonly (typeof call)[] = [call]): Promise<unknown> {
  const context = {
    network: { ...network, solver: undefined },
    chain: () => Promise.reject(new BaseError('chain.unreachable', 'No node answers.')),
  };
  const its = { ...intent, calls } as unknown as TransferIntent.Intent;
  return explainRefusedCalls(thrown, its, context as unknown as Context);
}

describe('explainRefusedCalls', () => {
  test('behavior: without a node there is the advice alone', async () => {
    expect(await explained(refusal('DESTINATION_TX_FAILED'))).toMatchObject({
      hint: expect.stringContaining('A call on arrival would revert'),
      facts: [['code', 'DESTINATION_TX_FAILED']],
    });
  });

  test.each<[string, unknown, (typeof call)[]]>([
    ['another refusal', refusal('AMOUNT_TOO_LOW'), [call]],
    ['a transfer without calls', refusal('DESTINATION_TX_FAILED'), []],
    ['no answer', new BaseError('service.timeout', 'It took too long.'), [call]],
    ['a bug', new Error('a bug'), [call]],
  ])('behavior: %s is left as it is', async (_, thrown, calls) => {
    expect(await explained(thrown, calls)).toBe(thrown);
    expect((thrown as BaseError).hint).toBeUndefined();
  });
});
