import { describe, expect, test } from 'vitest';
import * as AccountTxs from '../../../../src/core/api/venue/AccountTxs.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import * as TxInfo from '../../../support/venueCrypto/TxInfo.js';
import { open, signed } from '../../../support/venueCustomer.js';

describe('response', () => {
  test("default: the sandbox's, and what a later version adds", async () => {
    const customer = open();
    await customer.send(TxInfo.toJson(await signed()));
    const { body } = await customer.get(`${AccountTxs.endpoint.path}?by=account_index&value=100&limit=1`);
    const later = withUnknownFields(body);
    expect(body.txs).toHaveLength(1);
    expect(decode(AccountTxs.response, later)).toEqual(later);
  });

  test('error: a transaction without a hash', () => {
    const answer = { code: 200, txs: [{ type: 12, info: '{}', status: 1 }] };
    expect(problems(AccountTxs.response, answer)).toEqual(['txs[0].hash: missing, expected a string']);
  });
});

describe('query', () => {
  const asked = { by: 'account_index', value: '100', limit: '1' };
  test.each(['12', '12,13', '[12]', '[12, 13]'])('behavior: types %s', (types) => {
    expect(problems(AccountTxs.query, { ...asked, types })).toEqual([]);
  });

  test.each([{ limit: '0' }, { limit: '101' }, { limit: undefined }, { types: 'all' }, { by: 'name' }])(
    'error: %o',
    (wish) => {
      expect(problems(AccountTxs.query, { ...asked, ...wish })).toHaveLength(1);
    },
  );
});
