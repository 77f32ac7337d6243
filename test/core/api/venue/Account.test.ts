import { describe, expect, test } from 'vitest';
import * as Account from '../../../../src/core/api/venue/Account.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { open } from '../../../support/venueCustomer.js';

describe('response', () => {
  test("default: the sandbox's, and what a later version adds", async () => {
    const { body } = await open().get(`${Account.endpoint.path}?by=index&value=100`);
    const later = withUnknownFields(body);
    expect(decode(Account.response, later)).toEqual(later);
  });

  test('error: a balance that is a number', async () => {
    const assets = [{ symbol: 'USDC', asset_id: 3, balance: 1 }];
    const answer = { code: 200, accounts: [{ index: 1, l1_address: '0x', assets }] };
    expect(problems(Account.response, answer)).toEqual(['accounts[0].assets[0].balance: expected a string']);
  });
});

describe('query', () => {
  test('error: an unknown lookup key', () => {
    expect(problems(Account.query, { by: 'name', value: 'ada' })).toHaveLength(1);
    expect(problems(Account.query, { by: 'index', value: '100' })).toEqual([]);
  });
});
