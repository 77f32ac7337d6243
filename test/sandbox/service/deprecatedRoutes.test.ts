import { describe, expect, test } from 'vitest';
import * as Price from '../../../src/core/api/foreign/Price.js';
import * as StatusV2 from '../../../src/core/api/foreign/StatusV2.js';
import * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import { network } from '../../../src/core/network/sandbox.js';
import { priceOf } from '../../../src/sandbox/service/deprecatedRoutes.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useService } from '../../support/customer.js';
import { read } from '../../support/recorded.js';

const service = useService();

const [alpha, beta] = network.chains as [(typeof network.chains)[number], (typeof network.chains)[number]];
const usdc = (chain: (typeof network.chains)[number]) => chain.tokens.find(({ symbol }) => symbol === 'USDC')?.address;

const bridge = {
  user: accounts.dev0.address,
  originChainId: alpha.id,
  destinationChainId: beta.id,
  originCurrency: usdc(alpha),
  destinationCurrency: usdc(beta),
  tradeType: 'EXACT_INPUT',
  amount: '1000000',
};

async function post(path: string, body: unknown, headers = {}): Promise<[status: number, body: unknown]> {
  const answer = await service.post(path, body, headers);
  return [answer.status, await answer.json()];
}

async function statusV2(requestId: string): Promise<unknown> {
  return await (await service.get(`/intents/status/v2?requestId=${requestId}`)).json();
}

describe('POST /quote', () => {
  test('default: the answer of v2, and a transfer that can be paid', async () => {
    const [status, body] = await post('/quote', bridge);
    expect(status).toBe(200);
    const quote = QuoteV2.response.parse(body);
    const [, second] = await post('/quote/v2', bridge);
    expect(QuoteV2.response.parse(second).details).toEqual(quote.details);
    await service.pay(quote);
    expect(quote).not.toHaveProperty('requestId');
    expect(await service.end(QuoteV2.requestIdOf(quote) ?? '')).toMatchObject({ status: 'success' });
  });

  test('error: the refusals of v2', async () => {
    expect(await post('/quote', { ...bridge, referrer: 'somebody' })).toMatchObject([
      401,
      { errorCode: 'UNAUTHORIZED_QUOTE' },
    ]);
    expect(await post('/quote', { ...bridge, user: undefined })).toMatchObject([400, { code: 'FST_ERR_VALIDATION' }]);
  });
});

describe('POST /price', () => {
  test('default: what a quote of the same moment says', async () => {
    const [status, body] = await post('/price', bridge);
    expect(status).toBe(200);
    const price = Price.response.parse(body);
    const quote = QuoteV2.response.parse((await post('/quote/v2', bridge))[1]);
    expect(quote.details).toMatchObject(price.details);
    expect(quote.fees).toEqual(price.fees);
  });

  test('behavior: nothing is stored, and the price is asked for again without an effect', async () => {
    const before = await (await service.get('/requests/v2')).json();
    expect((await post('/price', bridge))[1]).toEqual((await post('/price', bridge))[1]);
    expect(await (await service.get('/requests/v2')).json()).toEqual(before);
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
    const { txHashes, updatedAt, quoteCreatedAt } = await service.end(quote.requestId);
    const status = await statusV2(quote.requestId);
    expect(StatusV2.response.parse(status)).toEqual(status);
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

  test('error: no id', async () => {
    const answer = await service.get('/intents/status/v2');
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'FST_ERR_VALIDATION' }]);
  });
});

/** The keys of `details` that the service documents for a price. */
const documented = [
  'currencyIn',
  'currencyOut',
  'operation',
  'rate',
  'recipient',
  'sender',
  'slippageTolerance',
  'swapImpact',
  'timeEstimate',
  'totalImpact',
  'userBalance',
];

test.each(['quote-bridge', 'quote-swap', 'quote-sponsored'])('default: %s', (name) => {
  const quote = read(name) as QuoteV2.Response;
  const price = priceOf(quote);
  expect(Price.response.parse(price)).toEqual(price);
  expect(Object.keys(price)).toEqual(['fees', 'details']);
  expect(Object.keys(price.details).sort()).toEqual(documented);
  expect(price.fees).toEqual(quote.fees);
  expect(quote.details).toMatchObject(price.details);
});
