import { decodeFunctionData, type Hex, maxUint256 } from 'viem';
import { describe, expect, test } from 'vitest';
import type * as Calldata from '../../../src/sandbox/pricing/Calldata.js';
import * as PoolRoute from '../../../src/sandbox/pricing/PoolRoute.js';
import * as SwapCalls from '../../../src/sandbox/pricing/SwapCalls.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import * as fixture from '../../support/market.js';

const { alpha } = fixture;
const { router, wrapped } = alpha.contracts;

/** One line per call, with names for addresses. */
function calls(from: string, to: string, output: SwapCalls.Swap['output']): readonly string[] {
  const tokens = { from: fixture.token(alpha, from), to: fixture.token(alpha, to) };
  const found = SwapCalls.calls({
    chain: alpha,
    ...tokens,
    route: PoolRoute.find(alpha, tokens.from, tokens.to) ?? [],
    amount: 1_000n,
    output,
    recipient: fixture.other,
    changeTo: fixture.user,
  });
  return found.map(describeCall);
}

function describeCall({ target, value, callData }: Calldata.RouterCall): string {
  if (target === wrapped && value > 0n) return `wrap ${value}`;
  if (target !== router) return `${nameOf(target)}: ${textOf(abi.token, callData)}`;
  const { functionName, args } = decodeFunctionData({ abi: abi.router, data: callData });
  if (functionName !== 'cleanupErc20sViaCall') return textOf(abi.router, callData);
  const [[paid], [to], [data], [amount]] = args;
  return `pay ${amount} ${nameOf(paid)} to ${nameOf(to)}: ${textOf(abi.pool, data ?? '0x')}`;
}

function textOf(of: typeof abi.token | typeof abi.router | typeof abi.pool, data: Hex): string {
  const { functionName, args = [] } = decodeFunctionData({ abi: of, data });
  const texts = args.flat().map((arg) => (arg === maxUint256 ? 'all' : nameOf(String(arg))));
  return `${functionName}(${texts.join(', ')})`;
}

function nameOf(text: string | undefined): string {
  const tokens = alpha.tokens.map(({ symbol, address }) => [symbol, address] as const);
  const symbolOf = (address: string) => tokens.find(([, at]) => at === address)?.[0];
  const named = [
    ...tokens,
    ...alpha.pools.map((pool) => [`pool ${symbolOf(pool.token0)}`, pool.address] as const),
    ['router', router] as const,
    ['recipient', fixture.other] as const,
    ['user', fixture.user] as const,
  ];
  return named.find(([, address]) => address.toLowerCase() === text?.toLowerCase())?.[0] ?? text ?? '?';
}

describe('calls', () => {
  test('default', () => {
    expect(calls('USDC', 'GULL', { atLeast: 5n })).toEqual([
      'pay 1000 USDC to pool GULL: swapExactIn(USDC, 1000, 5, recipient)',
    ]);
  });

  test("behavior: the second pool takes the first one's whole output", () => {
    expect(calls('USDT', 'DAI', { atLeast: 5n })).toEqual([
      'pay 1000 USDT to pool USDT: swapExactIn(USDT, 1000, 0, router)',
      'pay 0 USDC to pool DAI: swapExactIn(USDC, all, 5, recipient)',
    ]);
  });

  test('behavior: native currency is wrapped before and unwrapped after', () => {
    expect(calls('ETH', 'USDC', { atLeast: 5n })).toEqual([
      'wrap 1000',
      'pay 1000 WETH to pool WETH: swapExactIn(WETH, 1000, 5, recipient)',
    ]);
    expect(calls('USDC', 'ETH', { atLeast: 5n })).toEqual([
      'pay 1000 USDC to pool WETH: swapExactIn(USDC, 1000, 5, router)',
      'unwrap(WETH)',
      'cleanupNative(0, recipient)',
    ]);
  });

  test('behavior: returns the remainder of an exact output', () => {
    expect(calls('USDT', 'DAI', { exact: 5n })).toEqual([
      'pay 1000 USDT to pool USDT: swapExactIn(USDT, 1000, 0, router)',
      'pay 0 USDC to pool DAI: swapExactOut(DAI, 5, all, recipient)',
      'cleanupErc20s(USDC, user, 0)',
    ]);
    expect(calls('ETH', 'USDC', { exact: 5n })).toEqual([
      'wrap 1000',
      'pay 1000 WETH to pool WETH: swapExactOut(USDC, 5, all, recipient)',
      'unwrap(WETH)',
    ]);
  });

  test('behavior: a wrap and an unwrap for another recipient', () => {
    expect(calls('ETH', 'WETH', { atLeast: 5n })).toEqual(['wrap 1000', 'WETH: transfer(recipient, 1000)']);
    expect(calls('WETH', 'ETH', { exact: 1_000n })).toEqual(['unwrap(WETH)', 'cleanupNative(0, recipient)']);
  });
});

describe('routerCall', () => {
  test('default', () => {
    expect(SwapCalls.routerCall({ to: router, data: '0x12', value: 7n })).toEqual({
      target: router,
      allowFailure: false,
      value: 7n,
      callData: '0x12',
    });
  });
});
