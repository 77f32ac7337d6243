import { describe, expect, test } from 'vitest';
import * as AccountsByL1Address from '../../../../src/core/api/venue/AccountsByL1Address.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import { open } from '../../../support/venueCustomer.js';

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe('response', () => {
  test("default: the sandbox's, and what a later version adds", async () => {
    const { body } = await open().get(`${AccountsByL1Address.endpoint.path}?l1_address=${wallet}`);
    const later = withUnknownFields(body);
    expect(decode(AccountsByL1Address.response, later)).toEqual(later);
  });

  test('behavior: an index under any of its names, as a number or digits', () => {
    const sub_accounts = [{ index: 1 }, { account_index: '2' }, { accountIndex: 3 }].map((account) => ({
      ...account,
      l1_address: wallet,
    }));
    expect(problems(AccountsByL1Address.response, { code: 200, l1_address: wallet, sub_accounts })).toEqual([]);
  });

  test('error: no accounts', () => {
    expect(problems(AccountsByL1Address.response, { code: 200, l1_address: wallet })).toEqual([
      'sub_accounts: missing, expected an array',
    ]);
  });
});
