import { describe, expect, test } from 'vitest';
import * as Intent from '../../src/core/Intent.js';
import * as market from '../support/market.js';
import { intent } from '../support/quoted.js';

describe('from', () => {
  test('default: recipient and refund address are the sender, and both are sent', () => {
    expect(Intent.toRequest(intent('100', 'alpha/usdc', 'beta/usdc'))).toEqual({
      user: market.user,
      originChainId: 313371,
      destinationChainId: 313372,
      originCurrency: market.side('alpha/usdc').token.address,
      destinationCurrency: market.side('beta/usdc').token.address,
      recipient: market.user,
      refundTo: market.user,
      tradeType: 'EXACT_INPUT',
      amount: '100000000',
    });
  });

  test('behavior: every option reaches the request', () => {
    const asked = intent('5', 'alpha/eth', 'beta/gull', {
      recipient: market.other,
      refundTo: market.other,
      slippageBps: 25,
      expectedOutput: true,
      referrer: 'me',
      appFee: [`${market.other}:30`, `${market.user}:1`],
      sponsor: 'execution,swap',
    });
    expect(Intent.toRequest(asked)).toMatchObject({
      recipient: market.other,
      refundTo: market.other,
      slippageTolerance: '25',
      tradeType: 'EXPECTED_OUTPUT',
      amount: (5n * 10n ** 18n).toString(),
      referrer: 'me',
      appFees: [
        { recipient: market.other, fee: '30' },
        { recipient: market.user, fee: '1' },
      ],
      subsidizeFees: true,
      sponsoredFeeComponents: ['execution', 'swap'],
    });
    expect(Intent.toRequest(intent('1', 'alpha/eth', 'beta/eth', { sponsor: 'all' }))).toMatchObject({
      subsidizeFees: true,
    });
  });

  test.each([
    ['0', 'alpha/usdc', 'beta/usdc', {}, 'request.invalid-amount'],
    ['1', 'alpha/usdc', 'alpha/usdc', {}, 'request.unsupported'],
    ['1', 'alpha/usdc', 'beta/usdc', { recipient: 'nobody' }, 'request.invalid-address'],
    ['1', 'alpha/usdc', 'beta/usdc', { refundTo: '0x1' }, 'request.invalid-address'],
    ['1', 'alpha/usdc', 'beta/usdc', { exactOutput: true, expectedOutput: true }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { appFee: ['nobody:1'] }, 'request.invalid-address'],
    ['1', 'alpha/usdc', 'beta/usdc', { appFee: [market.other] }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { appFee: [`${market.other}:0`] }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { sponsor: 'everything' }, 'usage.invalid'],
  ])('error: %s %s %s %j is %s', (amount, from, to, typed, code) => {
    expect(() => intent(amount, from, to, typed)).toThrowError(expect.objectContaining({ code }));
  });
});

describe('tradeType', () => {
  test('default', () => {
    expect([{}, { exactOutput: true }, { expectedOutput: true }].map(Intent.tradeType)).toEqual([
      'EXACT_INPUT',
      'EXACT_OUTPUT',
      'EXPECTED_OUTPUT',
    ]);
  });
});
