/** The venue's answers: the sandbox's are read whole, with what a later version adds, and what is missing is named. */
import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import * as Account from '../../../../src/core/api/venue/Account.js';
import * as AccountsByL1Address from '../../../../src/core/api/venue/AccountsByL1Address.js';
import * as AccountTxs from '../../../../src/core/api/venue/AccountTxs.js';
import * as ApiKeys from '../../../../src/core/api/venue/ApiKeys.js';
import * as AssetDetails from '../../../../src/core/api/venue/AssetDetails.js';
import * as Envelope from '../../../../src/core/api/venue/Envelope.js';
import * as Info from '../../../../src/core/api/venue/Info.js';
import * as NextNonce from '../../../../src/core/api/venue/NextNonce.js';
import * as SendTx from '../../../../src/core/api/venue/SendTx.js';
import * as TransferFeeInfo from '../../../../src/core/api/venue/TransferFeeInfo.js';
import * as TransferHistory from '../../../../src/core/api/venue/TransferHistory.js';
import * as Tx from '../../../../src/core/api/venue/Tx.js';
import { decode, problems, withUnknownFields } from '../../../support/problems.js';
import * as TxInfo from '../../../support/venueCrypto/TxInfo.js';
import { open, signed, tokenOf } from '../../../support/venueCustomer.js';

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

test("the sandbox's answers are read whole, with what a later version adds", async () => {
  const customer = open();
  const tx = await signed();
  const { body: sent } = await customer.send(TxInfo.toJson(tx));
  await customer.end(sent.tx_hash ?? '');
  const authorization = { authorization: tokenOf('dev0', 100) };
  const asked: readonly [schema: z.core.$ZodType, path: string, headers?: Record<string, string>][] = [
    [Account.response, `${Account.endpoint.path}?by=index&value=100`],
    [AccountsByL1Address.response, `${AccountsByL1Address.endpoint.path}?l1_address=${wallet}`],
    [AccountTxs.response, `${AccountTxs.endpoint.path}?by=account_index&value=100&limit=1`],
    [ApiKeys.response, `${ApiKeys.endpoint.path}?account_index=100&api_key_index=${ApiKeys.all}`],
    [AssetDetails.response, AssetDetails.endpoint.path],
    [Info.response, Info.endpoint.path],
    [NextNonce.response, `${NextNonce.endpoint.path}?account_index=100&api_key_index=4`],
    [TransferFeeInfo.response, `${TransferFeeInfo.endpoint.path}?account_index=100&to_account_index=7`, authorization],
    [TransferHistory.response, `${TransferHistory.endpoint.path}?account_index=100`, authorization],
    [Tx.response, `${Tx.endpoint.path}?by=hash&value=${TxInfo.formatHash(tx)}`],
    [Envelope.failure, '/api/v1/tx?by=hash&value=ab'],
  ];
  expect(decode(SendTx.response, withUnknownFields(sent))).toEqual(withUnknownFields(sent));
  for (const [schema, path, headers] of asked) {
    const later = withUnknownFields((await customer.get(path, headers)).body);
    expect([path, decode(schema, later)]).toEqual([path, later]);
  }
});

test.each<readonly [schema: z.core.$ZodType, value: unknown, problem: string]>([
  [
    Account.response,
    { code: 200, accounts: [{ index: 1, l1_address: '0x', assets: [{ symbol: 'U', asset_id: 3, balance: 1 }] }] },
    'accounts[0].assets[0].balance: expected a string',
  ],
  [
    AccountTxs.response,
    { code: 200, txs: [{ type: 12, info: '{}', status: 1 }] },
    'txs[0].hash: missing, expected a string',
  ],
  [AccountsByL1Address.response, { code: 200, l1_address: wallet }, 'sub_accounts: missing, expected an array'],
  [
    ApiKeys.response,
    { code: 200, api_keys: [{ account_index: 100, api_key_index: 4, nonce: 0 }] },
    'api_keys[0].public_key: missing, expected a string',
  ],
  [
    AssetDetails.response,
    { asset_details: [{ asset_id: 3, symbol: 'U' }] },
    'asset_details[0].decimals: missing, expected a number',
  ],
  [Info.response, {}, 'contract_address: missing, expected a string'],
  [SendTx.response, { code: 200 }, 'tx_hash: missing, expected a string'],
  [SendTx.request, { tx_type: '12' }, 'tx_info: missing, expected a string'],
  [TransferHistory.response, { code: 200, cursor: '' }, 'transfers: missing, expected an array'],
  [Tx.response, { hash: 'ab', type: 12, info: '{}' }, 'status: missing, expected a number'],
  [Envelope.failure, { message: 'x' }, 'code: missing, expected a number'],
])('error: %#', (schema, value, problem) => {
  expect(problems(schema, value)).toEqual([problem]);
});

describe('values', () => {
  const asked = { by: 'account_index', value: '100', limit: '1' };
  test.each<readonly [name: string, schema: z.core.$ZodType, good: readonly unknown[], bad: readonly unknown[]]>([
    ['an integer', Envelope.integer, [0, 281474976710654, '281474976710654', '-1'], [1.5, '1.5', '', null, 'x']],
    ['a decimal', Envelope.decimal, ['0', '100.000000', '-1.5'], [1, '', '1.', '.5', '1e3', '0x1']],
    [
      'a nonce',
      NextNonce.response,
      [{ code: 200, nonce: 1 }],
      [
        { code: 200, nonce: 1.5 },
        { code: 200, nonce: 'x' },
      ],
    ],
    ['a fee', TransferFeeInfo.response, [], [{ code: 200 }, { transfer_fee_usdc: 0.5 }]],
    ['an account', Account.query, [{ by: 'index', value: '100' }], [{ by: 'name', value: 'ada' }]],
    ['a slot', ApiKeys.query, [], [{ account_index: 'x' }]],
    [
      'an index under any of its names',
      AccountsByL1Address.response,
      [{ index: 1 }, { account_index: '2' }, { accountIndex: 3 }].map((account) => ({
        code: 200,
        l1_address: wallet,
        sub_accounts: [{ ...account, l1_address: wallet }],
      })),
      [],
    ],
    ['a later status', Tx.response, [{ hash: 'ab', type: 12, info: '{}', status: 9 }], []],
    [
      'transactions',
      AccountTxs.query,
      ['12', '12,13', '[12]', '[12, 13]'].map((types) => ({ ...asked, types })),
      [{ limit: '0' }, { limit: '101' }, { limit: undefined }, { types: 'all' }, { by: 'name' }].map((wish) => ({
        ...asked,
        ...wish,
      })),
    ],
  ])('behavior: %s', (_, schema, good, bad) => {
    expect(good.flatMap((value) => problems(schema, value))).toEqual([]);
    expect(bad.filter((value) => problems(schema, value).length === 0)).toEqual([]);
  });
});
