import { describe, expect, test } from 'vitest';
import * as Verification from '../../../src/core/proof/Verification.js';
import type { Finding } from '../../../src/core/quote/Finding.js';
import * as PriceOnly from '../../../src/core/quote/PriceOnly.js';
import type { Quote } from '../../../src/core/quote/Quote.js';
import { altered, intent, network, prove, quote, verify } from '../../support/quoted.js';

const currencies = network.chains.flatMap(({ name, native, tokens }) =>
  [native, ...tokens].map(({ symbol }) => `${name}/${symbol.toLowerCase()}`),
);
/** Every fifth, in which each currency is once an input and once an output; `PAIRS=all` takes every pair. */
const pairs = currencies
  .flatMap((from) => currencies.filter((to) => to !== from).map((to) => [from, to] as const))
  .filter((_, index) => process.env.PAIRS === 'all' || index % 5 === 0);

const failed = async (quoted: Quote): Promise<Finding[]> =>
  (await prove(quoted)).filter(({ verdict }) => verdict === 'mismatch' || verdict === 'cannot verify');

/** What the service answers for another output is answered for this one: every figure and the order agree. */
const lied = async (asked: string, given: string, typed = {}): Promise<Quote> => {
  const of = (amount: string) => intent(amount, 'alpha/usdc', 'beta/usdt', { expectedOutput: true, ...typed });
  return { ...(await quote(of(given))), intent: of(asked) };
};

describe('check', () => {
  test.each(pairs)('behavior: an expected output of %s to %s is near what was asked', async (from, to) => {
    const scale = /eth$/.test(to) ? ['0.001', '0.0123456789', '1'] : ['5', '123.456789', '1000'];
    for (const amount of scale) {
      const quoted = await quote(intent(amount, from, to, { expectedOutput: true, slippageBps: 50 }));
      expect((await verify(quoted)).quote).toBe(quoted);
    }
  });

  test.each([
    ['a tenth of a percent less', '1000', '999', []],
    ['more than rounding takes', '1000', '998.99', ['amount']],
    ['one percent less', '100', '99', ['amount']],
    ['half', '100', '50', ['amount', 'minimum-received']],
    ['a little more', '1000', '1001', []],
    ['much more', '100', '110', ['amount']],
  ])('error: a service that gives %s', async (_, asked, given, checks) => {
    const quoted = await lied(asked, given);
    expect((await failed(quoted)).map(({ check }) => check)).toEqual(checks);
    if (checks.length > 0) await expect(verify(quoted)).rejects.toThrow(Verification.MismatchError);
  });

  test('error: an output within the rounding whose minimum is less than was asked less the slippage', async () => {
    const quoted = await lied('1000', '999.5', { slippageBps: 50 });
    expect((await failed(quoted)).map(({ check }) => check)).toEqual(['minimum-received']);
  });

  test.each(['currencyIn', 'currencyOut'])('error: %s is written as another amount', async (side) => {
    const wrong = altered(
      await quote(intent('100', 'alpha/usdc', 'beta/usdt')),
      `details.${side}.amountFormatted`,
      '200',
    );
    expect((await failed(wrong)).map(({ check }) => check)).toEqual(['figures']);
  });

  test('error: an input of next to nothing widens nothing below what was asked', async () => {
    const quoted = altered(await lied('100', '99'), 'details.currencyIn.amount', '1');
    expect((await failed(quoted)).map(({ check }) => check)).toContain('amount');
  });

  test.each(['EXACT_INPUT', 'EXACT_OUTPUT'] as const)('error: %s has no tolerance', async (tradeType) => {
    const typed = { exactOutput: tradeType === 'EXACT_OUTPUT' };
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdt', typed));
    const off = { ...honest, intent: { ...honest.intent, amount: honest.intent.amount + 1n } };
    expect((await failed(off)).map(({ check }) => check)).toContain('amount');
  });

  test.each([
    ['fees-sum', 'details.expandedPriceImpact.swap.usd', (usd: string) => (Number(usd) - 0.005).toFixed(6)],
    ['figures', 'details.rate', (rate: string) => String(Number(rate) * 1.00005)],
  ])('behavior: %s that is off by rounding is noted, and what is off by more refused', async (name, path, off) => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const at = (quoted: Quote): string =>
      path.split('.').reduce((value, key) => (value as never)[key], quoted.response as unknown) as string;
    const verdictOf = async (quoted: Quote) => (await prove(quoted)).find(({ check }) => check === name)?.verdict;
    const rounded = altered(honest, path, off(at(honest)));
    expect(await verdictOf(honest)).toBe('verified');
    expect(await verdictOf(rounded)).toBe('not checked');
    expect((await verify(rounded)).quote).toBe(rounded);
    const wrong = [1, 2, 3].reduce((value) => off(value), at(honest));
    expect(await verdictOf(altered(honest, path, wrong))).toBe('mismatch');
  });

  const placesOfNobody = [
    'details.recipient',
    'details.sender',
    'protocol.v2.orderData.output.payments.0.recipient',
    'protocol.v2.orderData.inputs.0.refunds.0.recipient',
    'protocol.v2.orderData.inputs.0.refunds.1.recipient',
  ];
  test.each(placesOfNobody)('error: an answer that names nobody in %s', async (path) => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    expect((await failed(honest)).map(({ check }) => check)).toEqual([]);
    for (const text of [PriceOnly.nobody, PriceOnly.nobody.toLowerCase()])
      expect(await failed(altered(honest, path, text))).toContainEqual(PriceOnly.finding);
  });

  test('error: a bare answer that pays nobody, of which nothing is expected', async () => {
    const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const changed = altered(honest, 'details.recipient', PriceOnly.nobody);
    const found = await Verification.prove(changed, {}, { network, baseUrl: undefined, nowMs: undefined });
    expect(found).toContainEqual(PriceOnly.finding);
  });
});

test('attack: other decimals of a known token, in a quote of which no token was named', async () => {
  const honest = await quote(intent('100', 'alpha/usdc', 'beta/usdt'));
  const place = { network, baseUrl: undefined, nowMs: honest.quotedAt };
  const currencies = async (quoted: Quote): Promise<unknown[]> =>
    (await Verification.prove(quoted, {}, place)).flatMap(({ check, verdict }) =>
      /-currency$/.test(check) && /^(in|out)put/.test(check) ? [[check, verdict]] : [],
    );
  expect(await currencies(honest)).toEqual([
    ['input-currency', 'verified'],
    ['output-currency', 'verified'],
  ]);
  expect(await currencies(altered(honest, 'details.currencyOut.currency.decimals', 18))).toEqual([
    ['input-currency', 'verified'],
    ['output-currency', 'mismatch'],
  ]);
  expect(await currencies(altered(honest, 'details.currencyIn.currency.decimals', undefined))).toContainEqual([
    'input-currency',
    'cannot verify',
  ]);
});
