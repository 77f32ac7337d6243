import { describe, expect, test } from 'vitest';
import * as RequestsV2 from '../../../src/core/api/RequestsV2.js';
import * as FeeBreakdown from '../../../src/core/api/schema/FeeBreakdown.js';
import { decode, problems, withUnknownFields } from '../../support/problems.js';
import { describePublished, read as readPublished, withoutElisions } from '../../support/published.js';
import { read } from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

describe('query', () => {
  test('default', () => {
    expect(decode(RequestsV2.query, { hash: '0x1', limit: '20', originChainId: '313371' })).toEqual({
      hash: '0x1',
      limit: 20,
      originChainId: 313371,
    });
  });

  test('error: a parameter of requests/v3, a limit above 50', () => {
    expect(problems(RequestsV2.query, { term: 'x', limit: '51' })).toEqual([
      'limit: expected at most 50',
      'term: unknown field',
    ]);
  });
});

describe('toParams', () => {
  test('default', () => {
    expect(RequestsV2.toParams({ hash: '0x1', limit: 5 })).toEqual([
      ['limit', '5'],
      ['hash', '0x1'],
    ]);
  });
});

describe('response', () => {
  const recorded = read('requests-v2') as RequestsV2.Response;

  test('default', () => {
    const decoded = decode(RequestsV2.response, recorded);
    expect(decoded).toEqual(recorded);
    expect(decoded.deprecation?.successor).toBe('/requests/v3');
    const { quoted } = decoded.requests[0]?.data?.expandedPriceImpact ?? {};
    expect(quoted && FeeBreakdown.platform(quoted)?.word).toBe('relay');
  });

  test('behavior: keeps unknown fields at every level', () => {
    const later = withUnknownFields(recorded, ['components']);
    expect(decode(RequestsV2.response, later)).toEqual(later);
  });

  test('error: money as a number', () => {
    const record = { id: '0x1', status: 'success', data: { fees: { gas: 1 } } };
    expect(problems(RequestsV2.response, { requests: [record] })).toEqual([
      'requests[0].data.fees.gas: expected a string',
    ]);
  });
});

describePublished('published deprecated record', () => {
  test('default', () => {
    const published = withoutElisions(readPublished('request-v2-record.json'));
    expect(decode(RequestsV2.record, published)).toEqual(published);
  });

  test('behavior: the recorded records have the same shape', () => {
    const { requests } = read('requests-v2') as RequestsV2.Response;
    const published = Shape.from(withoutElisions(readPublished('request-v2-record.json')));
    expect(Shape.differences(Shape.from(...requests), published)).toEqual([]);
  });
});
