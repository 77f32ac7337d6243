import { describe, expect, test } from 'vitest';
import * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import * as FeeBreakdown from '../../../src/core/api/schema/FeeBreakdown.js';
import { decode, problems, withUnknownFields } from '../../support/problems.js';
import { describePublished, read as readPublished, withoutElisions } from '../../support/published.js';
import { read } from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

/** Every documented parameter as written in a URL. */
const wire = {
  limit: '50',
  continuation: 'abc',
  includeTotal: 'true',
  user: '0x1',
  recipient: '0x2',
  depositAddress: '0x3',
  term: 'x',
  id: '0x4',
  orderId: '0x5',
  depositTxHash: '0x6',
  fillTxHash: '0x7',
  refundTxHash: '0x8',
  originChainId: '313371',
  destinationChainId: '313372',
  chainId: '313371',
  privateChainsToInclude: '1,2',
  status: 'success',
  failReason: 'UNKNOWN',
  refundFailReason: 'N/A',
  requestType: 'crosschain swap',
  features: 'app_fees,gas_top_up',
  currencyInChainId: '313371',
  currencyInAddress: '0x9',
  currencyInSymbol: 'USDC',
  currencyOutChainId: '313372',
  currencyOutAddress: '0xa',
  currencyOutSymbol: 'ETH',
  amountUsdMin: '1',
  amountUsdMax: '10.5',
  appFeesAmountUsdMin: '0',
  appFeesAmountUsdMax: '1',
  fillTimeMin: '1',
  fillTimeMax: '2',
  startTimestamp: '1790000000',
  endTimestamp: '1790000001',
  startBlock: '1',
  endBlock: '2',
  sortBy: 'amountUsd',
  sortDirection: 'asc',
  includeAuthenticatedData: 'false',
  includeChildRequests: 'true',
  apiKey: 'a,b',
  referrer: 'sandbox-referrer',
  filters: '[]',
};

describe('query', () => {
  test('default', () => {
    expect(decode(RequestsV3.query, { limit: '5', includeTotal: 'true', id: '0x1' })).toEqual({
      limit: 5,
      includeTotal: true,
      id: '0x1',
    });
  });

  test('behavior: accepts and round-trips every documented parameter', () => {
    expect(Object.keys(RequestsV3.query.shape).sort()).toEqual(Object.keys(wire).sort());
    expect(Object.fromEntries(RequestsV3.toParams(decode(RequestsV3.query, wire)))).toEqual(wire);
  });

  test.each([
    [{ limit: '0' }, 'limit: expected at least 1'],
    [{ limit: '51' }, 'limit: expected at most 50'],
    [{ limit: 'all' }, 'limit: expected a string of digits'],
    [{ status: 'waiting' }, 'status: expected one of success, failure, refund, pending, depositing'],
    [{ sortBy: 'fee' }, 'sortBy: expected one of createdAt, updatedAt, amountUsd'],
    [{ sortDirection: 'up' }, 'sortDirection: expected one of asc, desc'],
    [{ referrer: '' }, 'referrer: expected at least 1 character'],
    [{ amountUsdMin: '$1' }, 'amountUsdMin: expected a decimal number as a string'],
    [{ hash: '0x' }, 'hash: unknown field'],
  ])('error: %j', (query, problem) => {
    expect(problems(RequestsV3.query, query)).toEqual([problem]);
  });
});

describe('toParams', () => {
  test('default', () => {
    expect(RequestsV3.toParams({ id: '0x1', limit: 20, includeTotal: false })).toEqual([
      ['limit', '20'],
      ['includeTotal', 'false'],
      ['id', '0x1'],
    ]);
  });
});

describe('headers', () => {
  test('error: no key', () => {
    expect(problems(RequestsV3.headers, { accept: '*/*' })).toEqual(['x-api-key: missing, expected a string']);
    expect(problems(RequestsV3.headers, { accept: '*/*', 'x-api-key': 'k' })).toEqual([]);
  });
});

describe('response', () => {
  const recorded = read('requests-v3') as RequestsV3.Response;

  test('default', () => {
    const decoded = decode(RequestsV3.response, recorded);
    expect(decoded).toEqual(recorded);
    expect(decoded.requests.map(({ status }) => status)).toEqual(['success', 'refund', 'success']);
    const { quoted, actual } = decoded.requests[0]?.data?.fees ?? {};
    expect(quoted && FeeBreakdown.platform(quoted)?.word).toBe('platform');
    expect(actual && FeeBreakdown.platform(actual)?.word).toBe('platform');
  });

  test('behavior: keeps unknown fields at every level', () => {
    const later = withUnknownFields(recorded, ['components']);
    expect(decode(RequestsV3.response, later)).toEqual(later);
  });

  test('behavior: the last page has no continuation, a new record few fields', () => {
    const page = { requests: [{ id: '0x1', status: 'waiting', data: { fees: null, inTxs: [] }, protocol: null }] };
    expect(decode(RequestsV3.response, page)).toEqual(page);
  });

  test('error: a record without id or status', () => {
    expect(problems(RequestsV3.response, { requests: [{}] })).toEqual([
      'requests[0].id: missing, expected a string',
      'requests[0].status: missing, expected a string',
    ]);
  });
});

describePublished('published record', () => {
  test('default', () => {
    const published = withoutElisions(readPublished('request-v3-record.json'));
    expect(decode(RequestsV3.record, published)).toEqual(published);
  });

  test('behavior: the recorded records have the same shape', () => {
    const { requests } = read('requests-v3') as RequestsV3.Response;
    const published = Shape.from(withoutElisions(readPublished('request-v3-record.json')));
    expect(Shape.differences(Shape.from(...requests), published)).toEqual([]);
  });
});
