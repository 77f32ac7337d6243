import { describe, expect, test } from 'vitest';
import * as GasLimits from '../../../src/sandbox/values/GasLimits.js';
import * as fixture from '../../support/market.js';

// The tests that execute steps and fills show that the limits suffice.
const eth = fixture.token(fixture.alpha, 'ETH');
const usdc = fixture.token(fixture.alpha, 'USDC');

describe('deposit', () => {
  test('default', () => {
    expect(GasLimits.deposit(eth)).toBeLessThan(GasLimits.deposit(usdc));
  });
});

describe('transfer', () => {
  test('default', () => {
    expect(GasLimits.transfer(eth)).toBeGreaterThan(21_000n);
    expect(GasLimits.transfer(usdc)).toBeGreaterThan(GasLimits.transfer(eth));
  });
});

describe('multicall', () => {
  test('default', () => {
    expect(GasLimits.multicall({ from: usdc, to: usdc, hops: 1 })).toBe(320_000n);
    expect(GasLimits.multicall({ from: eth, to: usdc, hops: 2 })).toBe(440_000n);
    expect(GasLimits.multicall({ from: eth, to: eth, hops: 0 })).toBe(190_000n);
  });
});

describe('swapDeposit', () => {
  test('default', () => {
    expect(GasLimits.swapDeposit({ from: usdc, to: eth, hops: 2 })).toBe(510_000n);
  });
});
