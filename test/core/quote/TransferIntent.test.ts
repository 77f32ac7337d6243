import { describe, expect, test } from 'vitest';
import { network as mainnet } from '../../../src/core/network/mainnet.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as Currency from '../../../src/core/quote/Currency.js';
import * as PriceOnly from '../../../src/core/quote/PriceOnly.js';
import * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import * as market from '../../support/market.js';
import { intent } from '../../support/quoted.js';

describe('from', () => {
  test('default: recipient and refund address are the sender, and both are sent', () => {
    expect(TransferIntent.toRequest(intent('100', 'alpha/usdc', 'beta/usdc'))).toEqual({
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

  describe('chains of other kinds', () => {
    const currency = (text: string) => Currency.parse(text, mainnet) as Currency.Currency;
    const make = (from: string, to: string, recipient?: string) =>
      TransferIntent.from(
        1_000_000n,
        currency(from),
        currency(to),
        { recipient },
        { network: 'mainnet', user: market.user },
      );

    test.each(['solana/usdc', 'bitcoin/btc', 'tron/usdt', 'ton/usdt', 'hyperliquid/usdc'])('error: %s', (other) => {
      expect(() => make('base/usdc', other)).toThrow('needs a recipient');
      expect(() => make(other, 'base/usdc')).toThrow('is receive only');
    });

    test('error: the payer’s own address is no account on Solana', () => {
      expect(() => make('base/usdc', 'solana/usdc', market.user)).toThrow(/it is an address of EVM chains/);
    });
  });

  test('error: a gasless transfer on one chain without a sponsor, which the service would refuse', () => {
    expect(() => intent('5', 'alpha/usdc', 'alpha/gull', { gasless: true })).toThrow('needs a sponsor');
    expect(intent('5', 'alpha/usdc', 'alpha/gull', { gasless: true, sponsor: 'all' }).gasless).toBe('batch');
    expect(intent('5', 'alpha/usdc', 'beta/usdc', { gasless: true }).gasless).toBe('batch');
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
    expect(TransferIntent.toRequest(asked)).toMatchObject({
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
    expect(TransferIntent.toRequest(intent('1', 'alpha/eth', 'beta/eth', { sponsor: 'all' }))).toMatchObject({
      subsidizeFees: true,
    });
  });

  test.each([
    ['0', 'alpha/usdc', 'beta/usdc', {}, 'request.invalid-amount'],
    ['1', 'alpha/usdc', 'alpha/usdc', {}, 'request.unsupported'],
    ['1', 'alpha/usdc', 'beta/usdc', { recipient: 'nobody' }, 'request.invalid-address'],
    ['1', 'alpha/usdc', 'beta/usdc', { refundTo: '0x1' }, 'request.invalid-address'],
    ['1', 'alpha/usdc', 'beta/usdc', { recipient: PriceOnly.nobody }, 'request.unsupported'],
    ['1', 'alpha/usdc', 'beta/usdc', { refundTo: PriceOnly.nobody.toLowerCase() }, 'request.unsupported'],
    ['1', 'alpha/usdc', 'beta/usdc', { appFee: [`${PriceOnly.nobody}:1`] }, 'request.unsupported'],
    ['1', 'alpha/usdc', 'beta/usdc', { exactOutput: true, expectedOutput: true }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { appFee: ['nobody:1'] }, 'request.invalid-address'],
    ['1', 'alpha/usdc', 'beta/usdc', { appFee: [market.other] }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { appFee: [`${market.other}:0`] }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { appFee: [`${market.other}:1`, `${market.other}:2`] }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { appFee: [`${market.other}:5000`, `${market.user}:5000`] }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { sponsor: 'everything' }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { sponsor: 'app,execution,app' }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { sponsor: 'all', maxSponsoredUsd: 'much' }, 'usage.invalid'],
    ['1', 'alpha/usdc', 'beta/usdc', { maxSponsoredUsd: '1' }, 'usage.invalid'],
  ])('error: %s %s %s %j is %s', (amount, from, to, typed, code) => {
    expect(() => intent(amount, from, to, typed)).toThrowError(expect.objectContaining({ code }));
  });
});

describe('toRequest', () => {
  const asked = (sponsor: string, maxSponsoredUsd?: string) =>
    intent('1', 'alpha/usdc', 'beta/usdc', { sponsor, maxSponsoredUsd });

  test('default: the platform fee has the service’s name, the maximum is in millionths', () => {
    const some = asked('execution,platform,rent', '0.25');
    expect(TransferIntent.namesPlatform(some)).toBe(true);
    expect(TransferIntent.toRequest(some, { platformWord: 'gateway' })).toMatchObject({
      subsidizeFees: true,
      sponsoredFeeComponents: ['execution', 'gateway', 'rent'],
      maxSubsidizationAmount: '250000',
    });
  });

  test('error: the service’s name is not known', () => {
    expect(() => TransferIntent.toRequest(asked('platform'))).toThrow(TypeError);
  });
});

describe('from, on the venue', () => {
  const around = { network: 'sandbox', slippageBps: undefined, referrer: undefined };
  const currency = (text: string) => Currency.parse(text, network) as Currency.Currency;

  /** A withdrawal of account 100, or a deposit to it. */
  const withdrawal = (typed: TransferIntent.Typed = {}, to = 'beta/usdc') =>
    TransferIntent.from(5_000_000n, currency('lighter/usdc'), currency(to), typed, {
      ...around,
      user: '100',
      recipient: to.startsWith('lighter') ? '101' : market.user,
    });
  const deposit = (typed: TransferIntent.Typed = {}) =>
    TransferIntent.from(5_000_000n, currency('alpha/usdc'), currency('lighter/usdc'), typed, {
      ...around,
      user: market.user,
      recipient: '100',
    });

  test('default: a deposit is credited to an account index and refunded to the wallet', () => {
    expect(TransferIntent.toRequest(deposit())).toMatchObject({
      user: market.user,
      refundTo: market.user,
      recipient: '100',
      destinationChainId: 3586256,
      destinationCurrency: '0',
    });
    expect(deposit({ recipient: '281474976710654' }).recipient).toBe('281474976710654');
  });

  test.each([
    ['a wallet as the recipient of a deposit', () => deposit({ recipient: market.other }), 'request.invalid-address'],
    ['a word', () => deposit({ recipient: 'me' }), 'request.invalid-address'],
    ['an index out of range', () => deposit({ recipient: '281474976710655' }), 'request.invalid-address'],
    ['an index as the refund of a deposit', () => deposit({ refundTo: '100' }), 'request.invalid-address'],
    ['an index as the recipient of a withdrawal', () => withdrawal({ recipient: '100' }), 'request.invalid-address'],
    ['a wallet as the refund of a withdrawal', () => withdrawal({ refundTo: market.user }), 'request.invalid-address'],
    ['from account to account', () => withdrawal({}, 'lighter/usdc'), 'request.unsupported'],
    ['a withdrawal by a batch', () => withdrawal({ gasless: true }), 'request.unsupported'],
    ['a withdrawal by a permit', () => withdrawal({ permit: true }), 'request.unsupported'],
  ])('error: %s', (_, make, code) => {
    expect(make).toThrowError(expect.objectContaining({ code, funds: 'untouched' }));
  });

  test('error: a wallet in place of an index suggests the command that looks it up', () => {
    expect(() => deposit({ recipient: market.other })).toThrowError(
      expect.objectContaining({ next: `ferry venue account ${market.other}` }),
    );
  });

  test('behavior: a deposit may be gasless', () => {
    expect([deposit({ gasless: true }).gasless, deposit({ permit: true }).gasless]).toEqual(['batch', 'permit']);
  });

  test('behavior: a venue account is not a wallet', () => {
    expect(TransferIntent.walletOf(deposit())).toBe(market.user);
    expect(() => TransferIntent.walletOf(withdrawal())).toThrow(TypeError);
  });
});
