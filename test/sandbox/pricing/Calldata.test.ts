import { decodeFunctionData, getAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import * as Calldata from '../../../src/sandbox/pricing/Calldata.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import * as fixture from '../../support/market.js';

const { alpha, user, other } = fixture;
const eth = fixture.token(alpha, 'ETH');
const usdc = fixture.token(alpha, 'USDC');
const { router, approvalProxy } = alpha.contracts;
const orderId = `0x${'ab'.repeat(32)}` as const;
const requestId = `0x${'12'.repeat(31)}34` as const;
const metadata = `0x43${'21'.repeat(31)}00` as const;

describe('multicall', () => {
  const calls = [{ target: other, allowFailure: false, value: 0n, callData: '0x12' }] as const;

  test('default', () => {
    const input = { token: eth, amount: 7n };
    const call = Calldata.multicall({ chain: alpha, input, calls, refundTo: user, requestId, orderId: undefined });
    expect(call).toMatchObject({ to: router, value: 7n });
    expect(decodeFunctionData({ abi: abi.router, data: call.data })).toEqual({
      functionName: 'multicall',
      args: [calls, user, user, metadata],
    });
  });

  test('behavior: tokens go through the approval proxy', () => {
    const input = { token: usdc, amount: 7n };
    const call = Calldata.multicall({ chain: alpha, input, calls, refundTo: user, requestId, orderId });
    expect(call).toMatchObject({ to: approvalProxy, value: 0n });
    expect(decodeFunctionData({ abi: abi.approvalProxy, data: call.data })).toEqual({
      functionName: 'transferAndMulticall',
      args: [[getAddress(usdc.address)], [7n], calls, user, user, metadata],
    });
    expect(call.data.slice(-64)).toBe(orderId.slice(2));
  });
});

describe('metadataOf', () => {
  test('default: the digits backwards, and a byte', () => {
    expect(Calldata.metadataOf(requestId)).toBe(metadata);
  });
});

describe('requestIdOf', () => {
  test('default', () => {
    expect(Calldata.requestIdOf(metadata)).toBe(requestId);
    for (const other of ['0x', requestId, `0x43${'21'.repeat(31)}01`] as const)
      expect(Calldata.requestIdOf(other)).toBe(undefined);
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
