/** What is sent to the service: every documented parameter is taken, and any other is named. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as AppFeeClaims from '../../../src/core/api/AppFeeClaims.js';
import * as Chains from '../../../src/core/api/catalog/Chains.js';
import * as CurrenciesV2 from '../../../src/core/api/catalog/CurrenciesV2.js';
import * as TokenPrice from '../../../src/core/api/catalog/TokenPrice.js';
import * as Execute from '../../../src/core/api/Execute.js';
import * as ExecutePermits from '../../../src/core/api/ExecutePermits.js';
import * as ForeignApi from '../../../src/core/api/ForeignApi.js';
import * as QuoteRequest from '../../../src/core/api/QuoteRequest.js';
import * as RequestsV2 from '../../../src/core/api/RequestsV2.js';
import * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import * as StatusSocket from '../../../src/core/api/StatusSocket.js';
import * as StatusV3 from '../../../src/core/api/StatusV3.js';
import * as Authorization from '../../../src/core/api/schema/Authorization.js';
import * as Decode from '../../../src/core/api/schema/Decode.js';
import * as Primitives from '../../../src/core/api/schema/Primitives.js';
import * as QueryParam from '../../../src/core/api/schema/QueryParam.js';
import * as Transactions from '../../../src/core/api/Transactions.js';
import { decode, problems, without } from '../../support/problems.js';

const authorization = { chainId: 313372, address: `0x${'11'.repeat(20)}`, nonce: 3, yParity: 0, r: '0x1', s: '0x2' };

const quote = {
  user: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  originChainId: 313371,
  destinationChainId: 313372,
  originCurrency: '0x0000000000000000000000000000000000000000',
  destinationCurrency: '0x2bc4bda66711b1cec35ac6492ec2d8d90a17d6e5',
  tradeType: 'EXACT_INPUT',
  amount: '100000000',
} as const;

/** Parameters of a quote that have parts or a form of their own. */
const options = {
  txs: [{ to: '0x1', value: '0', data: '0x', originalTxValue: '0' }],
  authorizationList: [authorization],
  additionalData: { userPublicKey: '02ab' },
  appFees: [{ recipient: `0x${'33'.repeat(20)}`, fee: '25' }],
  latePaymentSlippageTolerance: '10000',
  sponsoredFeeComponents: ['execution', 'anyword'],
} as const;

const call = { chainId: 313371, to: `0x${'22'.repeat(20)}`, data: '0x', value: '0' };
const execution = { executionKind: 'rawCalls', data: call, executionOptions: { subsidizeFees: true } };
const destination = {
  calls: [{ to: `0x${'33'.repeat(20)}`, value: '1', data: '0xabc' }, {}],
  authorizationList: [authorization],
};
const ofDestination = {
  ...execution,
  executionOptions: { subsidizeFees: true, destinationChainExecutionData: { calls: [{}], authorizationList: [] } },
};
const permit = { kind: 'eip3009', requestId: '0x1', api: 'bridge' };
const subscription = { type: 'subscribe', event: 'request.status.updated', filters: { id: '0x1' } };

/** Every request: its schema, and one with all documented parameters. */
const requests: readonly [name: string, schema: z.core.$ZodType, value: Record<string, unknown>][] = [
  ['quote/v2', QuoteRequest.schema, { ...quote, ...options }],
  ['price', ForeignApi.price.request, { ...quote, referrer: 'r', slippageTolerance: '50' }],
  [
    'execute',
    Execute.request,
    {
      ...execution,
      data: { ...call, authorizationList: [authorization] },
      executionOptions: { referrer: 'r', subsidizeFees: true, destinationChainExecutionData: destination },
      requestId: '0x1',
      originGasOverhead: 80000,
    },
  ],
  ['execute/permits', ExecutePermits.request, permit],
  ['execute/permits with a referrer', ExecutePermits.submission, { ...permit, referrer: 'wallet' }],
  ['the signature of execute/permits', ExecutePermits.query, { signature: `0x${'1b'.repeat(65)}` }],
  ['intents/status/v3', StatusV3.query, { requestId: '0x1' }],
  ['transactions/index', Transactions.index.request, { chainId: '313371', txHash: '0x1', requestId: '0x1' }],
  ['transactions/single', Transactions.single.request, { requestId: '0x1', chainId: '1', tx: '{"txHash":"0x2"}' }],
  ['app-fees/claim', AppFeeClaims.claimRequest, { chainId: 1, currency: '0x1', recipient: '0x2', amount: '1' }],
  ['app-fees/claims', AppFeeClaims.claimsQuery, { limit: 100 }],
  ['chains', Chains.query, { includeChains: '1,2' }],
  ['currencies/v2', CurrenciesV2.request, { chainIds: [313371], term: 'usd', limit: 100, verified: true }],
  [
    'config/v2',
    ForeignApi.configV2.query,
    { originChainId: '1', destinationChainId: '2', user: '0x1', currency: 'eth' },
  ],
  ['deposit-addresses', ForeignApi.depositAddresses.query, { address: '0x1' }],
  ['deposit-address/reindex', ForeignApi.reindex.request, { chainId: 1, depositAddress: '0x1' }],
  ['subscribe', StatusSocket.order, subscription],
  ['unsubscribe', StatusSocket.order, { type: 'unsubscribe', event: 'request.status.updated' }],
  ['an authorization', Authorization.schema, authorization],
];

describe('requests', () => {
  test.each(requests)('behavior: %s, and an unknown field is named', (_, schema, value) => {
    expect(decode(schema, value)).toEqual(value);
    expect(problems(schema, { ...value, unheard: 1 })).toEqual(['unheard: unknown field']);
  });

  const address = 'expected an address (0x and 40 hexadecimal digits)';
  test.each<[change: Record<string, unknown>, problem: string]>([
    [{ refundto: 'x' }, 'refundto: unknown field'],
    [{ amount: '-1' }, 'amount: expected a string of digits'],
    [{ originChainId: 1.5 }, 'originChainId: expected an integer'],
    [{ tradeType: 'exact_input' }, `tradeType: expected one of ${QuoteRequest.tradeTypes.join(', ')}`],
    [{ referrerAddress: '0x22' }, `referrerAddress: ${address}`],
    [{ slippageTolerance: '10001' }, 'slippageTolerance: expected basis points from 0 to 10000 as a string'],
    [{ appFees: [{ recipient: 'me', fee: '1' }] }, `appFees[0].recipient: ${address}`],
    [{ appFees: [{ ...options.appFees[0], fee: '0.1' }] }, 'appFees[0].fee: expected a string of digits'],
    [{ sponsoredFeeComponents: [] }, 'sponsoredFeeComponents: expected at least 1 item'],
    [{ subsidizationBps: 10001 }, 'subsidizationBps: expected at most 10000'],
    [{ maxSubsidizationAmount: '$5' }, 'maxSubsidizationAmount: expected a string of digits'],
    [{ protocolVersion: 'v3' }, 'protocolVersion: expected one of v2, preferV2'],
    [{ txs: [{ to: '0x1', value: '0', data: '0x', gas: 1 }] }, 'txs[0].gas: unknown field'],
    [{ additionalData: { key: 1 } }, 'additionalData.key: unknown field'],
  ])('error: a quote with %j', (change, problem) => {
    expect(problems(QuoteRequest.schema, { ...quote, ...change })).toEqual([problem]);
  });
});

const complaint = (value: unknown): string | undefined => {
  const decoding = Decode.from(Execute.request, value);
  return decoding.ok ? undefined : Execute.complaint(decoding.problems);
};

test.each<[string, unknown, string]>([
  ['no contract', { ...execution, data: without(call, 'to') }, 'to is required'],
  ['no chain', { ...execution, data: without(call, 'chainId') }, 'chainId is required'],
  ['several missing: the first in documented order', { ...execution, data: {} }, 'to is required'],
  ['nothing but a contract', { ...execution, data: { to: call.to } }, 'data is required'],
  [
    'an empty authorization list',
    { ...execution, data: { ...call, authorizationList: [] } },
    'authorizationList cannot be empty',
  ],
  ['an empty list on the destination', ofDestination, 'authorizationList cannot be empty'],
  [
    'anything else by its path',
    { ...execution, data: { ...call, value: '-1' } },
    'data.value: expected a string of digits',
  ],
])('Execute.complaint: behavior: %s', (_, value, said) => {
  expect(complaint(value)).toBe(said);
});

describe('queries', () => {
  test('behavior: requests/v3 gives back what it reads', () => {
    const wire = {
      ...{ limit: '50', includeTotal: 'true', user: '0x1', originChainId: '313371', status: 'success' },
      ...{ amountUsdMax: '10.5', startTimestamp: '1790000000', sortBy: 'amountUsd', includeChildRequests: 'false' },
    };
    expect(Object.fromEntries(QueryParam.params(RequestsV3.query, decode(RequestsV3.query, wire)))).toEqual(wire);
  });

  test('behavior: requests/v2 and the price of a token give back what they read', () => {
    const query = { limit: '5', hash: '0x1' };
    expect(QueryParam.params(RequestsV2.query, decode(RequestsV2.query, query))).toEqual(Object.entries(query));
    const token = { chainId: '8453', address: '0x1' };
    expect(QueryParam.params(TokenPrice.query, decode(TokenPrice.query, token))).toEqual(Object.entries(token));
  });

  test.each<[z.core.$ZodType, Record<string, unknown>, string]>([
    [RequestsV3.query, { limit: '0' }, 'limit: expected at least 1'],
    [RequestsV3.query, { limit: '51' }, 'limit: expected at most 50'],
    [RequestsV3.query, { limit: 'all' }, 'limit: expected a string of digits'],
    [RequestsV3.query, { sortBy: 'fee' }, 'sortBy: expected one of createdAt, updatedAt, amountUsd'],
    [RequestsV3.query, { referrer: '' }, 'referrer: expected at least 1 character'],
    [RequestsV3.query, { amountUsdMin: '$1' }, 'amountUsdMin: expected a decimal number as a string'],
    [RequestsV3.query, { hash: '0x' }, 'hash: unknown field'],
    [RequestsV3.headers, { accept: '*/*' }, 'x-api-key: missing, expected a string'],
    [RequestsV2.query, { term: 'x' }, 'term: unknown field'],
    [QueryParam.flag, '1' as never, 'expected one of true, false'],
  ])('error: %#', (schema, query, problem) => {
    expect(problems(schema, query)).toEqual([problem]);
  });

  test('behavior: an integer is read as it is written, and nothing else is one', () => {
    const schema = QueryParam.integer();
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (value) => {
        expect(z.decode(schema, z.encode(schema, value))).toBe(value);
      }),
    );
    for (const text of ['', '-1', '1.5', 'a', '9007199254740993']) expect(problems(schema, text)).toHaveLength(1);
  });
});

describe('Primitives', () => {
  const takes = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).success;

  test('behavior: digits are digits only', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (n) => takes(Primitives.digits, n.toString())));
    fc.assert(fc.property(fc.string(), (text) => takes(Primitives.digits, text) === /^[0-9]{1,100}$/.test(text)));
    for (const value of ['', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '1\n', '１', 1])
      expect([value, takes(Primitives.digits, value)]).toEqual([value, false]);
  });

  test.each<[string, z.core.$ZodType, unknown[], unknown[]]>([
    [
      'address',
      Primitives.address,
      [`0x${'aB'.repeat(20)}`],
      [`0x${'a'.repeat(39)}`, `0x${'a'.repeat(41)}`, 'a'.repeat(40), `0x${'g'.repeat(40)}`, `0x${'a'.repeat(40)}\n`],
    ],
    ['bytes', Primitives.bytes, ['0x', '0x00ff'], ['0x0', '00']],
    ['bytes32', Primitives.bytes32, [`0x${'0'.repeat(64)}`], [`0x${'0'.repeat(62)}`]],
    ['count', Primitives.count, [0, Number.MAX_SAFE_INTEGER], [-1, 1.5, 2 ** 53, Number.NaN, '1']],
  ])('behavior: %s', (_, schema, good, bad) => {
    expect(good.filter((value) => !takes(schema, value))).toEqual([]);
    expect(bad.filter((value) => takes(schema, value))).toEqual([]);
  });
});
