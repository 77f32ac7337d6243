import { describe, expect, test } from 'vitest';
import * as RequestsV2 from '../../../src/core/api/RequestsV2.js';
import * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { key, useService } from '../../support/customer.js';

const service = useService();

async function get(path: string, headers: Record<string, string> = key): Promise<[status: number, body: unknown]> {
  const answer = await service.get(path, headers);
  return [answer.status, await answer.json()];
}

async function ids(path: string): Promise<string[]> {
  const [, body] = await get(path);
  return (body as RequestsV3.Response).requests.map((request) => request.id);
}

describe('GET /requests/v3', () => {
  test('default: responses match the schema, with filters and pagination', async () => {
    const quotes = [];
    for (const account of ['dev1', 'dev2', 'dev1'] as const) {
      quotes.push(await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '1000000', account }));
    }
    const [first, second, third] = quotes.map((quote) => quote.requestId);
    const [status, body] = await get('/requests/v3?limit=2&includeTotal=true');
    expect(status).toBe(200);
    const page = RequestsV3.response.parse(body);
    expect([page.requests.map((request) => request.id), page.total]).toEqual([[third, second], 3]);
    const [, rest] = await get(`/requests/v3?limit=2&continuation=${page.continuation}`);
    expect(rest).toMatchObject({ requests: [{ id: first }] });
    expect(rest).not.toHaveProperty('continuation');
    expect(rest).not.toHaveProperty('total');
    expect(await ids(`/requests/v3?user=${accounts.dev1.address}`)).toEqual([third, first]);
    expect(await ids(`/requests/v3?id=${second}`)).toEqual([second]);
  });

  test("behavior: the key's name is included on request", async () => {
    await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '1000000', headers: key });
    const [, body] = await get('/requests/v3?limit=1&includeAuthenticatedData=true&apiKey=sandbox-key');
    expect(body).toMatchObject({ requests: [{ data: { apiKeyName: 'sandbox' } }] });
  });

  test('error: missing and wrong key', async () => {
    expect(await get('/requests/v3', {})).toEqual([
      400,
      {
        statusCode: 400,
        code: 'FST_ERR_VALIDATION',
        error: 'Bad Request',
        message: "headers must have required property 'x-api-key'",
      },
    ]);
    expect(await get('/requests/v3', { 'x-api-key': 'mine' })).toEqual([
      401,
      { message: 'Unauthorized: Check API Key' },
    ]);
  });

  test.each([
    ['limit=51', 400, 'querystring/limit must be <= 50'],
    ['limit=0', 400, 'querystring/limit must be >= 1'],
    ['status=lost', 400, 'querystring/status must be equal to one of the allowed values'],
    ['referrer=', 400, 'querystring/referrer must NOT have fewer than 1 characters'],
    ['referrer=shop', 400, 'referrer must be used along with apiKey'],
    ['apiKey=foreign', 403, 'apiKey must be one of your own'],
    ['continuation=zzz', 400, 'Invalid continuation'],
    ['filters=x', 400, 'filters must be valid JSON'],
  ])('error: %s', async (query, status, message) => {
    expect(await get(`/requests/v3?${query}`)).toMatchObject([status, { message: expect.stringContaining(message) }]);
  });
});

describe('GET /requests/v2', () => {
  test('default: without a key, by a transaction on either side, with deprecation notices', async () => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '1000000' });
    const hash = await service.pay(quote);
    const { txHashes } = await service.end(quote.requestId);
    for (const known of [hash, txHashes?.[0]]) {
      const answer = await service.get(`/requests/v2?hash=${known}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('deprecation')).toBe('@1784678400');
      expect(answer.headers.get('sunset')).toBe('Tue, 24 Nov 2026 00:00:00 GMT');
      expect(answer.headers.get('link')?.split(', ')).toHaveLength(3);
      const { requests, deprecation } = RequestsV2.response.parse(await answer.json());
      expect(requests.map((request) => request.id)).toEqual([quote.requestId]);
      expect(deprecation).toMatchObject({ successor: '/requests/v3', sunsetAt: '2026-11-24T00:00:00Z' });
    }
  });

  test('error: an invalid query', async () => {
    expect((await get('/requests/v2?limit=x', {}))[0]).toBe(400);
  });
});
