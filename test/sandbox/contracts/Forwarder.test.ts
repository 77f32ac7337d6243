import { encodeErrorResult, encodeFunctionData } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { type Call, result, revert, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1 } = accounts;
type How = 'forward' | 'wrap' | 'attempt';

describe('forward', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    expect(await result(alpha, dev0, call('forward', alpha.reverter, succeed()))).toBe(`0x${'4'.padStart(64, '0')}`);
    const before = await connect(alpha).getBalance({ address: dev1.address });
    await send(alpha, dev0, { ...call('forward', dev1.address, '0x'), value: 6n });
    expect(await connect(alpha).getBalance({ address: dev1.address })).toBe(before + 6n);
  });

  test("error: reverts with the inner call's data, at any depth", async () => {
    const { alpha } = chains.current;
    const deep = Array.from({ length: 20 }).reduce<`0x${string}`>(
      (data, _, depth) => forwarded('forward', depth === 0 ? alpha.reverter : alpha.forwarder, data),
      fail(),
    );
    expect(await revert(alpha, dev0, call('forward', alpha.forwarder, deep))).toBe(
      `LimitExceeded(${dev1.address}, 1, 2)`,
    );
  });
});

describe('wrap', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    expect(await result(alpha, dev0, call('wrap', alpha.reverter, succeed()))).toBe(`0x${'4'.padStart(64, '0')}`);
  });

  test("error: wraps the inner call's data in its own error", async () => {
    const { alpha } = chains.current;
    expect(await revert(alpha, dev0, call('wrap', alpha.reverter, fail()))).toBe(
      `ForwardFailed(${alpha.reverter}, ${reason()})`,
    );
  });
});

describe('attempt', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    expect(await result(alpha, dev0, call('attempt', alpha.reverter, fail()))).toEqual([false, reason()]);
    expect(await result(alpha, dev0, call('attempt', alpha.reverter, succeed()))).toEqual([
      true,
      `0x${'4'.padStart(64, '0')}`,
    ]);
  });
});

function call(functionName: How, to: `0x${string}`, data: `0x${string}`): Call {
  const both = [...abi.forwarder, ...abi.reverter];
  return { address: chains.current.alpha.forwarder, abi: both, functionName, args: [to, data] };
}

function forwarded(functionName: How, to: `0x${string}`, data: `0x${string}`) {
  return encodeFunctionData({ abi: abi.forwarder, functionName, args: [to, data] });
}

function succeed() {
  return encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [4n] });
}

function fail() {
  return encodeFunctionData({ abi: abi.reverter, functionName: 'customError', args: [dev1.address, 1n, 2n] });
}

function reason() {
  return encodeErrorResult({ abi: abi.reverter, errorName: 'LimitExceeded', args: [dev1.address, 1n, 2n] });
}
