import { describe, expect, test } from 'vitest';
import * as ApiKeys from '../../../../src/core/api/venue/ApiKeys.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { open } from '../../../support/venueCustomer.js';

describe('response', () => {
  test("default: the sandbox's, and what a later version adds", async () => {
    const { body } = await open().get(`${ApiKeys.endpoint.path}?account_index=100&api_key_index=${ApiKeys.all}`);
    const later = withUnknownFields(body);
    expect(decode(ApiKeys.response, later)).toEqual(later);
  });

  test('error: an API key without its public key', () => {
    const api_keys = [{ account_index: 100, api_key_index: 4, nonce: 0 }];
    expect(problems(ApiKeys.response, { code: 200, api_keys })).toEqual([
      'api_keys[0].public_key: missing, expected a string',
    ]);
  });
});

describe('query', () => {
  test('error: an index that is not digits', () => {
    expect(problems(ApiKeys.query, { account_index: 'x' })).toHaveLength(1);
  });
});
