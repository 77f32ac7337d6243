import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as QuoteRequest from '../../../src/core/api/QuoteRequest.js';
import { decode, problems, without } from '../../support/problems.js';

const required = {
  user: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  originChainId: 313371,
  destinationChainId: 313372,
  originCurrency: '0x0000000000000000000000000000000000000000',
  destinationCurrency: '0x2bc4bda66711b1cec35ac6492ec2d8d90a17d6e5',
  tradeType: 'EXACT_INPUT',
  amount: '100000000',
} as const;

const authorization = { chainId: 313372, address: `0x${'11'.repeat(20)}`, nonce: 3, yParity: 0, r: '0x1', s: '0x2' };

const optional = {
  recipient: '281474976710001',
  txs: [{ to: '0x1', value: '0', data: '0x', originalTxValue: '0' }],
  txsGasLimit: 200000,
  authorizationList: [authorization],
  additionalData: { userPublicKey: '02ab' },
  referrer: 'sandbox-referrer',
  referrerAddress: `0x${'22'.repeat(20)}`,
  refundTo: required.user,
  recoveryAddress: required.user,
  refundOnOrigin: false,
  topupGas: true,
  topupGasAmount: '2000000',
  enableTrueExactOutput: false,
  explicitDeposit: true,
  useExternalLiquidity: false,
  useFallbacks: true,
  usePermit: true,
  permitExpiry: 600,
  includeProtocolData: true,
  useDepositAddress: false,
  strict: false,
  slippageTolerance: '50',
  latePaymentSlippageTolerance: '10000',
  appFees: [{ recipient: `0x${'33'.repeat(20)}`, fee: '25' }],
  gasLimitForDepositSpecifiedTxs: 100000,
  forceSolverExecution: true,
  subsidizeFees: true,
  sponsoredFeeComponents: ['execution', 'anyword'],
  maxSubsidizationAmount: '5000000',
  subsidizationBps: 10000,
  subsidizeRent: false,
  includedSwapSources: ['a'],
  excludedSwapSources: ['b'],
  includedOriginSwapSources: [],
  includedDestinationSwapSources: [],
  originGasOverhead: 80000,
  depositFeePayer: 'x',
  maxRouteLength: 3,
  useSharedAccounts: true,
  includeComputeUnitLimit: true,
  overridePriceImpact: true,
  disableSwapProviderPreference: true,
  disableOriginSwaps: true,
  indicativeQuote: true,
  fixedRate: '1:1',
  ttl: 60,
  protocolVersion: 'preferV2',
} as const;

const digits = 'a string of digits';
const address = 'an address (0x and 40 hexadecimal digits)';
const basisPoints = 'basis points from 0 to 10000 as a string';

describe('schema', () => {
  test('default', () => {
    expect(decode(QuoteRequest.schema, required)).toEqual(required);
  });

  test('behavior: accepts every documented parameter', () => {
    const request = { ...required, ...optional };
    expect(decode(QuoteRequest.schema, request)).toEqual(request);
  });

  test('behavior: the parameters listed here are all parameters of the schema', () => {
    const known = Object.keys(QuoteRequest.schema.shape).sort();
    expect(known).toEqual(Object.keys({ ...required, ...optional }).sort());
  });

  test.each(QuoteRequest.tradeTypes)('behavior: trade type %s', (tradeType) => {
    expect(problems(QuoteRequest.schema, { ...required, tradeType })).toEqual([]);
  });

  test('behavior: accepts any integer amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (amount) => {
        expect(decode(QuoteRequest.schema, { ...required, amount: amount.toString() }).amount).toBe(amount.toString());
      }),
    );
  });

  test.each(Object.keys(required) as (keyof typeof required)[])('error: no %s', (key) => {
    expect(problems(QuoteRequest.schema, without(required, key))).toEqual([
      expect.stringMatching(new RegExp(`^${key}: missing, expected `)),
    ]);
  });

  test.each(Object.entries({ ...required, ...optional }))('error: %s of the wrong type', (key, value) => {
    const wrong = typeof value === 'object' ? 'text' : { not: typeof value };
    expect(problems(QuoteRequest.schema, { ...required, ...optional, [key]: wrong })).toEqual([
      expect.stringMatching(new RegExp(`^${key}: expected `)),
    ]);
  });

  test.each<[name: string, change: Record<string, unknown>, problem: string]>([
    ['an unknown parameter', { slippage: '50' }, 'slippage: unknown field'],
    ['a parameter in another case', { refundto: 'x' }, 'refundto: unknown field'],
    ['a negative amount', { amount: '-1' }, `amount: expected ${digits}`],
    ['a decimal amount', { amount: '1.5' }, `amount: expected ${digits}`],
    ['no amount', { amount: '' }, `amount: expected ${digits}`],
    ['a chain id that is no integer', { originChainId: 1.5 }, 'originChainId: expected an integer'],
    [
      'another trade type',
      { tradeType: 'exact_input' },
      `tradeType: expected one of ${QuoteRequest.tradeTypes.join(', ')}`,
    ],
    ['a referrer address', { referrerAddress: '0x22' }, `referrerAddress: expected ${address}`],
    ['slippage above all', { slippageTolerance: '10001' }, `slippageTolerance: expected ${basisPoints}`],
    ['slippage in percent', { slippageTolerance: '0.5' }, `slippageTolerance: expected ${basisPoints}`],
    ['late slippage', { latePaymentSlippageTolerance: '-1' }, `latePaymentSlippageTolerance: expected ${basisPoints}`],
    [
      'an app fee’s recipient',
      { appFees: [{ recipient: 'me', fee: '1' }] },
      `appFees[0].recipient: expected ${address}`,
    ],
    ['an app fee without recipient', { appFees: [{ fee: '1' }] }, 'appFees[0].recipient: missing, expected a string'],
    [
      'an app fee in percent',
      { appFees: [{ ...optional.appFees[0], fee: '0.1' }] },
      `appFees[0].fee: expected ${digits}`,
    ],
    ['no component', { sponsoredFeeComponents: [] }, 'sponsoredFeeComponents: expected at least 1 item'],
    ['a component as text', { sponsoredFeeComponents: 'swap' }, 'sponsoredFeeComponents: expected an array'],
    ['a share above all', { subsidizationBps: 10001 }, 'subsidizationBps: expected at most 10000'],
    ['a negative share', { subsidizationBps: -1 }, 'subsidizationBps: expected at least 0'],
    ['a topup in dollars', { topupGasAmount: '2.5' }, `topupGasAmount: expected ${digits}`],
    ['a cap in dollars', { maxSubsidizationAmount: '$5' }, `maxSubsidizationAmount: expected ${digits}`],
    ['another protocol', { protocolVersion: 'v3' }, 'protocolVersion: expected one of v2, preferV2'],
    ['a call without data', { txs: [{ to: '0x1', value: '0' }] }, 'txs[0].data: missing, expected a string'],
    ['a call with more', { txs: [{ to: '0x1', value: '0', data: '0x', gas: 1 }] }, 'txs[0].gas: unknown field'],
    ['additional data', { additionalData: { key: 1 } }, 'additionalData.key: unknown field'],
  ])('error: %s', (_, change, problem) => {
    expect(problems(QuoteRequest.schema, { ...required, ...change })).toEqual([problem]);
  });
});
