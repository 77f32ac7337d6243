import { encodeFunctionData, hashStruct, parseEventLogs, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, type Call, revert, send, useChains } from '../../support/chains.js';

const { alpha } = useChains();
const { dev0, dev2, allocator, relayer } = accounts;
const zero = '0x0000000000000000000000000000000000000000';
const id = toHex(42, { size: 32 });

const types = {
  CallRequest: [
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'data', type: 'bytes' },
    { name: 'value', type: 'uint256' },
    { name: 'allowFailure', type: 'bool' },
  ],
} as const;

type Request = {
  calls: readonly { to: `0x${string}`; data: `0x${string}`; value: bigint; allowFailure: boolean }[];
  nonce: bigint;
  expiration: bigint;
};

describe('execute', () => {
  test('default: names the request in its events, and is made once', async () => {
    const token = alpha.tokens.USDC.address;
    await approve(alpha, dev0, token, alpha.depository, 100n);
    await send(alpha, dev0, call('depositErc20', [zero, token, 100n, id]));
    await send(alpha, dev0, call('depositNative', [zero, id], 100n));
    const request = {
      calls: [transfer(token, 60n), { to: dev2.address, data: '0x', value: 30n, allowFailure: false }],
      nonce: 1n,
      expiration: 2n ** 64n,
    } as const;
    const execute = await signed(request);
    const { logs } = await send(alpha, relayer, execute);
    const requestId = hashStruct({ types, primaryType: 'CallRequest', data: request });
    const made = parseEventLogs({ abi: abi.depository, logs, eventName: 'RelayCallExecuted' });
    expect(made.map(({ args }) => args)).toEqual(request.calls.map((each) => ({ id: requestId, call: each })));
    expect(await revert(alpha, relayer, execute)).toBe('CallRequestAlreadyUsed()');
  });

  test('behavior: a call with allowFailure may fail', async () => {
    const failing = { ...transfer(alpha.tokens.GULL.address, 1n), allowFailure: true };
    const request = { calls: [failing], nonce: 2n, expiration: 2n ** 64n };
    expect(await revert(alpha, relayer, await signed(request))).toBe(undefined);
  });

  test('error: a call fails', async () => {
    const request = { calls: [transfer(alpha.tokens.GULL.address, 1n)], nonce: 3n, expiration: 2n ** 64n };
    // The selector of ERC20InsufficientBalance.
    expect(await revert(alpha, relayer, await signed(request))).toMatch(/^CallFailed\(0xe450d38c/);
  });

  test('error: not signed by the allocator, signed for something else, expired', async () => {
    const request = { calls: [], nonce: 4n, expiration: 2n ** 64n };
    const { args, ...execute } = await signed(request);
    expect(await revert(alpha, relayer, await signed(request, dev0.privateKey))).toBe('InvalidSignature()');
    const changed = [{ ...request, nonce: 5n }, args?.[1]];
    expect(await revert(alpha, relayer, { ...execute, args: changed })).toBe('InvalidSignature()');
    expect(await revert(alpha, relayer, await signed({ ...request, expiration: 1n }))).toBe('CallRequestExpired()');
  });
});

function call(functionName: string, args: readonly unknown[], value = 0n): Call {
  return { address: alpha.depository, abi: abi.depository, functionName, args, value };
}

function transfer(token: `0x${string}`, amount: bigint) {
  const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [dev2.address, amount] });
  return { to: token, data, value: 0n, allowFailure: false };
}

async function signed(request: Request, key = allocator.privateKey as `0x${string}`): Promise<Call> {
  const domain = {
    name: 'RelayDepository',
    version: '1',
    chainId: alpha.id,
    verifyingContract: alpha.depository,
  };
  const message = { ...request, calls: [...request.calls] };
  const signature = await privateKeyToAccount(key).signTypedData({
    domain,
    types,
    primaryType: 'CallRequest',
    message,
  });
  return call('execute', [request, signature]);
}
