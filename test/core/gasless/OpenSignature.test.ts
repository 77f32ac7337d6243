import { decodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import * as OpenSignature from '../../../src/core/gasless/OpenSignature.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';

const owner = accounts.dev0.address;
const token = accounts.dev1.address;
const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
const nonce = `0x${'ab'.repeat(32)}` as const;

/** A node whose finalized block is of a time, and which answers every read with one word. */
function nodeOf(timestamp: bigint, result: bigint, asked: { to: string; data: Hex }[] = []) {
  const witnesses = ['one', 'another'];
  return {
    batchSequence: async () => result,
    finalizedSequence: async () => ({ sequence: result, timestamp, witnesses }),
    read: async (call: { to: string; data: Hex }) => {
      asked.push(call);
      return word(result);
    },
    finalizedRead: async (call: { to: string; data: Hex }) => {
      asked.push(call);
      return { result: word(result), timestamp, witnesses };
    },
  };
}

const permitOf = (primaryType: string, message: Record<string, unknown>) =>
  ({
    summary: '',
    request: {},
    typed: { domain: { verifyingContract: token }, types: {}, primaryType, message },
  }) as never;

const authorization = permitOf('TransferWithAuthorization', { from: owner, validBefore: '1000', nonce });
const permit = permitOf('Permit', { owner, nonce: 7n, deadline: 1000n });
const permit2 = permitOf('PermitBatchWitnessTransferFrom', { nonce: '515', deadline: '1000' });
const batch = {
  type: 'signed-batch',
  request: {},
  batchExecutor: token,
  executor: token,
  nonce: '7',
  deadline: '1000',
};

describe('voidBy', () => {
  test.each([
    ['an authorization', authorization, 0n, 1n, 999n],
    ['a permit', permit, 7n, 8n, 1000n],
    ['a Permit2 permit', permit2, 1n << 4n, 1n << 3n, 1000n],
  ] as const)('default: %s, unused at a final block after its last second', async (_, of, unused, used, last) => {
    const open = (timestamp: bigint, result: bigint) => OpenSignature.ofPermit(of, owner, nodeOf(timestamp, result));
    expect(await open(last + 1n, unused).voidBy()).toHaveLength(3);
    expect(await open(last, unused).voidBy()).toBeUndefined();
    expect(await open(last + 1n, used).voidBy()).toBeUndefined();
    expect([await open(0n, unused).isUsed(), await open(0n, used).isUsed()]).toEqual([false, true]);
    expect(open(0n, unused).untilMs).toBe(Number(last) * 1000);
  });

  test('default: a batch, whose sequence was not used', async () => {
    const open = (timestamp: bigint, result: bigint) =>
      OpenSignature.ofBatch(batch as never, owner, nodeOf(timestamp, result));
    expect(await open(1001n, 7n).voidBy()).toHaveLength(3);
    expect(await open(1000n, 7n).voidBy()).toBeUndefined();
    expect(await open(1001n, 8n).voidBy()).toBeUndefined();
    expect([await open(0n, 7n).isUsed(), await open(0n, 8n).isUsed()]).toEqual([false, true]);
  });

  test('attack: one node alone is believed only if it is the own one of the sandbox', async () => {
    const ends = async (isOwn?: () => Promise<boolean>) => {
      const node = nodeOf(1001n, 7n);
      const one = {
        ...node,
        finalizedSequence: async () => ({ ...(await node.finalizedSequence()), witnesses: ['one'] }),
      };
      return (await OpenSignature.ofBatch(batch as never, owner, { ...one, isOwn }).voidBy())?.length;
    };
    expect([await ends(), await ends(async () => false), await ends(async () => true)]).toEqual([
      undefined,
      undefined,
      3,
    ]);
  });

  test('behavior: asks the contract that would take the signature, about this one', async () => {
    const asked: { to: string; data: Hex }[] = [];
    await OpenSignature.ofPermit(authorization, owner, nodeOf(1n, 0n, asked)).isUsed();
    const abi = parseAbi(['function authorizationState(address, bytes32) view returns (bool)']);
    expect(asked.map(({ to, data }) => [to, decodeFunctionData({ abi, data }).args])).toEqual([
      [token, [owner, nonce]],
    ]);
  });

  test('behavior: what ferry cannot look up is never void', async () => {
    const open = OpenSignature.ofPermit(permitOf('Other', {}), owner, nodeOf(10n ** 12n, 0n));
    expect([open.untilMs, await open.voidBy()]).toEqual([Number.POSITIVE_INFINITY, undefined]);
  });
});
