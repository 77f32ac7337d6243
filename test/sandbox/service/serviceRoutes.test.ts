/** The routes of the service, also those that it has deprecated. */
import { describe, expect, test } from 'vitest';
import * as CurrenciesV2 from '../../../src/core/api/catalog/CurrenciesV2.js';
import * as ForeignApi from '../../../src/core/api/ForeignApi.js';
import * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as RequestsV2 from '../../../src/core/api/RequestsV2.js';
import * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import * as StatusV3 from '../../../src/core/api/StatusV3.js';
import { native } from '../../../src/core/base/Address.js';
import { network } from '../../../src/core/network/sandbox.js';
import type * as QuoteAnswer from '../../../src/sandbox/quote/QuoteAnswer.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { key, useService } from '../../support/customer.js';
import * as published from '../../support/published.js';
import * as Shape from '../../support/shape.js';

const service = useService();
const { asked: get, posted: post } = service;

const [alpha, beta] = network.chains as [(typeof network.chains)[number], (typeof network.chains)[number]];

function tokenOf(chain: (typeof network.chains)[number], symbol: string): string {
  return chain.tokens.find((token) => token.symbol === symbol)?.address ?? '';
}

const usdc = { alpha: tokenOf(alpha, 'USDC'), beta: tokenOf(beta, 'USDC') };

const bridge = {
  user: accounts.dev0.address,
  originChainId: alpha.id,
  destinationChainId: beta.id,
  originCurrency: usdc.alpha,
  destinationCurrency: usdc.beta,
  tradeType: 'EXACT_INPUT',
  amount: '1000000',
};

const records = (path: string, headers: Record<string, string> = key) => get(path, headers);

async function ids(path: string): Promise<string[]> {
  const [, body] = await records(path);
  return (body as RequestsV3.Response).requests.map((request) => request.id);
}

describe('GET /requests/v3', () => {
  test('default: responses match the schema, with filters and pagination', async () => {
    const quotes = [];
    for (const account of ['dev1', 'dev2', 'dev1'] as const) {
      quotes.push(await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '1000000', account }));
    }
    const [first, second, third] = quotes.map((quote) => quote.requestId);
    const [status, body] = await records('/requests/v3?limit=2&includeTotal=true');
    expect(status).toBe(200);
    const { total } = body as { total?: number };
    const page = RequestsV3.response.parse(body);
    expect([page.odd, page.requests.map((request) => request.id), total]).toEqual([[], [third, second], 3]);
    const [, rest] = await records(`/requests/v3?limit=2&continuation=${page.continuation}`);
    expect(rest).toMatchObject({ requests: [{ id: first }] });
    expect(rest).not.toHaveProperty('continuation');
    expect(rest).not.toHaveProperty('total');
    expect(await ids(`/requests/v3?user=${accounts.dev1.address}`)).toEqual([third, first]);
    expect(await ids(`/requests/v3?id=${second}`)).toEqual([second]);
  });

  test("behavior: the key's name is included on request", async () => {
    await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '1000000', headers: key });
    const [, body] = await records('/requests/v3?limit=1&includeAuthenticatedData=true&apiKey=sandbox-key');
    expect(body).toMatchObject({ requests: [{ data: { apiKeyName: 'sandbox' } }] });
  });

  test('error: missing and wrong key', async () => {
    expect(await records('/requests/v3', {})).toEqual([
      400,
      {
        statusCode: 400,
        code: 'FST_ERR_VALIDATION',
        error: 'Bad Request',
        message: "headers must have required property 'x-api-key'",
      },
    ]);
    expect(await records('/requests/v3', { 'x-api-key': 'mine' })).toEqual([
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
    expect(await records(`/requests/v3?${query}`)).toMatchObject([
      status,
      { message: expect.stringContaining(message) },
    ]);
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
    expect((await records('/requests/v2?limit=x', {}))[0]).toBe(400);
  });
});

function invalid(message: string): [number, unknown] {
  return [400, { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message }];
}

describe('POST /quote/v2', () => {
  test('default: a response that matches the schema, and a waiting request', async () => {
    const [status, body] = await post('/quote/v2', bridge);
    expect(status).toBe(200);
    const quote = body as QuoteAnswer.Response;
    expect(QuoteV2.response.parse(body)).toEqual(quote);
    const { requestId } = quote;
    expect(quote.steps.map((step) => [step.id, step.requestId])).toEqual([
      ['approve', requestId],
      ['deposit', requestId],
    ]);
    expect(await service.status(requestId)).toEqual({ status: 'waiting', quoteCreatedAt: expect.any(Number) });
  });

  test('error: a route that was priced names the request and the block', async () => {
    const [, body] = await post('/quote/v2', { ...bridge, amount: '1' });
    expect(body).toEqual({
      message: expect.any(String),
      errorCode: 'AMOUNT_TOO_LOW',
      requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      approxSimulatedBlock: expect.any(Number),
    });
  });

  test('behavior: an empty referrer counts as none', async () => {
    const [status, body] = await post('/quote/v2', { ...bridge, referrer: '' });
    expect(status).toBe(200);
    const { requestId } = body as QuoteAnswer.Response;
    expect((await service.record(requestId)).data?.referrer).toBe(null);
  });
});

published.describePublished('the published refusals', () => {
  test.each([
    [{ amount: '1' }, 'live/error-quote-1.json'],
    [{ referrer: 'somebody' }, 'live/error-quote-2.json'],
  ])('behavior: %j has the fields of %s, and no other', async (change, file) => {
    const [, body] = await post('/quote/v2', { ...bridge, ...change });
    const ours = Shape.from(body);
    const live = Shape.from(published.read(file));
    expect([...Shape.differences(ours, live), ...Shape.differences(live, ours)]).toEqual([]);
  });
});

describe('GET /intents/status/v3', () => {
  test('behavior: an unknown id has a status, not an error', async () => {
    const [status, body] = await get(`/intents/status/v3?requestId=0x${'00'.repeat(32)}`);
    expect([status, StatusV3.response.parse(body).status]).toEqual([200, 'unknown']);
  });

  test('error: without an id', async () => {
    expect(await get('/intents/status/v3')).toEqual(invalid("querystring must have required property 'requestId'"));
  });
});

describe('POST /currencies/v2', () => {
  const symbols = (body: unknown) =>
    CurrenciesV2.response.parse(body).map((found) => `${found.chainId}/${found.symbol}`);

  test.each([
    [{ term: 'usd', chainIds: [alpha.id] }, [`${alpha.id}/USDC`, `${alpha.id}/USDT`]],
    [{ address: usdc.beta.toLowerCase() }, [`${beta.id}/USDC`]],
    [{ tokens: [`${alpha.id}:${usdc.alpha}`] }, [`${alpha.id}/USDC`]],
    [{ currencyId: 'eth', limit: 1 }, [`${alpha.id}/ETH`]],
    [{ verified: false }, []],
    [{ depositAddressOnly: true, term: 'usd' }, [`${alpha.id}/USDC`, `${beta.id}/USDC`]],
  ])('behavior: %j', async (request, found) => {
    expect(symbols((await post('/currencies/v2', request))[1])).toEqual(found);
  });

  test('behavior: for each that a deposit address takes, there is one, whatever is bought', async () => {
    const [, body] = await post('/currencies/v2', { depositAddressOnly: true });
    const found = CurrenciesV2.response.parse(body);
    expect(found.map(({ chainId, symbol }) => `${chainId}/${symbol}`)).toEqual(
      [alpha, beta].flatMap(({ id }) => [`${id}/ETH`, `${id}/USDC`]),
    );
    for (const { chainId, symbol } of found) {
      const [from, to] = chainId === alpha.id ? ['alpha', 'beta'] : ['beta', 'alpha'];
      const address = { useDepositAddress: true, strict: true };
      const amount = symbol === 'ETH' ? `${10n ** 16n}` : '20000000';
      for (const bought of ['ETH', 'USDC', 'GULL']) {
        const quote = await service.quote({ from: `${from}/${symbol}`, to: `${to}/${bought}`, amount, ...address });
        expect(quote.steps[0]?.depositAddress).toMatch(/^0x/);
      }
    }
  });
});

describe('GET /currencies/token/price', () => {
  test('default', async () => {
    expect(await get(`/currencies/token/price?chainId=${alpha.id}&address=${usdc.alpha}`)).toEqual([200, { price: 1 }]);
  });

  test('error: unknown token', async () => {
    expect((await get(`/currencies/token/price?chainId=1&address=${usdc.alpha}`))[0]).toBe(400);
  });
});

describe('POST /transactions/index', () => {
  const txHash = `0x${'12'.repeat(32)}`;

  test('behavior: concurrent requests for one deposit respond once it is recorded', async () => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '1000000' });
    const hash = await service.pay(quote);
    const { requestId } = quote;
    const look = async () => {
      const answer = await post('/transactions/index', { chainId: String(alpha.id), txHash: hash, requestId });
      expect(answer).toEqual([200, { message: 'Transaction indexed' }]);
      return (await service.status(requestId)).inTxHashes;
    };
    expect(await Promise.all([look(), look(), look()])).toEqual([[hash], [hash], [hash]]);
    expect((await service.end(requestId)).status).toBe('success');
  });

  test.each([
    ['no hash', { chainId: '313371' }, 400, "body must have required property 'txHash'"],
    ['a malformed hash', { chainId: '313371', txHash: '0x12' }, 400, 'Invalid transaction hash'],
    ['an unknown chain', { chainId: '1', txHash }, 400, 'Chain 1 is not supported'],
    ['an unknown transaction', { chainId: '313371', txHash }, 404, 'Transaction not found'],
    ['an unknown request', { chainId: '313371', txHash, requestId: '0x01' }, 404, 'Request not found'],
  ])('error: %s', async (_, body, status, message) => {
    expect(await post('/transactions/index', body)).toMatchObject([status, { message }]);
  });
});

describe('POST /transactions/single', () => {
  test.each([
    ['not JSON', 'x', 'tx must be a transaction as JSON'],
    ['no hash', '{"to":"0x"}', 'tx must have a txHash'],
    ['not an object', '1', 'tx must have a txHash'],
  ])('error: a transaction with %s', async (_, tx, message) => {
    const body = { requestId: '0x01', chainId: '313371', tx };
    expect(await post('/transactions/single', body)).toEqual([400, { message }]);
  });
});

describe('any other path', () => {
  test('error: 404 with the path', async () => {
    expect(await post('/quote/v9', {})).toEqual([
      404,
      { statusCode: 404, error: 'Not Found', message: 'Route POST:/quote/v9 not found' },
    ]);
    expect((await get('/quote/v2'))[0]).toBe(404);
    expect(await get('/lives')).toEqual([200, { status: 'ok' }]);
  });
});

const statusV2 = async (requestId: string) => (await get(`/intents/status/v2?requestId=${requestId}`))[1];

describe('POST /quote', () => {
  test('default: the answer of v2, and a transfer that can be paid', async () => {
    const [status, body] = await post('/quote', bridge);
    expect(status).toBe(200);
    const quote = body as QuoteAnswer.Response;
    const [, second] = await post('/quote/v2', bridge);
    expect((second as QuoteAnswer.Response).details).toEqual(quote.details);
    await service.pay(quote);
    expect(quote).not.toHaveProperty('requestId');
    expect(await service.end(QuoteV2.requestIdOf(quote) ?? '')).toMatchObject({ status: 'success' });
  });
});

describe('POST /price', () => {
  test('default: what a quote of the same moment says', async () => {
    const [status, body] = await post('/price', bridge);
    expect(status).toBe(200);
    const price = body as Pick<QuoteAnswer.Response, 'details' | 'fees'>;
    const quote = (await post('/quote/v2', bridge))[1] as QuoteAnswer.Response;
    expect(quote.details).toMatchObject(price.details);
    expect(quote.fees).toEqual(price.fees);
  });

  test('behavior: nothing is stored, and the price is asked for again without an effect', async () => {
    const before = await get('/requests/v2');
    expect((await post('/price', bridge))[1]).toEqual((await post('/price', bridge))[1]);
    expect(await get('/requests/v2')).toEqual(before);
  });

  test('error: a refusal has a message and a code', async () => {
    expect(await post('/price', { ...bridge, amount: '1' })).toEqual([
      400,
      { message: expect.any(String), errorCode: 'AMOUNT_TOO_LOW' },
    ]);
    expect(await post('/price', { ...bridge, referrer: 'somebody' })).toMatchObject([401, {}]);
    expect(await post('/price', { ...bridge, amount: undefined })).toMatchObject([400, { code: 'FST_ERR_VALIDATION' }]);
  });
});

describe('GET /intents/status/v2', () => {
  test('default: from the quote to the delivery', async () => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '1000000' });
    expect(await statusV2(quote.requestId)).toEqual({ status: 'waiting', quoteCreatedAt: expect.any(Number) });
    const hash = await service.pay(quote);
    const end = await service.end(quote.requestId);
    const { txHashes, updatedAt, quoteCreatedAt } = end as typeof end & { quoteCreatedAt: number };
    const status = await statusV2(quote.requestId);
    expect(ForeignApi.statusV2.response.parse(status)).toEqual(status);
    expect(status).toEqual({
      status: 'success',
      inTxHashes: [hash],
      txHashes,
      time: updatedAt,
      originChainId: alpha.id,
      destinationChainId: beta.id,
      quoteCreatedAt,
    });
  });

  test('behavior: an unknown id has a status, not an error', async () => {
    expect(await statusV2('0x12')).toEqual({ status: 'unknown' });
  });
});

const venue = network.chains.find(({ vm }) => vm === 'lvm');
const user = accounts.dev2.address;

const ask = (query: Record<string, string>) => get(`/config/v2?${new URLSearchParams(query)}`);

async function config(query: Record<string, string> = {}): Promise<ForeignApi.ConfigV2> {
  const [status, body] = await ask({ originChainId: `${alpha.id}`, destinationChainId: `${beta.id}`, ...query });
  expect(status).toBe(200);
  return ForeignApi.configV2.response.parse(body);
}

describe('bridgeConfig', () => {
  test('default: the native currency, with what the solver holds', async () => {
    const balance = `${await service.holds(accounts.solver.address, 'beta/ETH')}`;
    expect(await config()).toEqual({
      enabled: true,
      fee: expect.stringMatching(/^[1-9][0-9]*$/),
      solver: { address: accounts.solver.address, balance, capacityPerRequest: balance },
      supportsExternalLiquidity: false,
    });
  });

  test("behavior: the user's balance, and what a quote of all of it yields", async () => {
    const { user: found, fee } = await config({ currency: 'usdc', user });
    const balance = await service.holds(user, 'alpha/USDC');
    expect(found?.balance).toBe(`${balance}`);
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: `${balance}`, account: 'dev2' });
    expect(found?.maxBridgeAmount).toBe(quote.details.currencyOut.amount);
    expect(BigInt(fee ?? 0)).toBeLessThan(balance);
  });

  test('behavior: gas is kept back of a native currency', async () => {
    const { user: found } = await config({ user });
    const balance = await service.holds(user, 'alpha/ETH');
    const quote = await service.quote({ from: 'alpha/ETH', to: 'beta/ETH', amount: `${balance}`, account: 'dev2' });
    expect(BigInt(found?.maxBridgeAmount ?? 0)).toBeGreaterThan(0n);
    expect(BigInt(found?.maxBridgeAmount ?? 0)).toBeLessThan(BigInt(quote.details.currencyOut.amount));
  });

  test('behavior: an account without funds can bridge nothing', async () => {
    const { user: found } = await config({ currency: 'usdc', user: `0x${'9'.repeat(40)}` });
    expect(found).toEqual({ balance: '0', maxBridgeAmount: '0' });
  });

  test('behavior: one chain, the venue, or a currency that nobody has', async () => {
    expect(await config({ destinationChainId: `${venue?.id}`, currency: 'usdc' })).toMatchObject({ enabled: false });
    expect(await config({ destinationChainId: `${alpha.id}` })).toMatchObject({ enabled: false });
    expect(await config({ currency: 'doge' })).toMatchObject({ enabled: false });
  });

  test('error: an unknown chain, a user that is no account, no chain', async () => {
    const chains = { originChainId: `${alpha.id}`, destinationChainId: `${beta.id}` };
    expect(await ask({ ...chains, originChainId: '1' })).toMatchObject([400, { errorCode: 'UNSUPPORTED_CHAIN' }]);
    expect(await ask({ ...chains, user: 'me' })).toMatchObject([400, { errorCode: 'INVALID_ADDRESS' }]);
    expect(await ask({})).toMatchObject([400, { code: 'FST_ERR_VALIDATION' }]);
  });
});

describe('GET /chains/{chainId}/currencies/{address}', () => {
  test.each([
    ['alpha', native, { symbol: 'ETH', decimals: 18, vmType: 'evm', price: 2500, metadata: { isNative: true } }],
    ['beta', beta.tokens.find(({ symbol }) => symbol === 'USDC')?.address, { symbol: 'USDC', price: 1 }],
    ['lighter', '0', { symbol: 'USDC (Perp)', decimals: 6, vmType: 'lvm', price: 1 }],
  ])('default: on %s, %s', async (name, address, expected) => {
    const chainId = network.chains.find((chain) => chain.name === name)?.id;
    const [status, token] = await get(`/chains/${chainId}/currencies/${address}`);
    expect(ForeignApi.tokenDetails.response.parse(token)).toEqual(token);
    expect([status, token]).toMatchObject([200, { chainId, address: address?.toLowerCase(), ...expected }]);
  });

  test.each([`/chains/1/currencies/0x1`, `/chains/${alpha.id}/currencies/${user}`])('error: %s', async (path) => {
    expect(await get(path)).toEqual([400, { message: 'Unsupported currency' }]);
  });
});
