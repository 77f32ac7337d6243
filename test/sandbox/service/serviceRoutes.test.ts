import { afterEach, describe, expect, test } from 'vitest';
import * as Chains from '../../../src/core/api/catalog/Chains.js';
import * as CurrenciesV2 from '../../../src/core/api/catalog/CurrenciesV2.js';
import * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as StatusV3 from '../../../src/core/api/StatusV3.js';
import { network } from '../../../src/core/network/sandbox.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { key, useService } from '../../support/customer.js';
import * as published from '../../support/published.js';
import * as Shape from '../../support/shape.js';

const service = useService();

afterEach(() => service.clearFaults());

const [alpha, beta] = network.chains as [(typeof network.chains)[number], (typeof network.chains)[number]];
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

function tokenOf(chain: (typeof network.chains)[number], symbol: string): string {
  return chain.tokens.find((token) => token.symbol === symbol)?.address ?? '';
}

async function post(path: string, body: unknown, headers = {}): Promise<[status: number, body: unknown]> {
  const answer = await service.post(path, body, headers);
  return [answer.status, await answer.json()];
}

async function send(path: string, init: RequestInit): Promise<[status: number, body: unknown]> {
  const answer = await service.sandbox.fetch(new Request(`http://localhost${path}`, init));
  return [answer.status, await answer.json()];
}

function invalid(message: string): [number, unknown] {
  return [400, { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message }];
}

describe('POST /quote/v2', () => {
  test('default: a response that matches the schema, and a waiting request', async () => {
    const [status, body] = await post('/quote/v2', bridge);
    expect(status).toBe(200);
    const quote = QuoteV2.response.parse(body);
    const { requestId = '' } = quote;
    expect(quote.steps.map((step) => [step.id, step.requestId])).toEqual([
      ['approve', requestId],
      ['deposit', requestId],
    ]);
    expect(await service.status(requestId)).toEqual({ status: 'waiting', quoteCreatedAt: expect.any(Number) });
  });

  test('behavior: coerces numbers and strings, and drops unknown fields', async () => {
    const loose = { ...bridge, originChainId: String(alpha.id), amount: 1000000, useReceiver: true };
    expect((await post('/quote/v2', loose))[0]).toBe(200);
  });

  test('error: a body that is not an object', async () => {
    expect(await post('/quote/v2', [])).toEqual(invalid('body must be object'));
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

  test('error: a request that could not be read has neither', async () => {
    const [, body] = await post('/quote/v2', { ...bridge, referrer: 'somebody' });
    expect(body).toEqual({ message: 'Please provide an api key', errorCode: 'UNAUTHORIZED_QUOTE' });
  });

  test('behavior: an empty referrer counts as none', async () => {
    const [status, body] = await post('/quote/v2', { ...bridge, referrer: '' });
    expect(status).toBe(200);
    const { requestId = '' } = QuoteV2.response.parse(body);
    expect((await service.record(requestId)).data?.referrer).toBe(null);
  });

  test('behavior: a referrer with the key', async () => {
    expect((await post('/quote/v2', { ...bridge, referrer: 'sandbox-referrer' }, key))[0]).toBe(200);
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
    const answer = await service.get(`/intents/status/v3?requestId=0x${'00'.repeat(32)}`);
    expect(answer.status).toBe(200);
    const body: unknown = await answer.json();
    expect(StatusV3.response.parse(body).status).toBe('unknown');
  });

  test('error: without an id', async () => {
    expect(await send('/intents/status/v3', {})).toEqual(
      invalid("querystring must have required property 'requestId'"),
    );
  });
});

describe('GET /chains', () => {
  test("default: both chains with the client's contracts, and the venue", async () => {
    const [status, body] = await send('/chains', {});
    expect(status).toBe(200);
    const { chains } = Chains.response.parse(body);
    expect(chains.map((chain) => [chain.id, chain.name, chain.vmType, chain.depositEnabled])).toEqual([
      [alpha.id, 'alpha', 'evm', true],
      [beta.id, 'beta', 'evm', true],
      [3586256, 'lighter', 'lvm', true],
    ]);
    expect(chains[0]?.protocol?.v2).toMatchObject({ chainId: 'alpha', depository: alpha.contracts.depository });
    expect(chains[0]?.contracts?.v3).toEqual({
      erc20Router: alpha.contracts.router,
      approvalProxy: alpha.contracts.approvalProxy,
    });
    expect(chains[0]?.httpRpcUrl).toBe(service.chains.alpha.rpcUrl);
    expect(chains[1]?.erc20Currencies?.map((currency) => currency.symbol)).toEqual([
      'WETH',
      'USDC',
      'USDT',
      'DAI',
      'GULL',
      'KELP',
    ]);
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
    expect(await send(`/currencies/token/price?chainId=${alpha.id}&address=${usdc.alpha}`, {})).toEqual([
      200,
      { price: 1 },
    ]);
  });

  test('error: unknown token', async () => {
    expect((await send(`/currencies/token/price?chainId=1&address=${usdc.alpha}`, {}))[0]).toBe(400);
  });
});

describe('POST /transactions/index', () => {
  const txHash = `0x${'12'.repeat(32)}`;

  test('default: detects the deposit immediately', async () => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '1000000' });
    const hash = await service.pay(quote);
    const { requestId } = quote;
    const answer = await post('/transactions/index', { chainId: String(alpha.id), txHash: hash, requestId });
    expect(answer).toEqual([200, { message: 'Transaction indexed' }]);
    expect((await service.status(requestId)).inTxHashes).toEqual([hash]);
    expect((await service.end(requestId)).status).toBe('success');
  });

  test('behavior: concurrent requests for one deposit respond once it is recorded', async () => {
    const quote = await service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '1000000' });
    const hash = await service.pay(quote);
    const { requestId } = quote;
    const look = async () => {
      await post('/transactions/index', { chainId: String(alpha.id), txHash: hash, requestId });
      return (await service.status(requestId)).inTxHashes;
    };
    expect(await Promise.all([look(), look(), look()])).toEqual([[hash], [hash], [hash]]);
    await service.end(requestId);
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
    expect((await send('/quote/v2', {}))[0]).toBe(404);
  });
});

describe('GET /lives', () => {
  test('default', async () => {
    expect(await send('/lives', {})).toEqual([200, { status: 'ok' }]);
  });
});
