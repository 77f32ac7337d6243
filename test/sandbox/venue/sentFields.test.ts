import { describe, expect, test } from 'vitest';
import type * as SendTx from '../../../src/core/api/venue/SendTx.js';
import { listen } from '../../support/served.js';
import * as TxInfo from '../../support/venueCrypto/TxInfo.js';
import { open, signed } from '../../support/venueCustomer.js';
import { facts, lacking } from '../../support/venueFields.js';

describe('POST /api/v1/sendTx', () => {
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

  test('default: the OpenAPI declares the first of these', () => {
    expect(facts.endpoints['/api/v1/sendTx']?.consumes).toBe('multipart/form-data');
  });

  test.each(ways)('default: %s', async (_, type, ask) => {
    const { customer, types, url } = await listening();
    const tx = await signed();
    const answer = await ask(url, { tx_type: '12', tx_info: TxInfo.toJson(tx) });
    const body = (await answer.json()) as SendTx.Response;
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
