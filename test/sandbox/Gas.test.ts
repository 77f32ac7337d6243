import { describe, expect, test } from 'vitest';
import * as Gas from '../../src/sandbox/Gas.js';
import * as fixture from '../support/market.js';

// That the units suffice is shown where steps and fills are executed.
const eth = fixture.token(fixture.alpha, 'ETH');
const usdc = fixture.token(fixture.alpha, 'USDC');

describe('deposit', () => {
  test('default', () => {
    expect(Gas.deposit(eth)).toBeLessThan(Gas.deposit(usdc));
  });
});

describe('transfer', () => {
  test('default', () => {
    expect(Gas.transfer(eth)).toBeGreaterThan(21_000n);
    expect(Gas.transfer(usdc)).toBeGreaterThan(Gas.transfer(eth));
  });
});

describe('multicall', () => {
  test('default', () => {
    expect(Gas.multicall({ from: usdc, to: usdc, hops: 1 })).toBe(200_000n);
    expect(Gas.multicall({ from: eth, to: usdc, hops: 2 })).toBe(330_000n);
  });
});
