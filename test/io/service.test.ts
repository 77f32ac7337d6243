import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type * as QuoteV2 from '../../src/core/contract/QuoteV2.js';
import { BaseError } from '../../src/core/Errors.js';
import type { Network } from '../../src/core/Network.js';
import type { Service } from '../../src/core/Ports.js';
import { createHttp } from '../../src/io/http.js';
import { createService } from '../../src/io/service.js';
import * as Loopback from '../support/loopback.js';

const request: QuoteV2.Request = {
  user: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  originChainId: 313371,
  destinationChainId: 313372,
  originCurrency: '0x0000000000000000000000000000000000000000',
  destinationCurrency: '0x0000000000000000000000000000000000000000',
  tradeType: 'EXACT_INPUT',
  amount: '100',
};

type Setting = { network?: Partial<Network>; timeoutMs?: number; pauses?: number[] };

/** The service of a network whose base URL is given, over the real client; the pauses it would make are noted. */
function service(baseUrl: string, { network = {}, timeoutMs = 5_000, pauses = [] }: Setting = {}): Service {
  const http = createHttp({ signal: new AbortController().signal, env: {}, userAgent: 'ferry/test', timeoutMs });
  onTestFinished(() => http.close());
  return createService({
    fetch: http.fetch,
    network: { name: 'testnet', baseUrl, realMoney: false, chains: [], ...network },
    clock: {
      now: Date.now,
      sleep: async (ms) => {
        pauses.push(ms);
        await delay(1);
      },
    },
    random: () => 1,
  });
}

async function failure(promise: Promise<unknown>): Promise<BaseError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BaseError)) throw error ?? new Error('It did not fail.');
  return error;
}

function facts(error: BaseError): Record<string, string> {
  return Object.fromEntries(error.facts);
}

describe('createService', () => {
  test('default', async () => {
    const server = await Loopback.loopback(Loopback.json({ chains: [{ id: 1, name: 'one', brandNew: true }] }));
    const answer = await service(`${server.url}/`).chains();
    expect(answer.chains[0]).toMatchObject({ id: 1, name: 'one' });
    expect(server.seen).toMatchObject([{ method: 'GET', path: '/chains', body: '' }]);
    expect(server.seen[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('behavior: each method asks its endpoint', async () => {
    const server = await Loopback.loopback(
      Loopback.json({ status: 'waiting' }),
      Loopback.json({ requests: [] }),
      Loopback.json([]),
      Loopback.json({ message: 'ok' }),
      Loopback.json({ message: 'ok' }),
      Loopback.json({}, 400),
    );
    const asked = service(`${server.url}/under/a/path`);
    expect(await asked.status('0x01&x=y')).toMatchObject({ status: 'waiting' });
    expect(await asked.requests({ id: '0x01', limit: 5, includeTotal: true })).toMatchObject({ requests: [] });
    expect(await asked.currencies({ term: 'usdc' })).toEqual([]);
    await asked.indexTransaction({ chainId: '1', txHash: '0x02' });
    await asked.indexSingle({ chainId: '1', requestId: '0x01', tx: '{}' });
    await failure(asked.quote(request));
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /under/a/path/intents/status/v3?requestId=0x01%26x%3Dy',
      'GET /under/a/path/requests/v3?limit=5&includeTotal=true&id=0x01',
      'POST /under/a/path/currencies/v2',
      'POST /under/a/path/transactions/index',
      'POST /under/a/path/transactions/single',
      'POST /under/a/path/quote/v2',
    ]);
    expect(JSON.parse(server.seen[5]?.body ?? '')).toEqual(request);
    expect(server.seen[5]?.headers['content-type']).toBe('application/json');
  });

  test("behavior: the network's key goes along", async () => {
    const server = await Loopback.loopback(Loopback.json({ chains: [] }));
    await service(server.url, { network: { apiKey: 'key-1' } }).chains();
    expect(server.seen[0]?.headers['x-api-key']).toBe('key-1');
  });

  test('behavior: any fetch will do', async () => {
    const asked: string[] = [];
    const direct = createService({
      fetch: async (url) => {
        asked.push(url);
        return new Response('{"chains":[]}');
      },
      network: { name: 'sandbox', baseUrl: 'http://sandbox', realMoney: false, chains: [] },
      clock: { now: Date.now, sleep: async () => {} },
      random: () => 0,
    });
    expect(await direct.chains()).toEqual({ chains: [] });
    expect(asked).toEqual(['http://sandbox/chains']);
  });

  test('error: a network without a base URL', () => {
    const make = () =>
      createService({
        fetch: async () => new Response(),
        network: { name: 'mine', baseUrl: undefined, realMoney: true, chains: [] },
        clock: { now: Date.now, sleep: async () => {} },
        random: () => 0,
      });
    expect(make).toThrow(expect.objectContaining({ code: 'config.invalid' }));
  });
});

describe('createService when the service refuses', () => {
  test('error: 400 keeps the code, the words and the request id', async () => {
    const server = await Loopback.loopback(
      Loopback.json({ message: 'No routes found', errorCode: 'NO_SWAP_ROUTES_FOUND', requestId: '0xab' }, 400),
    );
    const error = await failure(service(server.url).quote(request));
    expect(error).toMatchObject({
      code: 'service.refused',
      message: 'The service refused to quote.',
      funds: 'untouched',
      exit: 3,
      requestId: '0xab',
      httpStatus: 400,
      next: 'ferry tokens',
    });
    expect(facts(error)).toMatchObject({ code: 'NO_SWAP_ROUTES_FOUND', message: 'No routes found' });
    expect(server.seen).toHaveLength(1);
  });

  test("behavior: the service's text cannot move the cursor", async () => {
    const server = await Loopback.loopback(
      Loopback.json({ message: '\u001b[2Jall is well\u202e', errorCode: 'A\nB' }, 400),
    );
    const error = await failure(service(server.url).quote(request));
    expect(facts(error)).toMatchObject({ message: '\\x1b[2Jall is well\\u{202e}', code: 'A B' });
  });

  test.each([
    ['a referrer without a key', 401, { message: 'Please provide an api key', errorCode: 'UNAUTHORIZED_QUOTE' }],
    ['a key of another', 403, { message: 'Forbidden' }],
    [
      'a missing header',
      400,
      { statusCode: 400, code: 'FST_ERR_VALIDATION', message: "headers must have required property 'x-api-key'" },
    ],
  ])('error: %s is auth.refused', async (_, status, body) => {
    const server = await Loopback.loopback(Loopback.json(body, status));
    const error = await failure(service(server.url).quote(request));
    expect(error).toMatchObject({ code: 'auth.refused', exit: 4, httpStatus: status });
    expect(error.next).toBe('ferry config set networks.testnet.apiKey <key>');
    expect(server.seen).toHaveLength(1);
  });

  test('error: a key that is not accepted is not shown', async () => {
    const server = await Loopback.loopback(Loopback.json({ message: 'Unauthorized' }, 401));
    const error = await failure(service(server.url, { network: { apiKey: 'key-1' } }).quote(request));
    expect(error.message).toContain('does not accept the API key');
    expect(JSON.stringify([error.message, error.facts, error.hint, error.next])).not.toContain('key-1');
  });

  test('error: 429 for a long time is told at once', async () => {
    const server = await Loopback.loopback(
      Loopback.json({ message: 'Too many requests' }, 429, { 'retry-after': '30' }),
    );
    const error = await failure(service(server.url).quote(request));
    expect(error).toMatchObject({ code: 'service.rate-limited', retryable: true, exit: 3 });
    expect(facts(error)).toMatchObject({ 'retry after': '30 s', message: 'Too many requests' });
    expect(error.hint).toContain('Wait 30 seconds');
    expect(server.seen).toHaveLength(1);
  });

  test('behavior: 429 for a short time is waited for', async () => {
    const pauses: number[] = [];
    const server = await Loopback.loopback(
      Loopback.json({ message: 'Too many requests' }, 429, { 'retry-after': '2' }),
      Loopback.json({ chains: [] }),
    );
    await service(server.url, { pauses }).chains();
    expect(pauses).toEqual([2_000]);
  });

  test('error: 500 is not tried again', async () => {
    const server = await Loopback.loopback(
      Loopback.json({ message: 'Unexpected', errorCode: 'UNKNOWN_ERROR', requestId: '0xcd' }, 500),
    );
    const error = await failure(service(server.url).quote(request));
    expect(error).toMatchObject({ code: 'service.unavailable', requestId: '0xcd', retryable: true });
    expect(server.seen).toHaveLength(1);
  });

  test.each([502, 503, 504])('error: %i is tried three times', async (status) => {
    const pauses: number[] = [];
    const server = await Loopback.loopback(Loopback.html(status));
    const error = await failure(service(server.url, { pauses }).quote(request));
    expect(error).toMatchObject({ code: 'service.unavailable', httpStatus: status });
    expect(server.seen).toHaveLength(3);
    expect(pauses).toEqual([250, 500]);
  });

  test('behavior: a fault that passes is not seen', async () => {
    const server = await Loopback.loopback(
      Loopback.json({ message: 'no price', errorCode: 'PRICE_FETCH_FAILED' }, 503),
      Loopback.json({ chains: [] }),
    );
    expect(await service(server.url).chains()).toEqual({ chains: [] });
  });

  test('error: what is not a read or a quote is never tried again', async () => {
    const server = await Loopback.loopback(Loopback.json({ message: 'busy' }, 503));
    const asked = service(server.url);
    await failure(asked.indexTransaction({ chainId: '1', txHash: '0x02' }));
    await failure(asked.indexSingle({ chainId: '1', requestId: '0x01', tx: '{}' }));
    expect(server.seen).toHaveLength(2);
  });

  test('error: an unknown request', async () => {
    const server = await Loopback.loopback(Loopback.json({ message: 'Request not found' }, 404));
    expect(await failure(service(server.url).status('0x01'))).toMatchObject({
      code: 'service.unknown-request',
      funds: 'unknown',
    });
  });

  test('error: a wrong base URL', async () => {
    const body = { message: 'Route GET:/x not found', error: 'Not Found', statusCode: 404 };
    const server = await Loopback.loopback(Loopback.json(body, 404));
    const error = await failure(service(server.url).status('0x01'));
    expect(error).toMatchObject({ code: 'service.refused', next: 'ferry config list' });
    expect(error.hint).toContain('base URL');
  });
});

describe('createService when the answer is not what is promised', () => {
  test.each([
    ['HTML', Loopback.html(), 'JSON', '<!doctype html><html><body>Bad gateway</body></html> (text/html)'],
    ['truncated JSON', Loopback.text('{"chains":[{"id":1,', 'application/json'), 'JSON', '{"chains":[{"id":1,'],
    ['nothing', Loopback.text('', 'application/json'), 'JSON', 'nothing'],
    ['null', Loopback.json(null), 'expected an object', 'null'],
    ['a missing field', Loopback.json({}), 'chains: missing, expected an array', undefined],
    ['another type', Loopback.json({ chains: [{ id: '1', name: 'x' }] }), 'chains[0].id: expected a number', '"1"'],
  ])('error: %s', async (_, behaviour, expected, came) => {
    const server = await Loopback.loopback(behaviour);
    const error = await failure(service(server.url).chains());
    expect(error).toMatchObject({
      code: 'service.malformed',
      message: 'The answer of the testnet service to GET /chains is not what it promises.',
      exit: 3,
      funds: 'untouched',
    });
    expect(facts(error).expected).toBe(expected);
    expect(facts(error).came).toBe(came);
    expect(server.seen).toHaveLength(1);
  });

  test('behavior: only the beginning is shown, escaped', async () => {
    const server = await Loopback.loopback(Loopback.text(`\u001b[31m${'x'.repeat(1_000)}`, 'application/json'));
    const error = await failure(service(server.url).chains());
    expect(facts(error).came).toMatch(/^\\x1b\[31mx{95}…$/);
  });

  test('error: a refusal without the promised words', async () => {
    const server = await Loopback.loopback(Loopback.html(400));
    const error = await failure(service(server.url).quote(request));
    expect(error).toMatchObject({ code: 'service.malformed', httpStatus: 400 });
    expect(facts(error).came).toContain('Bad gateway');
  });

  test('error: an answer that breaks off', async () => {
    const server = await Loopback.loopback(Loopback.cutOff('{"chains":['));
    const error = await failure(service(server.url).chains());
    expect(error).toMatchObject({ code: 'service.malformed', retryable: true });
    expect(facts(error).came).toBe('{"chains":[');
    expect(server.seen).toHaveLength(3);
  });

  test('error: an endless answer', async () => {
    const server = await Loopback.loopback(Loopback.endless);
    expect(await failure(service(server.url).chains())).toMatchObject({ code: 'service.malformed' });
  });
});

describe('createService when nothing answers', () => {
  test('error: nothing listens', async () => {
    const url = await Loopback.nobody();
    const error = await failure(service(`${url}/base?key=secret`).quote(request));
    expect(error).toMatchObject({
      code: 'service.unreachable',
      message: `The testnet service at ${url} does not answer.`,
      exit: 3,
      funds: 'untouched',
      next: 'ferry config list',
    });
    expect(facts(error).why).toBe(`nothing listens at ${url} (ECONNREFUSED)`);
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  test('error: the sandbox is looked for where it lives', async () => {
    const error = await failure(service(await Loopback.nobody(), { network: { name: 'sandbox' } }).chains());
    expect(error.next).toBe('ferry sandbox status');
  });

  test('error: a reset is tried three times', async () => {
    const server = await Loopback.loopback(Loopback.reset);
    expect(await failure(service(server.url).chains())).toMatchObject({ code: 'service.unreachable' });
    expect(server.seen).toHaveLength(3);
  });

  test('error: silence', async () => {
    const server = await Loopback.loopback(Loopback.silence);
    const error = await failure(service(server.url, { timeoutMs: 150 }).quote(request));
    expect(error).toMatchObject({ code: 'service.timeout', exit: 3, retryable: true, funds: 'untouched' });
    expect(server.seen).toHaveLength(1);
  });

  test('error: a redirect, and the key does not travel', async () => {
    const thief = await Loopback.loopback(Loopback.json({ chains: [] }));
    const server = await Loopback.loopback(Loopback.redirect(thief.url, 307));
    const error = await failure(service(server.url, { network: { apiKey: 'key-1' } }).chains());
    expect(error).toMatchObject({ code: 'service.redirected', exit: 3 });
    expect(thief.seen).toEqual([]);
  });

  test('error: a question about a transfer does not say the money is untouched', async () => {
    const error = await failure(service(await Loopback.nobody()).status('0x01'));
    expect(error).toMatchObject({ code: 'service.unreachable', funds: 'unknown' });
  });
});
