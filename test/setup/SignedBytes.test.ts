import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import type * as Plan from '../../src/core/execution/Plan.js';
import type { Attempt } from '../../src/core/tracking/Journal.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';
import * as SignedBytes from '../../src/setup/SignedBytes.js';

const owner = privateKeyToAccount(accounts.dev0.privateKey);
const thief = privateKeyToAccount(accounts.dev1.privateKey);
const action = {
  ...{ from: owner.address, to: accounts.dev2.address, data: '0x1234ab', value: 5n },
  chain: { id: 31_337_001 },
} as unknown as Plan.Action;
const right = {
  ...{ type: 'eip1559', chainId: 31_337_001, nonce: 7, to: accounts.dev2.address, data: '0x1234ab', value: 5n },
  ...{ gas: 60_000n, maxFeePerGas: 1_000n, maxPriorityFeePerGas: 1n },
} as const;

async function attempt(changed: object = {}, by = owner, purpose: Attempt['purpose'] = 'send'): Promise<Attempt> {
  const bytes = await by.signTransaction({ ...right, ...changed } as never);
  return { purpose, bytes, txHash: keccak256(bytes) };
}

const empty = { to: owner.address, data: '0x', value: 0n } as const;

describe('assertOf', () => {
  test('default: the plan’s action, the same for more, and an empty cancellation of it', async () => {
    const attempts = [
      await attempt(),
      await attempt({ maxFeePerGas: 2_000n }, owner, 'speed-up'),
      await attempt(empty, owner, 'cancel'),
    ];
    await expect(SignedBytes.assertOf(action, { nonce: 7, attempts })).resolves.toBeUndefined();
  });

  test.each([
    ['another receiver', () => attempt({ to: thief.address })],
    ['another value', () => attempt({ value: 500n })],
    ['other calldata', () => attempt({ data: '0x1234ac' })],
    ['another nonce', () => attempt({ nonce: 8 })],
    ['another chain', () => attempt({ chainId: 1 })],
    ['another signer', () => attempt({}, thief)],
    [
      'another type',
      () => attempt({ type: 'legacy', gasPrice: 1_000n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }),
    ],
    ['a payment as cancellation', () => attempt({}, owner, 'cancel')],
    ['a cancellation as payment', () => attempt(empty)],
    ['another hash', async () => ({ ...(await attempt()), txHash: keccak256('0x01') })],
    ['no transaction', async () => ({ purpose: 'send' as const, bytes: '0x02f8', txHash: keccak256('0x02f8') })],
  ])('error: %s', async (_, made) => {
    const attempts = [await attempt(), await made()];
    await expect(SignedBytes.assertOf(action, { nonce: 7, attempts })).rejects.toThrow(
      'that is not the one of its plan',
    );
  });

  test('error: a step that the plan does not have', async () => {
    await expect(SignedBytes.assertOf(undefined, { nonce: 7, attempts: [await attempt()] })).rejects.toThrow(
      'that is not the one of its plan',
    );
  });
});
