import { describe, expect, test } from 'vitest';
import * as TransferHistory from '../../../../src/core/api/venue/TransferHistory.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import * as TxInfo from '../../../support/venueCrypto/TxInfo.js';
import { open, signed, tokenOf } from '../../../support/venueCustomer.js';

describe('response', () => {
  test("default: the sandbox's, and what a later version adds", async () => {
    const customer = open();
    const { body: sent } = await customer.send(TxInfo.toJson(await signed()));
    await customer.end(sent.tx_hash ?? '');
    const path = `${TransferHistory.endpoint.path}?account_index=100`;
    const { body } = await customer.get(path, { authorization: tokenOf('dev0', 100) });
    const later = withUnknownFields(body);
    expect(body.transfers).toHaveLength(1);
    expect(decode(TransferHistory.response, later)).toEqual(later);
  });

  test('error: no transfers', () => {
    expect(problems(TransferHistory.response, { code: 200, cursor: '' })).toEqual([
      'transfers: missing, expected an array',
    ]);
  });
});
