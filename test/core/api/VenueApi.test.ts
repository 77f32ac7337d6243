/** The venue's answers: the sandbox's are read whole, with what a later version adds. */
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import * as VenueApi from '../../../src/core/api/VenueApi.js';
import { decode, problems, withUnknownFields } from '../../support/problems.js';
import * as TxInfo from '../../support/venueCrypto/TxInfo.js';
import { open, signed, tokenOf } from '../../support/venueCustomer.js';

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

test("the sandbox's answers are read whole, with what a later version adds", async () => {
  const customer = open();
  const tx = await signed();
  const { body: sent } = await customer.send(TxInfo.toJson(tx));
  await customer.end(sent.tx_hash ?? '');
  const authorization = { authorization: tokenOf('dev0', 100) };
  const asked: readonly [endpoint: { path: string; response: z.core.$ZodType }, query: string][] = [
    [VenueApi.account, 'by=index&value=100'],
    [VenueApi.accountsByL1Address, `l1_address=${wallet}`],
    [VenueApi.accountTxs, 'by=account_index&value=100&limit=1'],
    [VenueApi.apiKeys, `account_index=100&api_key_index=${VenueApi.apiKeys.all}`],
    [VenueApi.assetDetails, ''],
    [VenueApi.info, ''],
    [VenueApi.nextNonce, 'account_index=100&api_key_index=4'],
    [VenueApi.transferFeeInfo, 'account_index=100&to_account_index=7'],
    [VenueApi.transferHistory, 'account_index=100'],
    [VenueApi.tx, `by=hash&value=${TxInfo.formatHash(tx)}`],
    [{ path: VenueApi.tx.path, response: VenueApi.failure }, 'by=hash&value=ab'],
  ];
  expect(decode(VenueApi.sendTx.response, withUnknownFields(sent))).toEqual(withUnknownFields(sent));
  for (const [{ path, response }, query] of asked) {
    const later = withUnknownFields((await customer.get(`${path}?${query}`, authorization)).body);
    expect([path, decode(response, later)]).toEqual([path, later]);
  }
});

test.each<readonly [name: string, schema: z.core.$ZodType, good: readonly unknown[], bad: readonly unknown[]]>([
  ['an integer', VenueApi.integer, [0, 281474976710654, '281474976710654', '-1'], [1.5, '1.5', '', null, 'x']],
  ['a decimal', VenueApi.decimal, ['0', '100.000000', '-1.5'], [1, '', '1.', '.5', '1e3', '0x1']],
])('values: behavior: %s', (_, schema, good, bad) => {
  expect(good.flatMap((value) => problems(schema, value))).toEqual([]);
  expect(bad.filter((value) => problems(schema, value).length === 0)).toEqual([]);
});
