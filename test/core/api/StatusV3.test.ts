import { describe, expect, test } from 'vitest';
import * as StatusV3 from '../../../src/core/api/StatusV3.js';
import { decode, problems, withUnknownFields } from '../../support/problems.js';
import { describePublished, read as readPublished } from '../../support/published.js';
import { read } from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

const recorded = read('status') as Record<StatusV3.State, StatusV3.Response>;

describe('response', () => {
  test('behavior: a response is recorded for every documented state', () => {
    expect(Object.keys(recorded).sort()).toEqual([...StatusV3.states].sort());
  });

  test.each(StatusV3.states)('default: %s', (state) => {
    expect(decode(StatusV3.response, recorded[state])).toEqual(recorded[state]);
    expect(recorded[state].status).toBe(state);
  });

  test('behavior: keeps unknown states and unknown fields', () => {
    const later = withUnknownFields({ ...recorded.success, status: 'teleported' });
    expect(decode(StatusV3.response, later)).toEqual(later);
  });

  test('behavior: the status alone is enough', () => {
    expect(decode(StatusV3.response, { status: 'unknown' })).toEqual({ status: 'unknown' });
  });

  test('error: no status', () => {
    expect(problems(StatusV3.response, {})).toEqual(['status: missing, expected a string']);
  });

  test('error: hashes that are not a list', () => {
    expect(problems(StatusV3.response, { status: 'success', txHashes: '0x' })).toEqual(['txHashes: expected an array']);
  });
});

describe('query', () => {
  test('default', () => {
    expect(problems(StatusV3.query, { requestId: '0x1' })).toEqual([]);
  });

  test('error: no request id, an unknown parameter', () => {
    expect(problems(StatusV3.query, { id: '0x1' })).toEqual([
      'requestId: missing, expected a string',
      'id: unknown field',
    ]);
  });
});

describe('isState', () => {
  test('default', () => {
    expect(StatusV3.states.every(StatusV3.isState)).toBe(true);
    expect(StatusV3.isState('refunded')).toBe(false);
  });
});

describe('path', () => {
  test('default', () => {
    expect(StatusV3.path('0x1f')).toBe('/intents/status/v3?requestId=0x1f');
  });

  test('behavior: an id cannot inject parameters', () => {
    expect(StatusV3.path('a&b=c')).toBe('/intents/status/v3?requestId=a%26b%3Dc');
  });
});

describePublished('published status', () => {
  test('default', () => {
    const published = readPublished('status.json');
    expect(decode(StatusV3.response, published)).toEqual(published);
    expect(Shape.differences(Shape.from(recorded.success), Shape.from(published))).toEqual([]);
  });
});
