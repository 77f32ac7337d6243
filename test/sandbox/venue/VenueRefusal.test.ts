import { expect, test } from 'vitest';
import * as VenueRefusal from '../../../src/sandbox/venue/VenueRefusal.js';

test('behavior: HTTP 400 except for auth tokens, the rate limit and internal errors', () => {
  const other = Object.keys(VenueRefusal.messages)
    .map((code) => Number(code) as VenueRefusal.Code)
    .filter((code) => VenueRefusal.statusOf(code) !== 400);
  expect(other.map((code) => [code, VenueRefusal.statusOf(code)])).toEqual([
    [20013, 401],
    [23000, 429],
    [29500, 500],
  ]);
});

test.each([
  [400, { code: 20001, message: 'invalid param ' }],
  [401, { code: 20013, message: expect.any(String) }],
  [429, { code: 23000, message: 'Too Many Requests!' }],
  [503, { code: 29500, message: 'internal server error' }],
])('behavior: the default body of %i', (status, body) => {
  expect(VenueRefusal.documentedBody('/api/v1/tx', status)).toEqual(body);
});
