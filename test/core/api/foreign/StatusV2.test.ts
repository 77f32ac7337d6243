import { describe, expect, test } from 'vitest';
import * as StatusV2 from '../../../../src/core/api/foreign/StatusV2.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';

const paid: StatusV2.Response = {
  status: 'success',
  inTxHashes: [`0x${'a'.repeat(64)}`],
  txHashes: [`0x${'b'.repeat(64)}`],
  time: 1_790_000_004_250,
  originChainId: 313371,
  destinationChainId: 313372,
  quoteCreatedAt: 1_790_000_001_250,
};

describe('response', () => {
  test.each([[paid], [{ status: 'waiting', quoteCreatedAt: 1 }], [{ status: 'unknown' }], [withUnknownFields(paid)]])(
    'default: %j',
    (response) => {
      expect(decode(StatusV2.response, response)).toEqual(response);
    },
  );

  test('error: no status, a time that is a text', () => {
    expect(problems(StatusV2.response, { time: '1' })).toEqual([
      'status: missing, expected a string',
      'time: expected a number',
    ]);
  });
});

describe('query', () => {
  test('default', () => {
    expect(problems(StatusV2.query, { requestId: '0x1' })).toEqual([]);
    expect(problems(StatusV2.query, {})).toEqual(['requestId: missing, expected a string']);
  });
});
