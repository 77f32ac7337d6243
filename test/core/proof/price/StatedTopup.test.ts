import { describe, expect, test } from 'vitest';
import { native } from '../../../../src/core/base/Address.js';
import { network } from '../../../../src/core/network/sandbox.js';
import type { Expectation } from '../../../../src/core/proof/Expectation.js';
import * as StatedTopup from '../../../../src/core/proof/price/StatedTopup.js';
import * as Quote from '../../../../src/core/quote/Quote.js';
import { deployments } from '../../../../src/sandbox/values/deployment.js';
import * as market from '../../../support/market.js';

const { response: plain } = await market.quote(market.request(100_000_000n, 'alpha/usdc', 'beta/usdc'));
const asked = { topupGas: true, topupGasAmount: '2000000' };
const { response } = await market.quote(market.request(100_000_000n, 'alpha/usdc', 'beta/usdc', asked));
const { currencyGasTopup: honest } = response.details;
const wanted: Expectation = { tradeType: 'EXACT_INPUT', gasTopupUsd: 2_000_000n };

/** The verdict about an answer with another top-up. */
function verdict(currencyGasTopup: unknown, expected: Expectation): string | undefined {
  const details = { ...plain.details, currencyGasTopup } as typeof plain.details;
  const [finding, ...more] = StatedTopup.check(Quote.read({ ...plain, details }), expected, network);
  expect(more).toEqual([]);
  return finding?.verdict;
}

describe('check', () => {
  test('default: what is stated as asked rests on the service alone', () => {
    const [finding] = StatedTopup.check(Quote.read(response), wanted, network);
    expect(finding).toMatchObject({ check: 'gas-topup', verdict: 'cannot verify', witnesses: ['the service'] });
    expect(finding?.expected).toBe('$2.00 of ETH on beta');
  });

  test('behavior: nothing to say', () => {
    expect(verdict(undefined, { tradeType: 'EXACT_INPUT' })).toBeUndefined();
    expect(verdict({ ...honest, amount: '0' }, { tradeType: 'EXACT_INPUT' })).toBeUndefined();
  });

  test('behavior: one of an answer that another tool asked for is shown', () => {
    expect(verdict(honest, {})).toBe('not checked');
  });

  test('behavior: a little less, as prices move', () => {
    expect(verdict({ ...honest, amountUsd: '1.91' }, wanted)).toBe('cannot verify');
  });

  test.each([
    ['nothing', undefined],
    ['zero', { ...honest, amount: '0' }],
    ['no number', { ...honest, amount: '0x10' }],
    ['no dollars', { ...honest, amountUsd: undefined }],
    ['less', { ...honest, amountUsd: '1.89' }],
    ['another chain', { ...honest, currency: { ...honest?.currency, chainId: deployments.alpha.id } }],
    ['a token', { ...honest, currency: { ...honest?.currency, address: deployments.beta.tokens.USDC.address } }],
    ['no currency', { ...honest, currency: undefined }],
  ])('error: %s', (_, stated) => {
    expect(verdict(stated, wanted)).toBe('mismatch');
  });

  test("error: a dollar figure that the answer's own price of the asset belies", () => {
    const gas = { ...plain.fees?.gas, amount: String(10n ** 16n), amountUsd: '25' };
    const details = { ...plain.details, currencyGasTopup: { ...honest, amount: '1', amountUsd: '2' } };
    const answer = Quote.read({ ...plain, fees: { ...plain.fees, gas }, details } as typeof plain);
    expect(StatedTopup.check(answer, wanted, network)[0]?.verdict).toBe('mismatch');
    expect(native).toBe(honest?.currency?.address);
  });

  test('error: one that nobody asked for', () => {
    expect(verdict(honest, { tradeType: 'EXACT_INPUT' })).toBe('mismatch');
  });
});
