import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import { RefusalError } from '../../../src/sandbox/pricing/QuoteRefusal.js';
import * as QuoteTerms from '../../../src/sandbox/pricing/QuoteTerms.js';
import * as fixture from '../../support/market.js';
import { thrownBy } from '../../support/thrown.js';

const client = { sponsorBalanceUsd: 1_000_000n };

function from(request: QuoteV2.Request, asked: QuoteTerms.Client = undefined): QuoteTerms.PricedRequest {
  return QuoteTerms.from(request, fixture.market, asked);
}

/** A bridge of 100 USDC with the given options. */
function bridge(rest: Partial<QuoteV2.Request>): QuoteV2.Request {
  return fixture.request(100_000_000n, 'alpha/usdc', 'beta/usdc', rest);
}

function refusalOf(act: () => unknown): { status: number; errorCode: string; message: string } | undefined {
  const refusal = thrownBy(RefusalError, act);
  return refusal && { status: refusal.status, ...refusal.body };
}

describe('from: permits', () => {
  test.each<[string, string, Partial<QuoteV2.Request>, string]>([
    ['alpha/dai', 'beta/dai', {}, 'DAI takes no permits (usePermit)'],
    ['alpha/eth', 'beta/eth', {}, 'ETH takes no permits (usePermit)'],
    ['alpha/usdc', 'alpha/dai', {}, 'A permit (usePermit) pays for what the solver executes only'],
    ['alpha/usdc', 'beta/dai', { permitExpiry: 0 }, 'permitExpiry must be at least 1'],
  ])('error: %s to %s %o', (origin, destination, rest, message) => {
    const asked = fixture.request(10n ** 20n, origin, destination, { usePermit: true, ...rest });
    expect(refusalOf(() => from(asked))).toEqual({ status: 400, errorCode: 'UNSUPPORTED_EXECUTION_TYPE', message });
  });
});

describe('from', () => {
  test('behavior: any other referrer needs one', () => {
    expect(refusalOf(() => from(bridge({ referrer: 'sandbox-referrer' })))).toEqual({
      status: 401,
      message: 'Please provide an api key',
      errorCode: 'UNAUTHORIZED_QUOTE',
    });
    expect(from(bridge({ referrer: 'sandbox-referrer' }), client).forceRefund).toBe(false);
  });

  test('behavior: app fees on wraps, none on sends', () => {
    const appFees = [{ recipient: fixture.other, fee: '30' }];
    const [wrap, unwrap] = [['alpha/eth', 'alpha/weth'] as const, ['alpha/weth', 'alpha/eth'] as const];
    for (const [origin, destination] of [wrap, unwrap])
      expect(from(fixture.request(1n, origin, destination, { appFees })).appFees).toHaveLength(1);
    const send = fixture.request(1n, 'alpha/eth', 'alpha/eth', { recipient: fixture.other, appFees });
    expect(from(send).appFees).toEqual([]);
  });

  test('behavior: rounds gas up to a whole unit', () => {
    expect(from(bridge({ originGasOverhead: 79_999.5 })).originGasOverhead).toBe(80_000n);
    expect(from(bridge({ originGasOverhead: -1 })).originGasOverhead).toBe(0n);
  });

  test.each<[string, Partial<QuoteV2.Request>, string]>([
    ['an unknown origin', { originChainId: 1 }, 'UNSUPPORTED_CHAIN'],
    ['an unknown destination', { destinationChainId: 8453 }, 'UNSUPPORTED_CHAIN'],
    ['the venue', { destinationChainId: 3586256, destinationCurrency: '0', recipient: '509564' }, 'UNSUPPORTED_CHAIN'],
    ['the venue as origin', { originChainId: 3586256, originCurrency: '0', user: '1' }, 'UNSUPPORTED_CHAIN'],
    ['an unknown input', { originCurrency: fixture.other }, 'INVALID_INPUT_CURRENCY'],
    ['an unknown output', { destinationCurrency: 'usdc' }, 'INVALID_OUTPUT_CURRENCY'],
    ['a user that is not an address', { user: '509564' }, 'INVALID_ADDRESS'],
    ['a recipient that is not an address', { recipient: '0x1234' }, 'INVALID_ADDRESS'],
    ['a wrong checksum', { recipient: fixture.other.replace('C', 'c') }, 'INVALID_ADDRESS'],
    ['a refundTo that is not an address', { refundTo: 'me' }, 'INVALID_ADDRESS'],
    ['a token as recipient', { recipient: fixture.token(fixture.beta, 'DAI').address }, 'INVALID_RECIPIENT'],
    ['the zero address as recipient', { recipient: `0x${'0'.repeat(40)}` }, 'INVALID_RECIPIENT'],
    ['slippage in percent', { slippageTolerance: '0.5' }, 'INVALID_SLIPPAGE_TOLERANCE'],
    ['slippage above 100%', { slippageTolerance: '10001' }, 'INVALID_SLIPPAGE_TOLERANCE'],
    ['nothing', { amount: '0' }, 'AMOUNT_TOO_LOW'],
    ['zero, with many digits', { amount: '000' }, 'AMOUNT_TOO_LOW'],
    ['more than exists', { amount: (2n ** 128n).toString() }, 'INSUFFICIENT_LIQUIDITY'],
    ['far more than exists', { amount: '9'.repeat(5_000) }, 'INSUFFICIENT_LIQUIDITY'],
    ['an unsupported option', { fixedRate: '1:1' }, 'UNSUPPORTED_EXECUTION_TYPE'],
  ])('error: %s', (_, rest, errorCode) => {
    expect(refusalOf(() => from(bridge(rest)))).toMatchObject({ status: 400, errorCode });
  });

  test.each([
    ['alpha/usdc', {}],
    ['alpha/usdc', { recipient: fixture.user.toLowerCase(), forceSolverExecution: true }],
  ])('error: %s to itself %o', (currency, rest) => {
    const asked = fixture.request(1n, currency, currency, rest);
    expect(refusalOf(() => from(asked))?.errorCode).toBe('UNSUPPORTED_ROUTE');
  });
});

describe('from: a deposit address', () => {
  const strict = { useDepositAddress: true, strict: true, refundTo: fixture.other };

  test.each<[string, string, Partial<QuoteV2.Request>, string]>([
    ['alpha/eth', 'beta/eth', { strict: false }, 'Open deposit addresses are not supported'],
    ['alpha/eth', 'beta/eth', { refundTo: undefined }, 'needs refundTo'],
    ['alpha/eth', 'beta/eth', { sponsoredFeeComponents: ['execution'] }, 'do not support sponsoredFeeComponents'],
    ['alpha/usdc', 'beta/usdc', { usePermit: true }, 'not by permit'],
    ['alpha/gull', 'beta/eth', {}, 'takes no GULL'],
    ['alpha/eth', 'alpha/usdc', {}, 'takes no ETH'],
  ])('error: %s to %s %o', (origin, destination, rest, message) => {
    const asked = fixture.request(10n ** 20n, origin, destination, { ...strict, ...rest });
    expect(refusalOf(() => from(asked))).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });
});

describe('from: the venue', () => {
  const codeFor = (...asked: Parameters<typeof fixture.request>) =>
    refusalOf(() => QuoteTerms.from(fixture.request(...asked), fixture.whole, undefined))?.errorCode;

  test('behavior: a deposit may be gasless, a withdrawal not', () => {
    const permit = { usePermit: true };
    expect(codeFor(100n, 'alpha/usdc', 'lighter/usdc', permit)).toBeUndefined();
    expect(codeFor(100n, 'alpha/usdc', 'lighter/usdc', { originGasOverhead: 1 })).toBeUndefined();
    expect(codeFor(100n, 'lighter/usdc', 'beta/usdc', permit)).toBe('UNSUPPORTED_EXECUTION_TYPE');
    expect(codeFor(100n, 'lighter/usdc', 'beta/usdc', { originGasOverhead: 1 })).toBe('UNSUPPORTED_EXECUTION_TYPE');
  });

  test('error: within the venue', () => {
    expect(codeFor(100n, 'lighter/usdc', 'lighter/usdc', { recipient: '101' })).toBe('UNSUPPORTED_ROUTE');
  });
});

const { alpha, beta, venue, user } = fixture;

const across = { origin: alpha, destination: beta };
const deposit = { origin: alpha, destination: venue };
const withdrawal = { origin: venue, destination: beta };

type Asked = { user: string; recipient?: string; refundTo?: string };

function parties(asked: Asked, chains: Parameters<typeof QuoteTerms.partiesOf>[1]) {
  return QuoteTerms.partiesOf({ ...fixture.request(1n, 'alpha/usdc', 'beta/usdc'), ...asked }, chains);
}

describe('partiesOf', () => {
  test.each<[name: string, asked: Asked, chains: Parameters<typeof QuoteTerms.partiesOf>[1], errorCode: string]>([
    ['an address on the venue', { user, recipient: user }, deposit, 'INVALID_ADDRESS'],
    ['digits with leading zeros', { user, recipient: '0100' }, deposit, 'INVALID_ADDRESS'],
    ['no recipient on the venue', { user }, deposit, 'INVALID_RECIPIENT'],
    ['a missing account', { user, recipient: '4711' }, deposit, 'INVALID_RECIPIENT'],
    ["the service's own account", { user, recipient: '7' }, deposit, 'INVALID_RECIPIENT'],
    ['a refund on a chain to an account', { user, recipient: '100', refundTo: '100' }, deposit, 'INVALID_ADDRESS'],
    ['an index on a chain', { user: '100', recipient: '100' }, withdrawal, 'INVALID_ADDRESS'],
    ['no recipient on the chain', { user: '100' }, withdrawal, 'INVALID_RECIPIENT'],
    ['an address as payer on the venue', { user, recipient: user }, withdrawal, 'INVALID_ADDRESS'],
    ['a missing account as payer', { user: '4711', recipient: user }, withdrawal, 'INVALID_ADDRESS'],
    [
      'a refund on the venue to an address',
      { user: '100', recipient: user, refundTo: user },
      withdrawal,
      'INVALID_ADDRESS',
    ],
    ['a currency', { user, recipient: fixture.token(beta, 'USDC').address }, across, 'INVALID_RECIPIENT'],
  ])('error: %s', (_, asked, chains, errorCode) => {
    expect(refusalOf(() => parties(asked, chains))).toMatchObject({ errorCode });
  });
});

const call = { to: fixture.other, value: '0', data: '0x' } as const;
const authorization = { chainId: 1, address: fixture.other, nonce: 0, yParity: 0, r: '0x1', s: '0x2' } as const;

describe('from: options', () => {
  test.each<[Partial<QuoteV2.Request>]>([
    [{}],
    [{ txs: [], authorizationList: [] }],
    [{ explicitDeposit: true, usePermit: true, permitExpiry: 600, useDepositAddress: false, topupGas: false }],
    [{ strict: true, protocolVersion: 'v2', useExternalLiquidity: true, useFallbacks: true }],
    [{ depositFeePayer: 'x', maxRouteLength: 3, useSharedAccounts: true, includeComputeUnitLimit: true }],
    [{ referrerAddress: fixture.other, latePaymentSlippageTolerance: '100', enableTrueExactOutput: true }],
  ])('behavior: %o is accepted', (options) => {
    expect(() => from(bridge(options))).not.toThrow();
  });

  test.each<[Partial<QuoteV2.Request>, string]>([
    [{ txs: [call], originChainId: 1, destinationChainId: 1 }, 'EXTRA_TXS_NOT_SUPPORTED'],
    [{ txs: [call], useDepositAddress: true }, 'EXTRA_TXS_NOT_SUPPORTED'],
    [{ authorizationList: [authorization] }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ gasLimitForDepositSpecifiedTxs: 1 }, 'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS'],
    [{ sponsoredFeeComponents: ['execution'], useDepositAddress: true }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ recoveryAddress: fixture.other }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ explicitDeposit: false }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ topupGas: true, originChainId: 1, destinationChainId: 1 }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ topupGas: true, originChainId: 1, destinationChainId: 2, txs: [call] }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ fixedRate: '1:1' }, 'UNSUPPORTED_EXECUTION_TYPE'],
    [{ indicativeQuote: true }, 'UNSUPPORTED_EXECUTION_TYPE'],
  ])('error: %o', (options, errorCode) => {
    const [option = ''] = Object.keys(options);
    const refusal = refusalOf(() => from(bridge(options)));
    expect(refusal).toMatchObject({ errorCode, message: expect.stringContaining(option) });
  });
});
