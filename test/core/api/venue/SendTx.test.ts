import { describe, expect, test } from 'vitest';
import * as SendTx from '../../../../src/core/api/venue/SendTx.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import * as TxInfo from '../../../support/venueCrypto/TxInfo.js';
import { open, signed } from '../../../support/venueCustomer.js';

describe('response', () => {
  test("default: the sandbox's, and what a later version adds", async () => {
    const { body } = await open().send(TxInfo.toJson(await signed()));
    const later = withUnknownFields(body);
    expect(decode(SendTx.response, later)).toEqual(later);
  });

  test('error: no hash', () => {
    expect(problems(SendTx.response, { code: 200 })).toEqual(['tx_hash: missing, expected a string']);
  });
});

describe('request', () => {
  test('default', () => {
    const form = { tx_type: String(SendTx.transferType), tx_info: '{}', price_protection: 'true' };
    expect(problems(SendTx.request, form)).toEqual([]);
  });

  test('error: no transaction', () => {
    expect(problems(SendTx.request, { tx_type: '12' })).toEqual(['tx_info: missing, expected a string']);
  });
});
