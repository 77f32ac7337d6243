import { describe, expect, test } from 'vitest';
import * as Quote from '../../../src/core/quote/Quote.js';
import { altered, intent, quote } from '../../support/quoted.js';
import * as withdrawal from '../../support/withdrawal.js';

describe('from', () => {
  test('default: amounts, fees and transactions of a bridge', async () => {
    const read = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    expect(read.input).toBe(100_000_000n);
    expect(read.output).toBeLessThan(read.input);
    expect(read.minimum).toBe((read.output * 98n + 99n) / 100n);
    expect(read.fees?.platform).toBe(0n);
    const calls = Quote.transactions(read).map(({ stepId, call }) => `${stepId}: ${call?.function}`);
    expect(calls).toEqual(['approve: approve', 'deposit: depositErc20']);
    expect(read.items[1]?.check?.endpoint).toBe(`/intents/status/v3?requestId=${read.requestId}`);
    expect(read.originGas?.amount).toBeGreaterThan(0n);
  });

  test.each([
    ['steps.0.kind', 'incantation', 'is of kind "incantation"'],
    ['steps.0.items.0.data', { psbt: '70736274' }, 'is for bitcoin'],
    ['steps.0.items.0.data', { instructions: [] }, 'is for solana'],
    ['steps.0.items.0.data', { surprise: true }, 'is for a chain that ferry does not know'],
    ['steps.0.items.0.data.value', '0x10', 'value: expected a string of digits'],
  ])('behavior: %s = %j is unreadable, and says why', async (path, value, words) => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    expect(altered(honest, path, value).items[0]).toMatchObject({
      kind: 'unreadable',
      why: expect.stringContaining(words),
    });
  });

  test('behavior: an unknown field in what would be signed makes the item unreadable', async () => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const data = honest.response.steps[1]?.items[0]?.data;
    const [, deposit] = altered(honest, 'steps.1.items.0.data', { ...data, accessList: [] }).items;
    expect(deposit).toMatchObject({ kind: 'unreadable', why: expect.stringContaining('accessList') });
  });

  test.each([
    ['details.currencyIn.amountUsd', ['details.currencyIn.amountUsd']],
    ['details.currencyOut.amountUsd', ['details.currencyOut.amountUsd']],
    ['details.expandedPriceImpact.swap.usd', ['details.expandedPriceImpact']],
    ['details.totalImpact.usd', []],
  ])('behavior: a price that is not a number is none: %s', async (path, missing) => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    expect(Quote.unpriced(honest)).toEqual([]);
    expect(Quote.unpriced(altered(honest, path, 'plenty'))).toEqual(missing);
  });

  test('behavior: optional fields may be absent, null or numbers', async () => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const gas = altered(honest, 'steps.1.items.0.data.gas', 60_000).items[1];
    expect(gas).toMatchObject({ kind: 'transaction', gas: 60_000n });
    expect(altered(honest, 'steps.1.items.0.data.gas', null).items[1]).toMatchObject({ gas: undefined });
    expect(altered(honest, 'details.currencyOut.minimumAmount', null).minimum).toBe(honest.minimum);
    expect(altered(honest, 'details.currencyIn.amount', Number(honest.input)).input).toBe(honest.input);
  });
});

test('feesTotal: the sum of the components, not reduced by what is sponsored beside the total', async () => {
  const plain = await quote(intent('100', 'alpha/usdc', 'beta/weth'));
  expect(Quote.feesTotal(plain)).toBe(plain.totalImpactUsd);
  const sponsored = await quote(intent('100', 'alpha/usdc', 'beta/usdc', { sponsor: 'execution' }));
  expect(Quote.feesTotal(sponsored)).toBe(-10_000n);
  const said = altered(plain, 'details.expandedPriceImpact.sponsored.usd', '5.000000');
  expect(Quote.feesTotal(said)).toBe(plain.totalImpactUsd);
});

test('isExpired', async () => {
  const read = await quote(intent('1', 'alpha/eth', 'beta/eth'));
  expect(Quote.isExpired(read, read.quotedAt + 30_000, 30_000)).toBe(false);
  expect(Quote.isExpired(read, read.quotedAt + 30_001, 30_000)).toBe(true);
});

test('venueFee: the venue’s fee on top of the amount; none without a venue transfer', async () => {
  expect(Quote.venueFee(withdrawal.quote('withdrawal'))).toBe(2_500_000n);
  expect(Quote.venueFee(withdrawal.quote('withdrawal', { [`${withdrawal.parameters}.usdcFee`]: 0 }))).toBe(0n);
  expect(Quote.venueFee(withdrawal.quote('deposit'))).toBeUndefined();
});
