import { describe, expect, test } from 'vitest';
import { createService } from '../../../src/io/http/serviceClient.js';
import { failure } from '../../support/failures.js';
import * as Loopback from '../../support/loopback.js';
import { request, serviceAt } from '../../support/service.js';

describe('createService', () => {
  test('default', async () => {
    const server = await Loopback.loopback(Loopback.json({ chains: [{ id: 1, name: 'one', brandNew: true }] }));
    const answer = await serviceAt(`${server.url}/`).chains();
    expect(answer.chains[0]).toMatchObject({ id: 1, name: 'one' });
    expect(server.seen).toMatchObject([{ method: 'GET', path: '/chains', body: '' }]);
    expect(server.seen[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('behavior: each method calls its endpoint', async () => {
    const server = await Loopback.loopback(
      Loopback.json({ status: 'waiting' }),
      Loopback.json({ requests: [] }),
      Loopback.json({ requests: [], deprecation: { message: 'on its way out' } }),
      Loopback.json([]),
      Loopback.json({ message: 'ok' }),
      Loopback.json({ message: 'ok' }),
      Loopback.json({}, 400),
    );
    const asked = serviceAt(`${server.url}/under/a/path`);
    expect(await asked.status('0x01&x=y')).toMatchObject({ status: 'waiting' });
    expect(await asked.requests({ id: '0x01', limit: 5, includeTotal: true })).toMatchObject({ requests: [] });
    expect(await asked.requestsV2({ hash: '0x02', chainId: 1 })).toMatchObject({ requests: [] });
    expect(await asked.currencies({ term: 'usdc' })).toEqual([]);
    await asked.indexTransaction({ chainId: '1', txHash: '0x02' });
    await asked.indexSingle({ chainId: '1', requestId: '0x01', tx: '{}' });
    await failure(asked.quote(request));
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /under/a/path/intents/status/v3?requestId=0x01%26x%3Dy',
      'GET /under/a/path/requests/v3?limit=5&includeTotal=true&id=0x01',
      'GET /under/a/path/requests/v2?hash=0x02&chainId=1',
      'POST /under/a/path/currencies/v2',
      'POST /under/a/path/transactions/index',
      'POST /under/a/path/transactions/single',
      'POST /under/a/path/quote/v2',
    ]);
    expect(JSON.parse(server.seen[6]?.body ?? '')).toEqual(request);
    expect(server.seen[6]?.headers['content-type']).toBe('application/json');
  });

  test('behavior: sends the network’s API key', async () => {
    const server = await Loopback.loopback(Loopback.json({ chains: [] }));
    await serviceAt(server.url, { network: { apiKey: 'key-1' } }).chains();
    expect(server.seen[0]?.headers['x-api-key']).toBe('key-1');
  });

  test('behavior: reads the service’s clock from any response, to the second', async () => {
    const server = await Loopback.loopback(
      Loopback.json({ message: 'no such route' }, 404, { date: 'Wed, 21 Oct 2026 07:28:00 GMT' }),
      Loopback.json({}, 200, { date: 'soon' }),
    );
    const asked = serviceAt(server.url);
    expect(await asked.time()).toBe(Date.UTC(2026, 9, 21, 7, 28));
    expect(await asked.time()).toBeUndefined();
    expect((await failure(serviceAt(Loopback.nobody).time())).code).toBe('service.unreachable');
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

describe('createService retries', () => {
  test('behavior: waits for a short 429', async () => {
    const pauses: number[] = [];
    const server = await Loopback.loopback(
      Loopback.json({ message: 'Too many requests' }, 429, { 'retry-after': '2' }),
      Loopback.json({ chains: [] }),
    );
    await serviceAt(server.url, { pauses }).chains();
    expect(pauses).toEqual([2_000]);
  });

  test('error: a minute in total for all attempts', async () => {
    const times = { nowMs: 0 };
    const bounds: (number | undefined)[] = [];
    const slow = createService({
      // Each response takes half a minute by the clock.
      fetch: async (_, init) => {
        bounds.push(init?.withinMs);
        times.nowMs += 29_900;
        return new Response('busy', { status: 503 });
      },
      network: { name: 'testnet', baseUrl: 'http://far.example', realMoney: false, chains: [] },
      clock: {
        now: () => times.nowMs,
        sleep: async (ms) => {
          times.nowMs += ms;
        },
      },
      random: () => 1,
    });
    expect(await failure(slow.chains())).toMatchObject({ code: 'service.unavailable' });
    expect([bounds, times.nowMs]).toEqual([[60_000, 29_850], 60_050]);
  });

  test('error: 500 is not retried', async () => {
    const server = await Loopback.loopback(
      Loopback.json({ message: 'Unexpected', errorCode: 'UNKNOWN_ERROR', requestId: '0xcd' }, 500),
    );
    const error = await failure(serviceAt(server.url).quote(request));
    expect(error).toMatchObject({ code: 'service.unavailable', requestId: '0xcd', retryable: true });
    expect(server.seen).toHaveLength(1);
  });

  test.each([502, 503, 504])('error: %i is tried three times', async (status) => {
    const pauses: number[] = [];
    const server = await Loopback.loopback(Loopback.html(status));
    const error = await failure(serviceAt(server.url, { pauses }).quote(request));
    expect(error).toMatchObject({ code: 'service.unavailable', httpStatus: status });
    expect(server.seen).toHaveLength(3);
    expect(pauses).toEqual([250, 500]);
  });

  test('error: only reads and quotes are ever retried', async () => {
    const server = await Loopback.loopback(Loopback.json({ message: 'busy' }, 503));
    const asked = serviceAt(server.url);
    await failure(asked.indexTransaction({ chainId: '1', txHash: '0x02' }));
    await failure(asked.indexSingle({ chainId: '1', requestId: '0x01', tx: '{}' }));
    await failure(asked.execute({ executionKind: 'rawCalls' } as never));
    expect(server.seen).toHaveLength(3);
  });
});
