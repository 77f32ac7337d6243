import { getAddress, zeroAddress } from 'viem';
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
});
