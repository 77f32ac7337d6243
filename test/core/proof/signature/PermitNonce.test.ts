import { type Hex, numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import * as PermitNonce from '../../../../src/core/proof/signature/PermitNonce.js';
import { accounts } from '../../../../src/sandbox/values/devAccounts.js';

const owner = accounts.dev0.address;
const token = accounts.dev1.address;
const nonce = `0x${'ab'.repeat(32)}`;
const word = (value: bigint): Hex => numberToHex(value, { size: 32 });

function of(primaryType: string, message: Record<string, unknown>): PermitNonce.PermitNonce | undefined {
  return PermitNonce.of({ primaryType, domain: { verifyingContract: token }, message }, owner);
}

const permits = [
  ['TransferWithAuthorization', { validBefore: '1000', nonce }, 999n, '0xe94a0102', 0n, 1n],
  ['ReceiveWithAuthorization', { validBefore: '1000', nonce }, 999n, '0xe94a0102', 0n, 1n],
  ['Permit', { nonce: 7n, deadline: 1000n }, 1000n, '0x7ecebe00', 7n, 8n],
  ['PermitBatchWitnessTransferFrom', { nonce: '515', deadline: '1000' }, 1000n, '0x4fe02b44', 1n << 4n, 1n << 3n],
] as const;

describe('of', () => {
  test.each(permits)('default: %s', (type, message, lastSeconds, selector, unused, used) => {
    const found = of(type, message);
    expect([found?.lastSeconds, found?.call.to, found?.call.data.slice(0, 10)]).toEqual([lastSeconds, token, selector]);
    expect([found?.isUsedBy(word(unused)), found?.isUsedBy(word(used))]).toEqual([false, true]);
  });

  test.each(permits)('error: %s, of which a contract or a node says something else', (type, message) => {
    for (const answer of ['0x', '0x01', `${word(1n)}00`] as const)
      expect(() => of(type, message)?.isUsedBy(answer)).toThrow(/does not show whether/);
  });

  test('behavior: a permit for which the owner has signed before, or whose turn has not come', () => {
    const permit = of('Permit', { nonce: 7n, deadline: 1000n });
    expect([6n, 7n, 8n].map((next) => permit?.isUsedBy(word(next)))).toEqual([true, false, true]);
  });

  test('behavior: a message of another type has none', () => {
    expect(of('Order', {})).toBeUndefined();
  });
});
