import { decodeFunctionData, getAddress, toFunctionSelector } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Calldata from '../../../src/sandbox/pricing/Calldata.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import * as fixture from '../../support/market.js';

const { alpha, user, other } = fixture;
const eth = fixture.token(alpha, 'ETH');
const usdc = fixture.token(alpha, 'USDC');
const { depository, router, approvalProxy, wrapped } = alpha.contracts;
const orderId = `0x${'ab'.repeat(32)}` as const;

describe('approve', () => {
  test('default', () => {
    const call = Calldata.approve(usdc, depository, 7n);
    expect(call).toMatchObject({ to: usdc.address, value: 0n });
    expect(decodeFunctionData({ abi: abi.token, data: call.data })).toEqual({
      functionName: 'approve',
      args: [getAddress(depository), 7n],
    });
  });
});

describe('transfer', () => {
  test('default', () => {
    expect(Calldata.transfer(eth, other, 7n)).toEqual({ to: other, data: '0x', value: 7n });
    const call = Calldata.transfer(usdc, other, 7n);
    expect(call).toMatchObject({ to: usdc.address, value: 0n });
    expect(decodeFunctionData({ abi: abi.token, data: call.data }).args).toEqual([other, 7n]);
  });
});

describe('deposit', () => {
  test('default', () => {
    const paid = { depository, depositor: user, amount: 7n, orderId };
    const native = Calldata.deposit({ ...paid, token: eth });
    expect(native).toMatchObject({ to: depository, value: 7n });
    expect(native.data.slice(0, 10)).toBe('0x49290c1c');
    const token = Calldata.deposit({ ...paid, token: usdc });
    expect(token).toMatchObject({ to: depository, value: 0n });
    expect(token.data.slice(0, 10)).toBe('0xe8017952');
    expect(decodeFunctionData({ abi: abi.depository, data: token.data }).args).toEqual([
      user,
      getAddress(usdc.address),
      7n,
      orderId,
    ]);
  });
});

describe('wrap', () => {
  test('default', () => {
    expect(Calldata.wrap(wrapped, 7n)).toEqual({ to: wrapped, data: toFunctionSelector('deposit()'), value: 7n });
  });
});

describe('unwrap', () => {
  test('default', () => {
    const call = Calldata.unwrap(wrapped, 7n);
    expect(call).toMatchObject({ to: wrapped, value: 0n });
    expect(decodeFunctionData({ abi: abi.weth, data: call.data })).toEqual({ functionName: 'withdraw', args: [7n] });
  });
});

describe('multicall', () => {
  const calls = [{ target: other, allowFailure: false, value: 0n, callData: '0x12' }] as const;

  test('default', () => {
    const input = { token: eth, amount: 7n };
    const call = Calldata.multicall({ chain: alpha, input, calls, refundTo: user, metadata: orderId });
    expect(call).toMatchObject({ to: router, value: 7n });
    expect(decodeFunctionData({ abi: abi.router, data: call.data })).toEqual({
      functionName: 'multicall',
      args: [calls, user, user, orderId],
    });
  });

  test('behavior: tokens go through the approval proxy', () => {
    const input = { token: usdc, amount: 7n };
    const call = Calldata.multicall({ chain: alpha, input, calls, refundTo: user, metadata: orderId });
    expect(call).toMatchObject({ to: approvalProxy, value: 0n });
    expect(decodeFunctionData({ abi: abi.approvalProxy, data: call.data })).toEqual({
      functionName: 'transferAndMulticall',
      args: [[getAddress(usdc.address)], [7n], calls, user, user, orderId],
    });
  });
});

describe('aggregate', () => {
  test('default: atomic, with the sum of the values', () => {
    const calls = [
      { to: other, data: '0x12', value: 3n },
      { to: user, data: '0x', value: 4n },
    ] as const;
    const call = Calldata.aggregate(router, calls);
    expect(call).toMatchObject({ to: router, value: 7n });
    expect(decodeFunctionData({ abi: abi.multicall3, data: call.data })).toEqual({
      functionName: 'aggregate3Value',
      args: [
        [
          { target: other, allowFailure: false, value: 3n, callData: '0x12' },
          { target: user, allowFailure: false, value: 4n, callData: '0x' },
        ],
      ],
    });
  });
});

describe('metadataOf', () => {
  test('default: the digits backwards, and a zero byte', () => {
    expect(Calldata.metadataOf(`0x17${'0'.repeat(58)}89ab`)).toBe(`0xba98${'0'.repeat(58)}7100`);
  });
});
