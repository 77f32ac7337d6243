import { describe, expect, test } from 'vitest';
import * as Tx from '../../../../src/core/api/venue/Tx.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import * as TxInfo from '../../../support/venueCrypto/TxInfo.js';
import { open, signed } from '../../../support/venueCustomer.js';

describe('response', () => {
  test("default: the sandbox's at any time, and what a later version adds", async () => {
    const customer = open({ executionMs: 200 });
    const tx = await signed();
    await customer.send(TxInfo.toJson(tx));
    const path = `${Tx.endpoint.path}?by=hash&value=${TxInfo.formatHash(tx)}`;
    for (const status of [Tx.statuses.pending, Tx.statuses.executed]) {
      const later = withUnknownFields((await customer.get(path)).body);
      expect(decode(Tx.response, later)).toEqual(later);
      expect(later).toMatchObject({ status });
      await customer.end(TxInfo.formatHash(tx));
    }
  });

  test('behavior: keeps an unknown status', () => {
    const answer = { hash: 'ab', type: 12, info: '{}', status: 9 };
    expect(decode(Tx.response, answer)).toEqual(answer);
  });

  test('error: no status', () => {
    expect(problems(Tx.response, { hash: 'ab', type: 12, info: '{}' })).toEqual(['status: missing, expected a number']);
  });
});
