import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as KnownCalls from '../../../src/core/quote/KnownCalls.js';
import * as market from '../../support/market.js';

const abi = parseAbi([
  'function approve(address,uint256)',
  'function depositErc20(address,address,uint256,bytes32)',
  'function depositErc20(address,address,bytes32)',
  'function withdraw(uint256)',
]);
const id = `0x${'ab'.repeat(32)}` as const;

describe('decode', () => {
  test('default: function and arguments', () => {
    const data = encodeFunctionData({ abi, functionName: 'depositErc20', args: [market.user, market.other, 7n, id] });
    expect(data.slice(0, 10)).toBe('0xe8017952');
    expect(KnownCalls.decode(data)).toEqual({
      function: 'depositErc20',
      depositor: market.user,
      token: market.other,
      amount: 7n,
      id,
    });
  });
  test('behavior: non-canonical calldata is undefined', () => {
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [market.user, 1n] });
    expect(KnownCalls.decode(data)).toMatchObject({ function: 'approve', amount: 1n });
    expect(KnownCalls.decode(`${data}00`)).toBeUndefined();
    expect(KnownCalls.decode(data.slice(0, -2) as `0x${string}`)).toBeUndefined();
    expect(KnownCalls.decode(data.replace('0x095ea7b3000000', '0x095ea7b3000001') as `0x${string}`)).toBeUndefined();
  });
  test('behavior: an unknown function is undefined, as is a deposit of the whole allowance', () => {
    expect(KnownCalls.decode('0x')).toBeUndefined();
    expect(KnownCalls.decode('0xdeadbeef')).toBeUndefined();
    const whole = encodeFunctionData({ abi, functionName: 'depositErc20', args: [market.user, market.other, id] });
    expect(KnownCalls.decode(whole)).toBeUndefined();
  });
  test('behavior: upper-case hex is the same bytes', () => {
    const data = encodeFunctionData({ abi, functionName: 'withdraw', args: [255n] });
    expect(KnownCalls.decode(`0x${data.slice(2).toUpperCase()}`)).toEqual({ function: 'unwrap', amount: 255n });
  });
});

test('exact: attack: a list of one call many times over, written once, is not decoded', () => {
  const word = (value: number): string => value.toString(16).padStart(64, '0');
  // Written out it has two and a half gigabytes.
  const [count, bytes] = [40_000, 64_000];
  const call = [1, 0, 0, 128, bytes].map(word).join('') + '00'.repeat(bytes);
  const list = word(count) + word(count * 32).repeat(count) + call;
  const head = [128, 1, 1, 128 + list.length / 2].map(word).join('');
  const selector = toFunctionSelector('multicall((address,bool,uint256,bytes)[],address,address,bytes)');
  expect(KnownCalls.decode(`${selector}${head}${list}${word(0)}`)).toBeUndefined();
});

test('exact: the function and its arguments; undefined for more bytes, fewer bytes or another function', () => {
  const data = encodeFunctionData({ abi, functionName: 'withdraw', args: [7n] });
  expect(KnownCalls.exact(abi, data)).toEqual({ functionName: 'withdraw', args: [7n] });
  for (const other of [`${data}00`, data.slice(0, -2), '0xdeadbeef', '0x'] as `0x${string}`[])
    expect(KnownCalls.exact(abi, other)).toBeUndefined();
});
