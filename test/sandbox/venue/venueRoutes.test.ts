import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type * as VenueApi from '../../../src/core/api/VenueApi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { listen } from '../../support/served.js';
import * as AuthToken from '../../support/venueCrypto/AuthToken.js';
import * as TxInfo from '../../support/venueCrypto/TxInfo.js';
import { type Customer, open, signed, signer, tokenOf } from '../../support/venueCustomer.js';

/** A JSON type, a model, or a list of a model: `integer`, `PublicPoolInfo`, `Asset[]`. */
type FieldType = string;

type Facts = {
  models: Readonly<Record<string, Readonly<Record<string, FieldType>>>>;
  endpoints: Readonly<Record<string, Endpoint>>;
};

type Endpoint = { model: string; required: readonly string[]; optional: readonly string[]; consumes?: string };

const facts = JSON.parse(readFileSync(new URL('../../recorded/venue-fields.json', import.meta.url), 'utf8')) as Facts;

/** One line for each required field of a model that a value lacks or has with another type; empty if there are none. */
function lacking(model: string, value: unknown, path = model): string[] {
  const fields = facts.models[model];
  if (!fields) throw new Error(`There is no model ${model}.`);
  if (!isOf('object', value)) return [`${path}: not an object`];
  return Object.entries(fields).flatMap(([name, type]) => {
    const at = `${path}.${name}`;
    const found = (value as Record<string, unknown>)[name];
    if (found === undefined) return [`${at}: missing`];
    const items = type.endsWith('[]') ? type.slice(0, -2) : undefined;
    if (items !== undefined && Array.isArray(found)) return found.flatMap((each) => lacking(items, each, `${at}[]`));
    if (facts.models[type]) return lacking(type, found, at);
    return isOf(type, found) ? [] : [`${at}: not of type ${type}`];
  });
}

/** The models that a model leads to, itself first. */
function modelsOf(model: string): string[] {
  const parts = Object.values(facts.models[model] ?? {}).map((type) => type.replace('[]', ''));
  return [model, ...parts.filter((part) => facts.models[part]).flatMap(modelsOf)];
}

function isOf(type: FieldType, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

const dev0 = accounts.dev0.address;

describe('GET /api/v1/accountsByL1Address', () => {
  test.each([dev0, dev0.toLowerCase(), dev0.toUpperCase().replace('0X', '0x')])('default: %s', async (address) => {
    const { status, body } = await open().get(`/api/v1/accountsByL1Address?l1_address=${address}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      code: 200,
      l1_address: address,
      sub_accounts: [{ index: 100, l1_address: dev0, account_type: 0, status: 1, collateral: '10000.000000' }],
    });
  });
});

describe('GET /', () => {
  test('default: that it is there, and the time', async () => {
    const { body } = await open().get('/');
    expect(body).toEqual({ status: 200, network_id: 1, timestamp: expect.any(Number) });
  });
});

describe('GET /api/v1/account', () => {
  test('behavior: by wallet; accounts never credited are inactive', async () => {
    const { body } = await open().get(`/api/v1/account?by=l1_address&value=${accounts.dev6.address.toLowerCase()}`);
    expect(body).toMatchObject({ total: 1, accounts: [{ index: 106, status: 0, collateral: '0.000000' }] });
  });
});

describe('GET /api/v1/apikeys', () => {
  test('default: all keys of an account, or one', async () => {
    const customer = open();
    const all = await customer.get('/api/v1/apikeys?account_index=100&api_key_index=255');
    const one = await customer.get('/api/v1/apikeys?account_index=100&api_key_index=4');
    const unnamed = await customer.get('/api/v1/apikeys?account_index=100');
    expect(all.body).toMatchObject({ api_keys: [{ account_index: 100, api_key_index: 4, nonce: 0 }] });
    expect([one.body, unnamed.body]).toEqual([all.body, all.body]);
  });
});

describe('GET /api/v1/transferFeeInfo', () => {
  const deadline = Math.floor(Date.now() / 1000) + 600;
  const claim = { deadline, accountIndex: 100, apiKeyIndex: 4 };
  const token = AuthToken.sign(claim, signer('dev0').secret);
  const path = '/api/v1/transferFeeInfo?account_index=100';

  test('default: by a token in the header or in the query; with the activation fee, and to nobody in particular', async () => {
    const customer = open();
    const fee = async (query: string, headers = {}) => (await customer.get(`${path}${query}`, headers)).body;
    const expected = { code: 200, transfer_fee_usdc: 3_000_000 };
    expect(await fee('&to_account_index=7', { authorization: token })).toEqual(expected);
    expect(await fee(`&to_account_index=7&auth=${token}`)).toEqual(expected);
    expect(await fee(`&authorization=${token}`)).toEqual(expected);
    expect(await fee(`&to_account_index=-1&authorization=${token}`)).toEqual(expected);
    expect(await fee(`&to_account_index=106&auth=${token}`)).toEqual({ code: 200, transfer_fee_usdc: 4_000_000 });
  });

  test.each([
    ['no token', ''],
    ['a bearer token', `Bearer ${token}`],
    ['a token of another account', AuthToken.sign({ ...claim, accountIndex: 101 }, signer('dev1').secret)],
    ["a token with another's signature", AuthToken.sign(claim, signer('dev1').secret)],
    ['a token of an unregistered key', AuthToken.sign({ ...claim, apiKeyIndex: 5 }, signer('dev0').secret)],
    ['a deadline later than signed', token.replace(String(deadline), String(deadline + 1))],
    ['a deadline in the past', AuthToken.sign({ ...claim, deadline: 1_000 }, signer('dev0').secret)],
    ['a deadline too far ahead', AuthToken.sign({ ...claim, deadline: deadline + 9 * 3600 }, signer('dev0').secret)],
  ])('error: %s', async (_, authorization) => {
    const { status, body } = await open().get(`${path}&to_account_index=7`, { authorization });
    expect([status, body.code]).toEqual([401, 20013]);
  });
});

describe('POST /api/v1/sendTx', () => {
  test('default: what was sent is found with its outcome, a failed transfer with its reason', async () => {
    const customer = open();
    await customer.fault({ kind: 'sequencer', does: 'fail', failReason: 'AppErrRiskCheck' });
    for (const outcome of [
      { status: 0, event_info: '{"ae":"AppErrRiskCheck"}' },
      { status: 2, event_info: '{}' },
    ]) {
      const text = TxInfo.toJson(await signed({ Nonce: BigInt(await customer.nonce(100)) }));
      const { body } = await customer.send(text);
      await customer.end(body.tx_hash ?? '');
      const found = await customer.get(`/api/v1/tx?by=hash&value=${body.tx_hash}`);
      expect(found.body).toMatchObject({ ...outcome, type: 12, info: text, account_index: 100 });
    }
  });
});

describe('the required fields', () => {
  /** Every parameter of each endpoint. */
  const parameters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '/api/v1/account': { by: 'index', value: '100' },
    '/api/v1/accountsByL1Address': { l1_address: accounts.dev1.address },
    '/api/v1/apikeys': { account_index: '100', api_key_index: '4' },
    '/api/v1/nextNonce': { account_index: '100', api_key_index: '4' },
    '/api/v1/assetDetails': { asset_id: '3' },
    '/api/v1/transferFeeInfo': { account_index: '100', to_account_index: '-1' },
    '/api/v1/tx': { by: 'sequence_index', value: '1' },
    '/api/v1/accountTxs': { by: 'account_index', value: '100', limit: '10', index: '0', types: '12' },
    '/api/v1/transfer/history': { account_index: '100', cursor: '', type: 'all' },
    '/info': {},
  };
  const reads = Object.entries(facts.endpoints).filter(([path]) => path !== '/api/v1/sendTx');
  const token = tokenOf('dev0', 100);

  /** A customer whose first transfer was executed and is final. */
  async function served(): Promise<Customer> {
    const customer = open();
    await customer.end(await customer.pay());
    customer.travel(500);
    return customer;
  }

  function pathOf(path: string, names: readonly string[]): string {
    const values: Readonly<Record<string, string>> = { ...parameters[path], auth: token, authorization: token };
    return `${path}?${new URLSearchParams(names.map((name): [string, string] => [name, values[name] ?? '']))}`;
  }

  test('default: the facts cover the endpoints here, and every model in them', () => {
    expect(reads.map(([path]) => path).sort()).toEqual(Object.keys(parameters).sort());
    const reached = Object.values(facts.endpoints).flatMap(({ model }) => modelsOf(model));
    expect(new Set([...reached, 'ResultCode'])).toEqual(new Set(Object.keys(facts.models)));
  });

  test.each(reads)('default: %s, with the required parameters alone and with all', async (path, facts) => {
    const customer = await served();
    const authorization = token;
    for (const names of [facts.required, [...facts.required, ...facts.optional]]) {
      const { status, body } = await customer.get(pathOf(path, names), { authorization });
      expect([status, lacking(facts.model, body)]).toEqual([200, []]);
      // A list without elements would hold nothing to its model.
      for (const list of Object.values(body).filter(Array.isArray)) expect(list.length).toBeGreaterThan(0);
    }
  });

  test.each(reads.flatMap(([path, { required }]) => required.map((name) => [path, name, required] as const)))(
    'error: %s without %s',
    async (path, name, required) => {
      const names = required.filter((each) => each !== name);
      const { status, body } = await open().get(pathOf(path, names), { authorization: token });
      expect([status, body.code, lacking('ResultCode', body)]).toEqual([400, 20001, []]);
    },
  );

  test('behavior: of a transaction that is pending, or has failed', async () => {
    const customer = open({ executionMs: 200 });
    await customer.fault({ kind: 'sequencer', does: 'fail' });
    const hash = await customer.pay();
    for (const status of [1, 0]) {
      const found = await customer.get('/api/v1/tx?by=sequence_index&value=1');
      expect(lacking('EnrichedTx', found.body)).toEqual([]);
      expect(found.body).toMatchObject({ status, committed_at: 0, verified_at: 0 });
      await customer.end(hash);
    }
  });
});

describe('GET /api/v1/accountTxs', () => {
  test('default: those that the account has sent, latest first', async () => {
    const customer = open();
    for (const Nonce of [0n, 1n, 2n]) await customer.pay({ Nonce });
    const nonces = async (rest: string): Promise<unknown[]> => {
      const { body } = await customer.get(`/api/v1/accountTxs?by=account_index&${rest}`);
      return (body.txs as { nonce: number }[]).map(({ nonce }) => nonce);
    };
    expect(await nonces('value=100&limit=100')).toEqual([2, 1, 0]);
    expect(await nonces('value=100&limit=2')).toEqual([2, 1]);
    expect(await nonces('value=100&limit=2&index=2')).toEqual([0]);
    expect(await nonces('value=100&limit=9&types=[8,12]')).toEqual([2, 1, 0]);
    expect(await nonces('value=100&limit=9&types=8')).toEqual([]);
    expect(await nonces('value=7&limit=9')).toEqual([]);
  });
});

describe('GET /api/v1/transfer/history', () => {
  const path = '/api/v1/transfer/history';

  test('default: what was executed, as its sender and its receiver see it', async () => {
    const customer = open();
    const tx_hash = await customer.pay({ ToAccountIndex: 106n, USDCFee: 4_000_000n });
    const { executedAtMs: timestamp } = await customer.end(tx_hash);
    const sent = await customer.get(`${path}?account_index=100&auth=${tokenOf('dev0', 100)}`);
    const transfer = {
      id: '1',
      asset_id: 3,
      amount: '5.000000',
      fee: '4.000000',
      timestamp,
      type: 'L2TransferOutflow',
      from_l1_address: dev0,
      to_l1_address: accounts.dev6.address,
      from_account_index: 100,
      to_account_index: 106,
      from_route: 'perps',
      to_route: 'perps',
      tx_hash,
    };
    expect(sent.body).toEqual({ code: 200, transfers: [transfer], cursor: '' });
    const none = await customer.get(`${path}?account_index=100&type=L2MintShares&auth=${tokenOf('dev0', 100)}`);
    expect(none.body).toEqual({ code: 200, transfers: [], cursor: '' });
  });

  test.each([
    ['no token', '?account_index=100', 401, 20013],
    ['a type that there is not', `?account_index=100&type=L3&auth=${tokenOf('dev0', 100)}`, 400, 20001],
    ['a cursor of another kind', `?account_index=100&cursor=next&auth=${tokenOf('dev0', 100)}`, 400, 20001],
  ])('error: %s', async (_, query, status, code) => {
    expect(await open().get(`${path}${query}`)).toMatchObject({ status, body: { code } });
  });
});

describe('refusals', () => {
  test.each([
    ['/api/v1/accountsByL1Address?l1_address=0x12', 20001],
    ['/api/v1/accountsByL1Address', 20001],
    [`/api/v1/accountsByL1Address?l1_address=${accounts.dev5.address}`, 21100],
    ['/api/v1/account?by=index&value=999', 29404],
    ['/api/v1/account?by=name&value=ada', 20001],
    ['/api/v1/account?by=index&value=-1', 20001],
    [`/api/v1/account?by=l1_address&value=${accounts.dev5.address}`, 21100],
    ['/api/v1/apikeys?account_index=999&api_key_index=255', 21100],
    ['/api/v1/apikeys?account_index=100&api_key_index=5', 21109],
    ['/api/v1/apikeys?account_index=100&api_key_index=256', 21110],
    ['/api/v1/nextNonce?account_index=100', 20001],
    ['/api/v1/nextNonce?account_index=999&api_key_index=4', 21100],
    ['/api/v1/nextNonce?account_index=100&api_key_index=9', 21109],
    [`/api/v1/tx?by=hash&value=${'ab'.repeat(40)}`, 21500],
    ['/api/v1/tx?by=sequence_index&value=1', 21500],
    ['/api/v1/tx?by=colour&value=1', 20001],
    ['/api/v1/assetDetails?asset_id=9', 21801],
    ['/api/v1/nothing', 29404],
    ['/nowhere', 29404],
  ])('error: %s', async (path, code) => {
    const { status, body } = await open().get(path);
    expect([status, body]).toEqual([400, { code, message: expect.any(String) }]);
  });
});

describe('the fields of POST /api/v1/sendTx', () => {
  type Ask = (url: string, fields: Record<string, string>) => Promise<Response>;

  const multipart = (fields: Record<string, string>): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return form;
  };
  const ways: readonly (readonly [name: string, type: RegExp | null, ask: Ask])[] = [
    [
      'multipart/form-data, as its OpenAPI declares',
      /^multipart\/form-data; boundary=/,
      (url, fields) => fetch(url, { method: 'POST', body: multipart(fields) }),
    ],
    [
      'URL-encoded',
      /^application\/x-www-form-urlencoded/,
      (url, fields) => fetch(url, { method: 'POST', body: new URLSearchParams(fields) }),
    ],
    ['query parameters', null, (url, fields) => fetch(`${url}?${new URLSearchParams(fields)}`, { method: 'POST' })],
  ];

  async function listening() {
    const customer = open();
    const types: (string | null)[] = [];
    const port = await listen({
      fetch: (request, env) => {
        types.push(request.headers.get('content-type'));
        return customer.venue.fetch(request, env);
      },
    });
    return { customer, types, url: `http://127.0.0.1:${port}/api/v1/sendTx` };
  }

  test.each(ways)('default: %s', async (_, type, ask) => {
    const { customer, types, url } = await listening();
    const tx = await signed();
    const answer = await ask(url, { tx_type: '12', tx_info: TxInfo.toJson(tx) });
    const body = (await answer.json()) as VenueApi.Answer<typeof VenueApi.sendTx>;
    expect([answer.status, lacking('RespSendTx', body)]).toEqual([200, []]);
    expect(types).toEqual([type === null ? null : expect.stringMatching(type)]);
    expect(body.tx_hash).toBe(TxInfo.formatHash(tx));
    expect(await customer.end(TxInfo.formatHash(tx))).toMatchObject({ status: 'executed' });
  });

  test.each(
    ways.flatMap(([name, , ask]) => [
      [name, 'no type', { tx_info: '{}' }, 20001, ask] as const,
      [name, 'no transaction', { tx_type: '12' }, 20001, ask] as const,
      [name, 'another price protection', { tx_type: '12', tx_info: '{}', price_protection: 'x' }, 20001, ask] as const,
      [name, 'another type', { tx_type: '14', tx_info: '{}' }, 21505, ask] as const,
      [name, 'an empty transaction', { tx_type: '12', tx_info: '{}', price_protection: 'false' }, 21501, ask] as const,
    ]),
  )('error: %s, %s', async (_, __, fields, code, ask) => {
    const { url } = await listening();
    const answer = await ask(url, fields);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code }]);
  });

  test('behavior: a form counts for more than the query', async () => {
    const { url } = await listening();
    const fields = { tx_type: '12', tx_info: TxInfo.toJson(await signed()) };
    for (const ask of [ways[0]?.[2], ways[1]?.[2]]) {
      const refused = await ask?.(`${url}?tx_type=12`, { ...fields, tx_type: '14' });
      expect(await refused?.json()).toMatchObject({ code: 21505 });
    }
    const accepted = await ways[0]?.[2](`${url}?tx_type=14`, fields);
    expect(accepted?.status).toBe(200);
  });

  test.each([
    ['a file for a field', () => ({ body: withFile() })],
    ['a form without its boundary', () => ({ body: 'tx_type=12', headers: { 'content-type': 'multipart/form-data' } })],
    ['half a form', () => ({ body: '--b\r\n', headers: { 'content-type': 'multipart/form-data; boundary=b' } })],
    ['plain text', () => ({ body: 'tx_type=12' })],
  ])('error: %s', async (_, sent) => {
    const { url } = await listening();
    const answer = await fetch(url, { method: 'POST', ...sent() });
    expect([answer.status, await answer.json()]).toEqual([400, { code: 20001, message: 'invalid param ' }]);
  });

  function withFile(): FormData {
    const form = multipart({ tx_type: '12' });
    form.append('tx_info', new Blob(['{}']), 'tx.json');
    return form;
  }
});
