import { describe, expect, test } from 'vitest';
import * as NextNonce from '../../../../src/core/api/venue/NextNonce.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { open } from '../../../support/venueCustomer.js';

describe('response', () => {
  test("default: the sandbox's, and what a later version adds", async () => {
    const { body } = await open().get(`${NextNonce.endpoint.path}?account_index=100&api_key_index=4`);
    const later = withUnknownFields(body);
    expect(decode(NextNonce.response, later)).toEqual(later);
  });

  test.each([{}, { nonce: null }, { nonce: 1.5 }, { nonce: 'x' }])('error: %j', (body) => {
    expect(problems(NextNonce.response, { code: 200, ...body })).not.toEqual([]);
  });
});
