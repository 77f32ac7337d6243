import { describe, expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import * as LastLook from '../../../src/core/proof/LastLook.js';
import type { Watched } from '../../../src/core/proof/Verification.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { failure } from '../../support/failures.js';
import { chainAt, startNode } from '../../support/node.js';

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

describe('assertSame', () => {
  test('default: nothing differs, gas being paid besides; else what differs, and that nothing was sent', async () => {
    const node = chainAt(await startNode());
    const terms = { node, requestId: '0x1' };
    const call = { from: user, to: recipient, data: '0x', value: amount } as const;
    await LastLook.assertSame(watched, call, as, terms);
    const error = await failure(LastLook.assertSame(watched, { ...call, value: amount / 2n }, as, terms));
    expect(error).toMatchObject({ code: 'verify.changed', exit: 5, funds: 'untouched', requestId: '0x1' });
    expect(error.facts.map(([check]) => check)).toEqual(['effect-input', 'effect-output']);
  });
});
