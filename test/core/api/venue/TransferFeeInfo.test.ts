import { describe, expect, test } from 'vitest';
import * as TransferFeeInfo from '../../../../src/core/api/venue/TransferFeeInfo.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import * as AuthToken from '../../../support/venueCrypto/AuthToken.js';
import { open, signer } from '../../../support/venueCustomer.js';

describe('response', () => {
  test("default: the sandbox's, and what a later version adds", async () => {
    const deadline = Math.floor(Date.now() / 1000) + 600;
    const authorization = AuthToken.sign({ deadline, accountIndex: 100, apiKeyIndex: 4 }, signer('dev0').secret);
    const path = `${TransferFeeInfo.endpoint.path}?account_index=100&to_account_index=7`;
    const { body } = await open().get(path, { authorization });
    const later = withUnknownFields(body);
    expect(decode(TransferFeeInfo.response, later)).toEqual(later);
  });

  test('error: no fee, a fractional fee', () => {
    expect(problems(TransferFeeInfo.response, { code: 200 })).not.toEqual([]);
    expect(problems(TransferFeeInfo.response, { transfer_fee_usdc: 0.5 })).not.toEqual([]);
  });
});
