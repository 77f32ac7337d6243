import { decodeFunctionData, encodeFunctionData, getAddress, zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import * as AggregatorSwap from '../../../../src/core/proof/router/AggregatorSwap.js';
import * as calldata from '../../../support/routerCalldata.js';

const of = (byte: string): calldata.Address => `0x${byte.repeat(20)}`;
const router = of('60');
const known = { router, kyberSwap: calldata.kyberSwap };
const swap = { from: of('70'), to: zeroAddress, amount: 1_000n, minimum: 90n, receiver: of('12') };

describe('from', () => {
  test('default: KyberSwap enforces the minimum itself, 0x by another contract', () => {
    expect(AggregatorSwap.from(calldata.viaKyberSwap(swap), known)).toEqual({
      ...swap,
      aggregator: 'KyberSwap',
      enforcer: { kind: 'shipped', address: calldata.kyberSwap },
    });
    expect(AggregatorSwap.from(calldata.viaZeroEx(swap, of('5e')), known)).toEqual({
      ...swap,
      aggregator: '0x',
      enforcer: { kind: 'settler', address: getAddress(of('5e')) },
    });
  });
  test('behavior: without a receiver KyberSwap pays its caller', () => {
    const found = AggregatorSwap.from(calldata.viaKyberSwap({ ...swap, receiver: zeroAddress }), known);
    expect(found?.receiver).toBe(router);
  });
  test('behavior: undefined for another target, another function or a relative minimum', () => {
    expect(AggregatorSwap.from({ ...calldata.viaKyberSwap(swap), target: router }, known)).toBeUndefined();
    expect(AggregatorSwap.from({ ...calldata.viaKyberSwap(swap), callData: '0xdeadbeef' }, known)).toBeUndefined();
    for (const flags of [0x01n, 0x08n, 0x10n, 0x40n])
      expect(AggregatorSwap.from(calldata.viaKyberSwap({ ...swap, flags: 0x200n | flags }), known)).toBeUndefined();
  });

  /** The same call with other fields. */
  function altered(change: { approveTarget?: calldata.Address; desc?: object }): calldata.Call {
    const call = calldata.viaKyberSwap(swap);
    const { functionName, args } = decodeFunctionData({ abi: calldata.abi, data: call.callData });
    if (functionName !== 'swap') throw new Error('it swaps');
    const execution = { ...args[0], ...change, desc: { ...args[0].desc, ...change.desc } };
    return { ...call, callData: encodeFunctionData({ abi: calldata.abi, functionName, args: [execution] }) };
  }

  const executor = '0x8F10B468b06c6FD214B65F87778827F7D113f996';
  test.each<[string, Parameters<typeof altered>[0]]>([
    ['another receiver', { desc: { srcReceivers: [of('bd')] } }],
    ['a second receiver', { desc: { srcReceivers: [of('bd'), executor], srcAmounts: [999n, 1n] } }],
    ['a second receiver of nothing', { desc: { srcReceivers: [executor, of('bd')], srcAmounts: [1_000n, 0n] } }],
    ['a receiver without an amount', { desc: { srcReceivers: [executor, of('bd')] } }],
    ['less than the amount', { desc: { srcAmounts: [999n] } }],
    ['nobody', { desc: { srcReceivers: [], srcAmounts: [] } }],
    ['a fee', { desc: { feeReceivers: [of('bd')], feeAmounts: [1n] } }],
    ['the amount of a fee alone', { desc: { feeAmounts: [1n] } }],
    ['a permit', { desc: { permit: '0x1234' } }],
    ['an allowance', { approveTarget: of('bd') }],
  ])('attack: a field that moves value makes the call unknown: %s', (_, change) => {
    expect(AggregatorSwap.from(altered({}), known)).toMatchObject({ aggregator: 'KyberSwap' });
    expect(AggregatorSwap.from(altered(change), known)).toBeUndefined();
  });

  test('behavior: the native asset is handed over by the call itself', () => {
    const eth = { srcToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' };
    const plain = { ...eth, srcReceivers: [], srcAmounts: [] };
    expect(AggregatorSwap.from(altered({ desc: plain }), known)).toMatchObject({ from: zeroAddress });
    expect(AggregatorSwap.from(altered({ desc: eth }), known)).toBeUndefined();
  });
});
