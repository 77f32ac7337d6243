import { encodeFunctionData, parseEventLogs } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { balance, type Call, revert, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const { alpha } = useChains();
const { router } = alpha;
const [usdc, weth] = [alpha.tokens.USDC.address, alpha.tokens.WETH.address];
const { dev0, dev1 } = accounts;
const zero = '0x0000000000000000000000000000000000000000';

type Inner = { target: `0x${string}`; allowFailure: boolean; value: bigint; callData: `0x${string}` };

describe('multicall', () => {
  test('default', async () => {
    const before = await connect(alpha).getBalance({ address: dev1.address });
    const deposit = encodeFunctionData({ abi: abi.weth, functionName: 'deposit' });
    const calls = [inner(weth, deposit, 40n), self('cleanupErc20s', [[weth], [dev1.address], [0n], '0x12'])];
    const held = await balance(alpha, weth, dev1.address);
    const receipt = await send(alpha, dev0, multicall(calls, { refundTo: dev1.address, value: 100n }));
    expect(await balance(alpha, weth, dev1.address)).toBe(held + 40n);
    expect(await connect(alpha).getBalance({ address: dev1.address })).toBe(before + 60n);
    expect(await connect(alpha).getBalance({ address: router })).toBe(0n);
    const moved = parseEventLogs({ abi: abi.router, logs: receipt.logs, eventName: 'FundsMovement' });
    expect(
      moved.map(({ args: { from, to, currency, amount, metadata } }) => [from, to, currency, amount, metadata]),
    ).toEqual([
      [dev0.address, router, zero, 100n, '0x1234'],
      [router, dev1.address, weth, 40n, '0x12'],
      [router, dev1.address, zero, 60n, '0x1234'],
    ]);
  });

  test('behavior: without a refund address leftovers go to the sender', async () => {
    const receipt = await send(alpha, dev0, multicall([], { refundTo: zero, value: 3n }));
    const [last] = parseEventLogs({ abi: abi.router, logs: receipt.logs, eventName: 'FundsMovement' }).slice(-1);
    expect(last?.args).toMatchObject({ from: router, to: dev0.address, amount: 3n });
    expect(await connect(alpha).getBalance({ address: router })).toBe(0n);
  });

  test('error: propagates the inner revert data', async () => {
    const failing = multicall([inner(usdc, transfer(1n))], { refundTo: dev0.address, value: 0n });
    expect(await revert(alpha, dev0, { ...failing, abi: [...abi.router, ...abi.token] })).toBe(
      `ERC20InsufficientBalance(${router}, 0, 1)`,
    );
    const bare = multicall([inner(alpha.tokens.USDT.address, transfer(1n))], { refundTo: dev0.address, value: 0n });
    expect(await revert(alpha, dev0, bare)).toBe('0x');
  });

  test('error: a contract that is called calls back', async () => {
    const again = self('cleanupNative', [0n, dev1.address, '0x']).callData;
    const forward = { abi: abi.forwarder, functionName: 'forward', args: [router, again] } as const;
    const call = multicall([inner(alpha.forwarder, encodeFunctionData(forward))], {
      refundTo: dev0.address,
      value: 5n,
    });
    expect(await revert(alpha, dev0, { ...call, abi: [...abi.router, ...abi.forwarder] })).toBe(
      `InvalidMsgSender(${dev0.address}, ${alpha.forwarder})`,
    );
  });
});

test('error: lists of different lengths, a call that fails, a refund address that rejects payment', async () => {
  const reverts = (functionName: string, args: readonly unknown[]) =>
    revert(alpha, dev0, { address: router, abi: abi.router, functionName, args });
  expect(await reverts('cleanupErc20s', [[usdc], [], [0n], '0x'])).toBe('ArrayLengthsMismatch()');
  expect(await reverts('cleanupErc20sViaCall', [[usdc], [usdc], [transfer(1n)], [1n]])).toBe('CallFailed()');
  // Without a balance nothing is called.
  expect(await reverts('cleanupErc20sViaCall', [[usdc], [usdc], [transfer(1n)], [0n]])).toBe(undefined);
  const paying = { refundTo: dev0.address, value: 1n };
  const failing = multicall([self('cleanupNativeViaCall', [0n, usdc, '0x'])], paying);
  expect(await revert(alpha, dev0, failing)).toBe('CallFailed()');
  expect(await revert(alpha, dev0, multicall([], { ...paying, refundTo: usdc }))).toBe('ETHTransferFailed()');
});

function multicall(calls: readonly Inner[], { refundTo, value }: { refundTo: `0x${string}`; value: bigint }): Call {
  const args = [calls, refundTo, zero, '0x1234'];
  return { address: router, abi: abi.router, functionName: 'multicall', args, value };
}

function inner(target: `0x${string}`, callData: `0x${string}`, value = 0n): Inner {
  return { target, allowFailure: false, value, callData };
}

/** A call from the router to itself. */
function self(functionName: string, args: readonly unknown[]): Inner {
  return inner(router, encodeFunctionData({ abi: abi.router as readonly unknown[], functionName, args }));
}

function transfer(amount: bigint) {
  return encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [dev1.address, amount] });
}
