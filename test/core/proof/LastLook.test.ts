import { describe, expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import * as LastLook from '../../../src/core/proof/LastLook.js';
import type { Watched } from '../../../src/core/proof/Verification.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { failure } from '../../support/failures.js';
import { json } from '../../support/loopback.js';
import { ask, chainAt, inFrontOf, startNode } from '../../support/node.js';

const [user, recipient] = [accounts.dev0.address, accounts.dev1.address];
const amount = 10n ** 18n;
const watched: Watched = {
  purpose: {
    user,
    input: { token: native, amount },
    tradeType: 'EXACT_INPUT',
    result: { kind: 'payment', recipient, token: native, minimum: amount },
    spenders: [],
  },
  guard: undefined,
};
const as = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 7n, gas: [100_000n], nonce: 0 };

test('assertSame: nothing differs, gas being paid besides; else what differs, and that nothing was sent', async () => {
  const node = chainAt(await startNode());
  const terms = { node, requestId: '0x1' };
  const call = { from: user, to: recipient, data: '0x', value: amount } as const;
  await LastLook.assertSame(watched, call, as, terms);
  const error = await failure(LastLook.assertSame(watched, { ...call, value: amount / 2n }, as, terms));
  expect(error).toMatchObject({ code: 'verify.changed', exit: 5, funds: 'untouched', requestId: '0x1' });
  expect(error.facts.map(([check]) => check)).toEqual(['effect-input', 'effect-output']);
});

describe('isSuccessful', () => {
  const payment = { from: user, to: recipient, data: '0x', value: amount } as const;
  const calls = [payment, payment];
  const most = [1_000_000n, 1_000_000n];
  const pair = { ...as, gas: [21_000n, 21_000n] };

  test('default: both succeed with these very limits, one after the other', async () => {
    const node = chainAt(await startNode());
    expect(await LastLook.isSuccessful(calls, pair, most, { node, requestId: '0x1' })).toBe(true);
  });

  test('behavior: not shown by a node that cannot simulate, or if more gas is needed', async () => {
    const rpcUrl = await startNode();
    const unknown = json({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'the method does not exist' } });
    const { url } = await inFrontOf(rpcUrl, { eth_simulateV1: unknown });
    expect(await LastLook.isSuccessful(calls, pair, most, { node: chainAt(url), requestId: '0x1' })).toBe(false);
    const storing = '0x00000000000000000000000000000000000c0de5';
    await ask(rpcUrl, 'anvil_setCode', storing, '0x60015f5500');
    const dear = [payment, { ...payment, to: storing, value: 0n }] as const;
    const node = chainAt(rpcUrl);
    expect(
      await LastLook.isSuccessful(dear, { ...pair, gas: [21_000n, 30_000n] }, most, { node, requestId: '0x1' }),
    ).toBe(false);
  });

  test('error: one that reverts with whatever gas', async () => {
    const rpcUrl = await startNode();
    const refusing = '0x00000000000000000000000000000000000c0de6';
    await ask(rpcUrl, 'anvil_setCode', refusing, '0x5f5ffd');
    const failing = [payment, { ...payment, to: refusing }] as const;
    const place = { node: chainAt(rpcUrl), requestId: '0x1' };
    const error = await failure(LastLook.isSuccessful(failing, { ...pair, gas: most }, most, place));
    expect(error).toMatchObject({ code: 'submit.simulation', funds: 'untouched' });
    expect(error.message).toContain('Transaction 2 of 2 would revert');
  });
});
