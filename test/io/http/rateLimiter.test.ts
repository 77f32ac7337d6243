import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as RateLimit from '../../../src/core/network/RateLimit.js';
import { client, intervalMs, start, times } from '../../support/budgeted.js';
import { failure, networkFailure } from '../../support/failures.js';
import * as Loopback from '../../support/loopback.js';
import { request } from '../../support/service.js';

describe('withinBudget', () => {
  test('default: a request beyond the budget waits and reports it once', async () => {
    const server = await Loopback.loopback(Loopback.json({}));
    const { fetch, pauses, said, folder: files } = client(server.url);
    await times(10, fetch, server.url);
    expect([pauses, said]).toEqual([[], []]);
    await times(2, fetch, server.url);
    expect(pauses).toEqual([intervalMs, intervalMs]);
    expect(said).toEqual([`Waiting 2 s for the rate limit of ${server.url}`]);
    expect(server.seen).toHaveLength(12);
    expect(readdirSync(files)).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.json$/)]);
  });

  test('behavior: returns fetch unchanged without limits', async () => {
    const server = await Loopback.loopback(Loopback.json({}));
    const { fetch, plain, stateDir } = client(server.url, { rateLimit: undefined });
    expect(fetch).toBe(plain);
    await fetch(server.url);
    expect(existsSync(stateDir)).toBe(false);
  });

  test('behavior: processes with the same state directory share the budget', async () => {
    const server = await Loopback.loopback(Loopback.json({}));
    const first = client(`${server.url}/base/`);
    const { stateDir } = first;
    const second = client(server.url, { stateDir });
    await times(6, first.fetch, `${server.url}/base`);
    await times(5, second.fetch, server.url);
    expect([first.pauses, second.pauses]).toEqual([[], [intervalMs]]);
  });

  test('behavior: concurrent requests queue up one after another', async () => {
    const server = await Loopback.loopback(Loopback.json({}));
    const { stateDir, ...first } = client(server.url);
    const second = client(server.url, { stateDir });
    await Promise.all([first.fetch(server.url), ...Array.from({ length: 12 }, () => second.fetch(server.url))]);
    expect(server.seen).toHaveLength(13);
    const places = [...first.pauses, ...second.pauses].filter((ms) => ms > 100);
    expect(places.length).toBeGreaterThanOrEqual(3);
  });

  test('behavior: each origin and API key has its own budget, and no key is written', async () => {
    const [server, other] = [await Loopback.loopback(Loopback.json({})), await Loopback.loopback(Loopback.json({}))];
    const { fetch, stateDir, folder: files } = client(server.url, { apiKey: 'hush-hush' });
    await times(10, fetch, server.url);
    for (const [url, apiKey] of [
      [server.url, 'another'] as const,
      [server.url] as const,
      [other.url, 'hush-hush'] as const,
    ]) {
      const next = client(url, { stateDir, ...(apiKey ? { apiKey } : {}) });
      await next.fetch(url);
      expect(next.pauses).toEqual([]);
    }
    expect(readdirSync(files)).toHaveLength(4);
    for (const name of readdirSync(files)) expect(name + readFileSync(join(files, name), 'utf8')).not.toContain('hush');
  });

  test('behavior: recognizes a quote beneath any base URL', async () => {
    const server = await Loopback.loopback(Loopback.json({ chains: [] }));
    const { fetch, pauses } = client(`${server.url}/under/a/path/`, { rateLimit: { quote: 5 } });
    await fetch(`${server.url}/under/a/path/quote/v2`);
    await fetch(`${server.url}/under/a/path/chains`);
    expect(pauses).toEqual([]);
    await fetch(`${server.url}/under/a/path/quote/v2`);
    expect(pauses).toEqual([12_400]);
  });

  test('error: a request that would wait too long is not sent, and nothing is signed', async () => {
    const server = await Loopback.loopback(Loopback.json({ status: 'waiting' }));
    const { service, said } = client(server.url, { rateLimit: { all: 1 } });
    await service.status('0x01');
    const error = await failure(service.quote(request));
    expect(error).toMatchObject({
      code: 'service.rate-limited',
      message:
        'No request was sent to the testnet service: its rate limit of 1 requests in total a minute leaves no room for another 62 s.',
      exit: 3,
      funds: 'untouched',
      retryable: true,
    });
    expect(error.hint).toContain('networks.testnet.rateLimit');
    expect(RateLimit.isUnsent(error)).toBe(true);
    expect(await failure(service.status('0x01'))).toMatchObject({ funds: 'unknown' });
    expect(await failure(service.execute({ executionKind: 'rawCalls' } as never))).toMatchObject({
      funds: 'untouched',
    });
    expect([server.seen.length, said]).toEqual([1, []]);
  });

  test('behavior: a request that moves money waits too, and is sent once', async () => {
    const requestId = `0x${'01'.repeat(32)}`;
    const server = await Loopback.loopback(Loopback.json({ message: 'Transaction submitted', requestId }));
    const { service, pauses } = client(server.url, { rateLimit: { all: 5 } });
    const body = { executionKind: 'rawCalls' } as never;
    await service.execute(body);
    expect(await service.execute(body)).toMatchObject({ requestId });
    expect([pauses, server.seen.length]).toEqual([[12_400], 2]);
  });

  test('behavior: a wait counts towards the overall time limit', async () => {
    const server = await Loopback.loopback(Loopback.silence);
    const { fetch, clock } = client(server.url, { rateLimit: { all: 50 } });
    for (let made = 0; made < 10; made++) await networkFailure(fetch(server.url, { timeoutMs: 1 }));
    expect((await networkFailure(fetch(server.url, { withinMs: 10_000 }))).reason).toBe('rate-limit');
    const late = await networkFailure(fetch(server.url, { timeoutMs: 1, withinMs: 12_000 }));
    expect([late.reason, clock.offsetMs]).toEqual(['timeout', intervalMs]);
  });

  test('error: Ctrl-C ends a wait at once, and the request is not sent', async () => {
    const server = await Loopback.loopback(Loopback.json({}));
    const end = new AbortController();
    const { service, fetch, pauses } = client(server.url, { rateLimit: { all: 5 }, signal: end.signal, real: true });
    await fetch(server.url);
    const pending = failure(service.execute({ executionKind: 'rawCalls' } as never));
    await expect.poll(() => pauses.length).toBe(1);
    end.abort(new Error('Ctrl-C'));
    const error = await pending;
    expect(error).toMatchObject({ code: 'service.rate-limited', funds: 'untouched' });
    expect(RateLimit.isUnsent(error)).toBe(true);
    expect(server.seen).toHaveLength(1);
  });
});

describe('a refusal', () => {
  test.each([
    ['in seconds', '20', 20_000],
    ['as a date that has passed', new Date(start - 20_000).toUTCString(), 0],
    ['that is missing', undefined, 750],
  ])('behavior: a Retry-After %s delays other requests as well', async (_, header, ms) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header };
    const server = await Loopback.loopback(Loopback.json({ message: 'no' }, 429, headers), Loopback.json({}));
    const first = client(server.url);
    const second = client(server.url, { stateDir: first.stateDir });
    expect((await first.fetch(server.url)).status).toBe(429);
    await second.fetch(server.url);
    expect(second.pauses).toEqual(ms === 0 ? [] : [ms]);
  });

  test('behavior: a request already queued waits again', async () => {
    const headers = { 'retry-after': '5' };
    const server = await Loopback.loopback(
      ...Array(10).fill(Loopback.json({})),
      Loopback.json({ message: 'no' }, 429, headers),
      Loopback.json({}),
    );
    const { stateDir, ...first } = client(server.url);
    // Meanwhile another client without limits is refused, as from another machine.
    const stranger = client(server.url, { stateDir, rateLimit: { all: 5000 } });
    const refused: number[] = [];
    const second = client(server.url, {
      stateDir,
      meanwhile: async () => {
        if (refused.length === 0) refused.push((await stranger.fetch(server.url)).status);
      },
    });
    await times(10, first.fetch, server.url);
    await second.fetch(server.url);
    expect([refused, second.pauses]).toEqual([[429], [intervalMs, expect.any(Number)]]);
    expect(second.clock.offsetMs).toBeGreaterThan(5_000);
  });

  describe('with several API keys', () => {
    const three = { apiKey: 'a', apiKeys: ['b', 'c'] };
    const sent = ({ seen }: Loopback.Loopback) => seen.map(({ headers }) => headers['x-api-key']).join('');

    test('default: they take turns, and a request waits only when none has room', async () => {
      const server = await Loopback.loopback(Loopback.json({}));
      const { fetch, pauses, folder: files } = client(server.url, three);
      await times(30, fetch, server.url);
      expect([pauses, sent(server)]).toEqual([[], 'abc'.repeat(10)]);
      await times(3, fetch, server.url);
      expect(pauses).toEqual([intervalMs]);
      expect([...sent(server).slice(30)].toSorted().join('')).toBe('abc');
      expect(readdirSync(files)).toHaveLength(3);
    });

    test('behavior: a key that the service limits is left alone, and the others go on', async () => {
      const server = await Loopback.loopback(Loopback.json({}, 429, { 'retry-after': '30' }), Loopback.json({}));
      const { fetch, pauses } = client(server.url, three);
      await times(7, fetch, server.url);
      expect([pauses, sent(server).split('a')]).toEqual([[], ['', expect.stringMatching(/^[bc]{6}$/)]]);
    });

    test.each([401, 403])(
      'behavior: status %i sets a key aside, and the request goes out with another',
      async (status) => {
        const server = await Loopback.loopback((response, request) =>
          Loopback.json({}, request.headers['x-api-key'] === 'b' ? status : 200)(response, request),
        );
        const { fetch, said, clock } = client(server.url, three);
        const answers = [];
        for (let n = 0; n < 6; n++)
          answers.push((await fetch(`${server.url}/execute`, { method: 'POST', body: '{}' })).status);
        expect(answers).toEqual(Array(6).fill(200));
        expect(said).toEqual([
          'The testnet service refused API key 2 of 3: the others are used. ferry doctor checks each.',
        ]);
        expect(sent(server).split('b')).toHaveLength(2);
        clock.offsetMs += 11 * 60_000;
        await times(3, fetch, server.url);
        expect(sent(server).split('b')).toHaveLength(3);
      },
    );

    test('error: what the service refuses with every key is not the fault of one', async () => {
      const server = await Loopback.loopback(Loopback.json({ message: 'no' }, 403));
      const { service, said } = client(server.url, { ...three, rateLimit: undefined });
      expect(await failure(service.quote(request))).toMatchObject({ code: 'auth.refused' });
      expect([sent(server), said]).toEqual(['abc', []]);
    });

    test('behavior: a request that names one of the keys goes out with it', async () => {
      const server = await Loopback.loopback(Loopback.json({}));
      const { fetch } = client(server.url, three);
      for (let n = 0; n < 3; n++) await fetch(`${server.url}/requests/v3?apiKey=b`);
      expect(sent(server)).toBe('bbb');
    });

    test('error: no key has room in time: nothing is sent', async () => {
      const server = await Loopback.loopback(Loopback.json({}));
      const { fetch } = client(server.url, { ...three, rateLimit: { all: 1 } });
      await times(3, fetch, server.url);
      const error = await networkFailure(fetch(server.url));
      expect([error.reason, server.seen.length]).toEqual(['rate-limit', 3]);
      expect(error.hint).toContain('networks.testnet.apiKeys');
    });
  });
});
