import { describe, expect, test } from 'vitest';
import * as SmokeBudget from '../../../src/core/checks/SmokeBudget.js';

const dollars = (usd: bigint): SmokeBudget.Cap => ({ source: '--max-spend', usd, tokens: [] });
const usdc = (max: bigint): SmokeBudget.Cap => ({
  source: 'the file',
  usd: undefined,
  tokens: [{ currency: 'alpha/usdc', decimals: 6, max }],
});
const spending = (amount: string, usd: bigint, currency = 'alpha/usdc'): SmokeBudget.Spending => ({
  currency,
  amount,
  usd,
});

const send = { amount: '10000000', formatted: '10', currency: 'alpha/usdc', usd: '10.000000' };
const gas = { amount: '1', formatted: '1', symbol: 'ETH', usd: '0.003600', takenBy: 'network' as const };

test('spendingOf: the amount, and its price with the gas; a negative price does not raise the budget', () => {
  expect(SmokeBudget.spendingOf({ send, originGas: gas })).toEqual(spending('10', 10_003_600n));
  expect(SmokeBudget.spendingOf({ send, originGas: null })).toEqual(spending('10', 10_000_000n));
  expect(SmokeBudget.spendingOf({ send: { ...send, usd: '-10.0' }, originGas: gas }).usd).toBe(3_600n);
});

describe('objection', () => {
  test('default: none if within the caps, to the last unit', () => {
    const ten = spending('10', 10_000_000n);
    expect(SmokeBudget.objection([dollars(20_000_000n), usdc(20_000_000n)], [ten], ten)).toBeUndefined();
    expect(SmokeBudget.objection([], [], spending('1000000', 10n ** 12n))).toBeUndefined();
  });

  test('error: too many dollars in total', () => {
    const [ten, more] = [spending('10', 10_000_000n), spending('1', 10_000_000n, 'beta/eth')];
    const expected = 'at most $15.00 in total';
    expect(SmokeBudget.objection([dollars(15_000_000n)], [ten], more)).toMatchObject({ expected, found: '$20.00' });
  });

  test('error: too much of a token in total, whatever its stated price', () => {
    expect(SmokeBudget.objection([usdc(15_000_000n)], [spending('10', 0n)], spending('5.000001', 0n))).toEqual({
      source: 'the file',
      expected: 'at most 15 alpha/usdc in total',
      found: '15.000001 alpha/usdc',
    });
  });

  test('error: a token that no cap lists, unless there is a dollar cap', () => {
    const eth = spending('1', 1n, 'alpha/eth');
    expect(SmokeBudget.objection([usdc(1n)], [], eth)).toMatchObject({
      expected: 'only alpha/usdc',
      found: 'alpha/eth',
    });
    expect(SmokeBudget.objection([{ ...usdc(1n), usd: 5n }], [], eth)).toBeUndefined();
  });

  test('error: every cap applies, wherever it is set', () => {
    const caps = [dollars(10n ** 12n), usdc(1_000_000n)];
    expect(SmokeBudget.objection(caps, [], spending('2', 2_000_000n))?.source).toBe('the file');
    expect(SmokeBudget.objection([...caps].reverse(), [], spending('2', 2_000_000n))?.source).toBe('the file');
  });
});

test('bounds: by a cap of the token, or by a cap of tokens only', () => {
  expect(SmokeBudget.bounds([dollars(1n)], 'alpha/usdc')).toBe(false);
  expect(SmokeBudget.bounds([dollars(1n), usdc(1n)], 'alpha/usdc')).toBe(true);
  expect(SmokeBudget.bounds([usdc(1n)], 'alpha/eth')).toBe(true);
  expect(SmokeBudget.bounds([{ ...usdc(1n), usd: 1n }], 'alpha/eth')).toBe(false);
});

test('toDocument', () => {
  const spent = [spending('10', 10_000_000n), spending('0.25', 250_000n), spending('1', 5n, 'alpha/eth')];
  expect(SmokeBudget.toDocument([dollars(50_000_000n), usdc(20_000_000n)], spent)).toEqual({
    caps: [
      { source: '--max-spend', usd: '50.000000', tokens: [] },
      { source: 'the file', usd: null, tokens: [{ currency: 'alpha/usdc', amount: '20' }] },
    ],
    spent: {
      usd: '10.250005',
      tokens: [
        { currency: 'alpha/usdc', amount: '10.25' },
        { currency: 'alpha/eth', amount: '1' },
      ],
    },
  });
});
