import { decodeFunctionData, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import type * as Calldata from '../../../src/sandbox/pricing/Calldata.js';
import * as PoolRoute from '../../../src/sandbox/pricing/PoolRoute.js';
import * as SwapCalls from '../../../src/sandbox/pricing/SwapCalls.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import * as fixture from '../../support/market.js';

const { alpha } = fixture;
const { router, wrapped, aggregator, swapExecutor, depository } = alpha.contracts;
const orderId = `0x${'ab'.repeat(32)}` as const;

function inputOf(from: string, to: string) {
  const tokens = { from: fixture.token(alpha, from), to: fixture.token(alpha, to) };
  const route = PoolRoute.find(alpha, tokens.from, tokens.to) ?? [];
  return { chain: alpha, ...tokens, route, amount: 1_000n };
}

/** One line per call, with names for addresses. */
function calls(from: string, to: string, output: SwapCalls.Swap['output']): readonly string[] {
  const parties = { recipient: fixture.other, changeTo: fixture.user };
  return SwapCalls.calls({ ...inputOf(from, to), output, ...parties, metadata: '0x12' }).map(describeCall);
}

function deposits(from: string, to: string): readonly string[] {
  const order = { minimum: 5n, depositor: fixture.user, orderId };
  return SwapCalls.deposits({ ...inputOf(from, to), ...order }).map(describeCall);
}

function describeCall({ target, value, callData, allowFailure }: Calldata.RouterCall): string {
  expect(allowFailure).toBe(false);
  if (callData === '0x') return `${nameOf(target)}: ${value}`;
  if (target === wrapped && value > 0n) return `wrap ${value}`;
  if (target === aggregator) return describeSwap(callData, value);
  const of = target === router ? abi.router : [...abi.token, ...abi.weth];
  return `${nameOf(target)}: ${textOf(of, callData)}`;
}

/** The terms of a swap, and the pools that it goes through. */
function describeSwap(data: Hex, value: bigint): string {
  const { args } = decodeFunctionData({ abi: abi.aggregationRouter, data });
  const [{ callTarget, targetData, desc }] = args;
  const { srcToken, dstToken, srcReceivers, srcAmounts, dstReceiver, amount, minReturnAmount } = desc;
  const execution = decodeFunctionData({ abi: abi.swapExecutor, data: targetData });
  const [weth, hops, unwraps, to] = execution.args;
  expect([nameOf(callTarget), nameOf(weth), nameOf(to)]).toEqual(['executor', 'WETH', nameOf(dstReceiver)]);
  const isNative = nameOf(srcToken) === 'native';
  expect([srcReceivers.map(nameOf), srcAmounts, value]).toEqual(
    isNative ? [[], [], amount] : [['executor'], [amount], 0n],
  );
  expect(unwraps).toBe(nameOf(dstToken) === 'native');
  const pools = hops.map(({ pool, tokenIn, tokenOut }) => `${nameOf(tokenIn)}-${nameOf(pool)}-${nameOf(tokenOut)}`);
  const terms = `${amount} ${nameOf(srcToken)} for ${minReturnAmount} ${nameOf(dstToken)} to ${nameOf(dstReceiver)}`;
  return `swap ${terms} by ${pools.join(', ')}`;
}

function textOf(of: readonly unknown[], data: Hex): string {
  const { functionName, args = [] } = decodeFunctionData({ abi: of as typeof abi.router, data });
  const texts = args.flat().map((arg) => nameOf(String(arg)));
  return `${functionName}(${texts.join(', ')})`;
}

function nameOf(text: string): string {
  const tokens = alpha.tokens.map(({ symbol, address }) => [symbol, address] as const);
  const symbolOf = (address: string) => tokens.find(([, at]) => at === address)?.[0];
  const named = [
    ...tokens,
    ...alpha.pools.map((pool) => [`pool ${symbolOf(pool.token0)}`, pool.address] as const),
    ['router', router] as const,
    ['aggregator', aggregator] as const,
    ['executor', swapExecutor] as const,
    ['depository', depository] as const,
    ['recipient', fixture.other] as const,
    ['user', fixture.user] as const,
    ['native', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'] as const,
  ];
  const found = named.find(([, address]) => address.toLowerCase() === text.toLowerCase());
  if (found) return found[0];
  if (text.length < 100) return text;
  // A call that is handed on.
  return textOf(abi.depository, text as Hex).replace(orderId, 'order');
}

describe('calls', () => {
  test('default: the aggregator pays the recipient', () => {
    expect(calls('USDC', 'GULL', { atLeast: 5n })).toEqual([
      'USDC: approve(aggregator, 1000)',
      'swap 1000 USDC for 5 GULL to recipient by USDC-pool GULL-GULL',
    ]);
  });

  test('behavior: through two pools', () => {
    expect(calls('USDT', 'DAI', { atLeast: 5n })).toEqual([
      'USDT: approve(aggregator, 1000)',
      'swap 1000 USDT for 5 DAI to recipient by USDT-pool USDT-USDC, USDC-pool DAI-DAI',
    ]);
  });

  test('behavior: native currency has no approval, and its own address', () => {
    expect(calls('ETH', 'USDC', { atLeast: 5n })).toEqual([
      'swap 1000 native for 5 USDC to recipient by WETH-pool WETH-USDC',
    ]);
    expect(calls('USDC', 'ETH', { atLeast: 5n })).toEqual([
      'USDC: approve(aggregator, 1000)',
      'swap 1000 USDC for 5 native to recipient by USDC-pool WETH-WETH',
    ]);
  });

  test('behavior: returns the remainder of an exact output', () => {
    expect(calls('USDC', 'DAI', { exact: 5n })).toEqual([
      'USDC: approve(aggregator, 1000)',
      'swap 1000 USDC for 5 DAI to router by USDC-pool DAI-DAI',
      'router: cleanupErc20s(DAI, DAI, recipient, user, 5, 0, 0x12)',
    ]);
    expect(calls('USDC', 'ETH', { exact: 5n })).toEqual([
      'USDC: approve(aggregator, 1000)',
      'swap 1000 USDC for 5 native to router by USDC-pool WETH-WETH',
      'router: cleanupNative(5, recipient, 0x12)',
    ]);
  });

  test('behavior: a wrap and an unwrap for another recipient', () => {
    expect(calls('ETH', 'WETH', { atLeast: 5n })).toEqual(['wrap 1000', 'WETH: transfer(recipient, 1000)']);
    expect(calls('WETH', 'ETH', { exact: 1_000n })).toEqual([
      'WETH: withdraw(1000)',
      'router: cleanupNative(1000, recipient, 0x12)',
    ]);
  });
});

describe('deposits', () => {
  test('default: all that the swap yields, by the form without an amount', () => {
    expect(deposits('DAI', 'USDC')).toEqual([
      'DAI: approve(aggregator, 1000)',
      'swap 1000 DAI for 5 USDC to router by DAI-pool DAI-USDC',
      'router: cleanupErc20sViaCall(USDC, depository, depositErc20(user, USDC, order), 0)',
    ]);
  });

  test('behavior: the native asset', () => {
    expect(deposits('DAI', 'ETH')).toEqual([
      'DAI: approve(aggregator, 1000)',
      'swap 1000 DAI for 5 native to router by DAI-pool DAI-USDC, USDC-pool WETH-WETH',
      'router: cleanupNativeViaCall(0, depository, depositNative(user, order))',
    ]);
    expect(deposits('WETH', 'ETH')).toEqual([
      'WETH: approve(router, 1000)',
      'WETH: withdraw(1000)',
      'router: 1000',
      'router: cleanupNativeViaCall(0, depository, depositNative(user, order))',
    ]);
  });
});

describe('fee', () => {
  test('default: the native asset is wrapped', () => {
    const paid = (symbol: string) =>
      SwapCalls.fee(alpha, fixture.token(alpha, symbol), fixture.other, 7n).map(describeCall);
    expect(paid('DAI')).toEqual(['DAI: transfer(recipient, 7)']);
    expect(paid('ETH')).toEqual(['wrap 7', 'WETH: transfer(recipient, 7)']);
  });
});
