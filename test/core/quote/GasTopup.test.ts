import { describe, expect, test } from 'vitest';
import { network } from '../../../src/core/network/sandbox.js';
import * as Currency from '../../../src/core/quote/Currency.js';
import * as GasTopup from '../../../src/core/quote/GasTopup.js';
import { failure } from '../../support/workbench.js';

const at = (text: string) => Currency.parse(text, network) as Currency.Currency;
const route = { origin: at('alpha/usdc'), destination: at('beta/usdc'), hasCalls: false };

describe('from', () => {
  test.each([
    ['2', 2_000_000n],
    ['0.000001', 1n],
    ['100', 100_000_000n],
  ])('default: %s dollars', (text, usd) => {
    expect(GasTopup.from(text, route)).toEqual({ gasTopupUsd: usd });
  });

  test.each(['0', '0.0000001', '100.000001', '-2', 'two', ''])('error: "%s"', async (text) => {
    await failure('usage.invalid', async () => GasTopup.from(text, route));
  });

  test.each([
    ['the native asset', { destination: at('beta/eth') }],
    ['one chain', { destination: at('alpha/gull') }],
    ['the venue', { destination: at('lighter/usdc') }],
    ['calls', { hasCalls: true }],
  ])('error: %s', async (_, change) => {
    await failure('request.unsupported', async () => GasTopup.from('2', { ...route, ...change }));
  });
});
