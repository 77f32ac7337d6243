/** The documented answers: what was recorded and published is read whole, and what a later version adds is kept. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as AppFeeClaims from '../../../src/core/api/AppFeeClaims.js';
import * as Chains from '../../../src/core/api/catalog/Chains.js';
import * as CurrenciesV2 from '../../../src/core/api/catalog/CurrenciesV2.js';
import * as TokenPrice from '../../../src/core/api/catalog/TokenPrice.js';
import * as Execute from '../../../src/core/api/Execute.js';
import * as ExecutePermits from '../../../src/core/api/ExecutePermits.js';
import * as ForeignApi from '../../../src/core/api/ForeignApi.js';
import * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as RequestsV2 from '../../../src/core/api/RequestsV2.js';
import * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import * as StatusSocket from '../../../src/core/api/StatusSocket.js';
import * as StatusV3 from '../../../src/core/api/StatusV3.js';
import * as FeeBreakdown from '../../../src/core/api/schema/FeeBreakdown.js';
import * as OrderData from '../../../src/core/api/schema/OrderData.js';
import * as SimulationFailure from '../../../src/core/api/schema/SimulationFailure.js';
import { decode, problems, withUnknownFields } from '../../support/problems.js';
import { describePublished, read as readPublished, withoutElisions } from '../../support/published.js';
import { read } from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

type Case = readonly [name: string, schema: z.core.$ZodType, value: unknown];

const quotes = [
  'quote-bridge',
  'quote-swap',
  'quote-swap-one-chain',
  'quote-sponsored',
  'quote-deposit-address',
  'quote-venue-deposit',
  'quote-venue-withdrawal',
  'quote-permit-eip3009',
  'quote-permit-permit2',
];
const bridge = read('quote-bridge') as QuoteV2.Response;
const statuses = read('status') as Record<StatusV3.State, StatusV3.Response>;
const failures = read('execute-errors') as Record<string, { status: number; body: Execute.SimulationError }>;
const recordsOf = (name: string) => (read(name) as { requests: unknown[] }).requests;
const [currency] = read('currencies') as [Record<string, unknown>];
const socket = {
  status: 'pending',
  inTxHashes: ['5Mmr6W2xicDPW3QuNVYcEiyVTxxVSBZ39zMugn9ePkuvZKc9ask4p33i4c81HTVthNFab5oKRCshCK6a1tveUyN6'],
  txHashes: [],
  updatedAt: 1765989801294,
  originChainId: 792703809,
  destinationChainId: 8453,
  requestId: '0x0931cd6b5a77317ccfe2513d29309db748bbad68eeda9b1235f902622d2af43d',
};
const claim = {
  claimId: '0x1',
  wallet: '0x2',
  recipient: '0x3',
  currency: bridge.details.currencyIn,
  txHash: null,
  status: 'pending',
  createdAt: '2026-10-01T00:00:00.000Z',
};

const answers: readonly Case[] = [
  ...quotes.map((name): Case => [name, QuoteV2.response, read(name)]),
  ...Object.entries(statuses).map(([state, answer]): Case => [`status ${state}`, StatusV3.response, answer]),
  ['requests/v2', z.array(RequestsV2.record), recordsOf('requests-v2')],
  ['requests/v3', z.array(RequestsV3.record), recordsOf('requests-v3')],
  ['chains', Chains.response, read('chains')],
  ['currencies', CurrenciesV2.response, read('currencies')],
  ['one currency with its price', ForeignApi.tokenDetails.response, { ...currency, price: 0.99, marketCap: '1' }],
  ['a price of a token', TokenPrice.response, { price: 2500.5 }],
  ['no price of a token', TokenPrice.response, { price: null }],
  ['execute', Execute.response, read('execute')],
  ['execute/permits with further steps', ExecutePermits.response, read('execute-permits')],
  ['execute/permits', ExecutePermits.response, { message: 'ok' }],
  ['balances of app fees', AppFeeClaims.balances, { balances: [claim.currency], totalBalanceUsd: '116.2' }],
  ['claims of app fees', AppFeeClaims.claims, { claims: [claim] }],
  ['status/v2', ForeignApi.statusV2.response, { status: 'success', txHashes: ['0x1'], time: 1_790_000_004_250 }],
  [
    'config/v2',
    ForeignApi.configV2.response,
    { enabled: true, user: { balance: '5', maxBridgeAmount: '4' }, fee: '1' },
  ],
  ['the socket', StatusSocket.update, { event: 'request.status.updated', data: socket, publishedAt: 1765989801309 }],
  ...SimulationFailure.revertTypes.map((type): Case => [type, SimulationFailure.details, failures[type]?.body.details]),
];

describe('recorded answers', () => {
  test.each(answers)('behavior: %s is read whole, with what a later version adds', (_, schema, value) => {
    const later = withUnknownFields(value, ['components', 'args']);
    expect(decode(schema, value)).toEqual(value);
    expect(decode(schema, later)).toEqual(later);
  });

  test('behavior: every documented state, revert and word of a fee is recorded', () => {
    expect(Object.keys(statuses).sort()).toEqual([...StatusV3.states].sort());
    for (const type of SimulationFailure.revertTypes) expect(failures[type]?.body.details?.revert.type).toBe(type);
  });

  const bare = (name: string) => Object.keys(failures[name]?.body ?? {}).length === 1;
  test.each(Object.entries(failures))('behavior: the failed execution %s', (name, { body }) => {
    if (bare(name)) expect(body).toEqual({ error: expect.any(String) });
    else expect(decode(Execute.simulationError, body)).toEqual(body);
  });
});

const order = bridge.protocol?.v2?.orderData as OrderData.OrderData;

test('OrderData.schema: reports unknown fields at every level', () => {
  const fee = {
    recipientChainId: 'alpha',
    recipient: '0x4cd2',
    currencyChainId: 'alpha',
    currency: '0x00',
    amount: '1',
  };
  const odd = withUnknownFields({ ...order, fees: [fee] });
  expect(problems(OrderData.schema, { ...order, fees: [fee] })).toEqual([]);
  expect(problems(OrderData.schema, odd).sort()).toEqual([
    'aFieldOfTomorrow: unknown field',
    'fees[0].aFieldOfTomorrow: unknown field',
    'inputs[0].aFieldOfTomorrow: unknown field',
    'inputs[0].payment.aFieldOfTomorrow: unknown field',
    'inputs[0].refunds[0].aFieldOfTomorrow: unknown field',
    'inputs[0].refunds[1].aFieldOfTomorrow: unknown field',
    'output.aFieldOfTomorrow: unknown field',
    'output.payments[0].aFieldOfTomorrow: unknown field',
  ]);
});

test('QuoteV2.requestIdOf: at the top, else the first that a step has', () => {
  expect(QuoteV2.requestIdOf(bridge)).toBe(bridge.requestId);
  expect(QuoteV2.requestIdOf({ requestId: null, steps: [{ requestId: null }, { requestId: '0x2' }] })).toBe('0x2');
  expect(QuoteV2.requestIdOf({ steps: [] })).toBeUndefined();
});

test('StatusV3.path: an id cannot inject parameters', () => {
  expect(StatusV3.path('0x1f')).toBe('/intents/status/v3?requestId=0x1f');
  expect(StatusV3.path('a&b=c')).toBe('/intents/status/v3?requestId=a%26b%3Dc');
});

describe('FeeBreakdown.platform', () => {
  const zero = { usd: '0' };
  const known = { swap: zero, execution: zero, app: zero, sponsored: zero, rent: { usd: '-1' } };

  test.each(['platform', 'relay', 'anyword'])('default: %s', (word) => {
    const breakdown = { ...known, note: 'text', [word]: { usd: '-0.06' } };
    expect(FeeBreakdown.platform(breakdown)).toEqual({ word, component: { usd: '-0.06' } });
  });

  test('behavior: undefined if none qualifies, or two', () => {
    expect(FeeBreakdown.platform(known)).toBeUndefined();
    expect(FeeBreakdown.platform({ ...known, platform: zero, campaign: zero })).toBeUndefined();
  });
});

describePublished('published answers', () => {
  test.each<Case>([
    ['quote-deposit-address.json', QuoteV2.response, read('quote-deposit-address')],
    ['quote-sponsored.json', QuoteV2.response, read('quote-sponsored')],
    ['quote-venue-deposit.json', QuoteV2.response, read('quote-venue-deposit')],
    ['quote-venue-withdrawal.json', QuoteV2.response, read('quote-venue-withdrawal')],
    ['status.json', StatusV3.response, statuses.success],
    ['chains.json', Chains.response, read('chains')],
    ['execute-400-simulation.json', Execute.simulationError, failures.customError?.body],
    ['request-v2-record.json', RequestsV2.record, recordsOf('requests-v2')],
    ['request-v3-record.json', RequestsV3.record, recordsOf('requests-v3')],
  ])('behavior: %s is read whole, and what is recorded has its shape', (name, schema, recorded) => {
    const published = withoutElisions(readPublished(name));
    expect(decode(schema, published)).toEqual(published);
    const shape = Array.isArray(recorded) ? Shape.from(...recorded) : Shape.from(recorded);
    expect(Shape.differences(shape, Shape.from(published))).toEqual([]);
  });

  test('behavior: every published order is known in all its fields', () => {
    const { orders } = readPublished('order-ids.json') as { orders: { orderData: unknown }[] };
    expect(orders.length).toBeGreaterThan(0);
    expect(orders.flatMap(({ orderData }) => problems(OrderData.schema, orderData))).toEqual([]);
  });
});
