import * as zlib from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttp, type Http, type HttpOptions } from '../../../src/io/http/httpClient.js';
import { networkFailure as failure } from '../../support/failures.js';
import * as Loopback from '../../support/loopback.js';
import { tunnel } from '../../support/tunnel.js';

function http(options: Partial<HttpOptions> = {}): Http {
  const client = createHttp({
    signal: new AbortController().signal,
    env: {},
    userAgent: 'ferry/test',
    timeoutMs: 5_000,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

describe('createHttp', () => {
  test('default', async () => {
    const server = await Loopback.loopback(Loopback.json({ ok: true }, 201, { 'retry-after': '7' }));
    const answer = await http().fetch(`${server.url}/quote/v2?a=b`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'key' },
      body: '{"amount":"1"}',
    });
    expect(answer.status).toBe(201);
    expect(await answer.text()).toBe('{"ok":true}');
    expect(answer.headers.get('Retry-After')).toBe('7');
    expect(answer.headers.get('x-absent')).toBeNull();
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        path: '/quote/v2?a=b',
        body: '{"amount":"1"}',
        headers: { 'x-api-key': 'key', 'user-agent': 'ferry/test', accept: 'application/json' },
      },
    ]);
  });

  test('behavior: a user name and password in the URL become the Authorization header', async () => {
    const server = await Loopback.loopback(Loopback.json({}));
    await http().fetch(server.url.replace('//', '//na%40me:pass@'));
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('na@me:pass').toString('base64')}`);
  });

  test.each([
    ['gzip', 'gzip', zlib.gzipSync],
    ['gzip by its old name', 'X-Gzip', zlib.gzipSync],
    ['deflate', 'deflate', zlib.deflateSync],
    ['deflate without its header', 'deflate', zlib.deflateRawSync],
    ['br', 'br', zlib.brotliCompressSync],
    ['two of them', 'br, gzip', (text: string) => zlib.gzipSync(zlib.brotliCompressSync(text))],
    ['none, by its name', 'identity', (text: string) => Buffer.from(text)],
  ])('behavior: %s without being asked is undone', async (_, encoding, compress) => {
    const server = await Loopback.loopback((response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('{"ok":true}')),
    );
    expect(await (await http().fetch(server.url)).text()).toBe('{"ok":true}');
  });

  test('behavior: zstd is undone where Node has it', async () => {
    // Packed by zstd 1.5.
    const body = Buffer.from('KLUv/QRYWQAAeyJvayI6dHJ1ZX1qvhPH', 'base64');
    const server = await Loopback.loopback((response) =>
      response.writeHead(200, { 'content-encoding': 'zstd' }).end(body),
    );
    const read = http().fetch(server.url);
    if ('zstdDecompressSync' in zlib) expect(await (await read).text()).toBe('{"ok":true}');
    else expect((await failure(read)).message).toContain('which ferry cannot read');
  });

  test('behavior: a connection that was opened early fails as any other', async () => {
    const secure = await Loopback.loopbackTls(Loopback.json({ ok: true }));
    const expected = await failure(http().fetch(secure.url));
    const early = http();
    early.open(secure.url);
    expect(await failure(early.fetch(secure.url))).toMatchObject({
      reason: expected.reason,
      message: expected.message,
    });
    for (const text of ['not a URL', 'ftp://127.0.0.1', 'http://127.0.0.1:1']) early.open(text);
  });

  test('error: an untrusted certificate', async () => {
    const server = await Loopback.loopbackTls(Loopback.json({}));
    const error = await failure(http().fetch(server.url));
    expect(error).toMatchObject({ reason: 'tls', arrived: 'no' });
    expect(error.message).toContain('is not trusted');
    expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
    expect(server.seen).toEqual([]);
  });

  test('error: https to an http server', async () => {
    const server = await Loopback.loopback(Loopback.json({}));
    const error = await failure(http().fetch(server.url.replace('http:', 'https:')));
    expect(error).toMatchObject({ reason: 'tls', arrived: 'no' });
    expect(error.hint).toContain('http://');
  });

  test('error: a server that does not speak HTTP', async () => {
    const url = await Loopback.loopbackTcp('220 mail.example.org ESMTP\r\n');
    expect(await failure(http().fetch(url))).toMatchObject({ reason: 'not-http' });
  });

  test.each([301, 302, 303, 307, 308])('error: a redirect %i is not followed', async (status) => {
    const target = await Loopback.loopback(Loopback.json({}));
    const server = await Loopback.loopback(Loopback.redirect(`${target.url}/stolen?by=you`, status));
    const error = await failure(http().fetch(server.url, { headers: { 'x-api-key': 'key' } }));
    expect(error).toMatchObject({ reason: 'redirected', status });
    expect(error.message).toContain(target.url);
    expect(error.message).not.toContain('stolen');
    expect(target.seen).toEqual([]);
  });

  const encoded =
    (encoding: string, body: Uint8Array): Loopback.Behaviour =>
    (response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
  const plain = Buffer.from('{"ok":true}');
  const bomb = zlib.gzipSync(Buffer.alloc(100_000));
  const notHttp = { reason: 'not-http', arrived: 'yes' };
  test.each<[what: string, behaviour: Loopback.Behaviour, expected: object, words?: RegExp]>([
    ['a reset', Loopback.reset, { reason: 'broken', arrived: 'maybe' }],
    ['half a response', Loopback.cutOff('{"a":['), { reason: 'cut-off', arrived: 'yes', beginning: '{"a":[' }],
    ['an endless response', Loopback.endless, { reason: 'too-large' }, /larger than 1000 bytes/],
    ['endless headers', Loopback.endlessHeaders, { reason: 'not-http' }, /headers/],
    ['an unknown encoding', encoded('compress', plain), notHttp, /its response with "compress", which ferry cannot/],
    ['an encoding that it is not', encoded('gzip', plain), notHttp, /is not the "gzip" that its header says/],
    ['half of one', encoded('gzip', zlib.gzipSync(plain).subarray(0, 20)), notHttp, /is not the "gzip"/],
    ['a thousand encodings', encoded(Array(1_000).fill('identity').join(), plain), notHttp, /response 1000 times over/],
    ['a bomb', encoded('gzip', bomb), { reason: 'too-large', arrived: 'yes' }, /than 1000 bytes/],
  ])('error: %s', async (_, behaviour, expected, words = /./) => {
    const server = await Loopback.loopback(behaviour);
    const error = await failure(http({ maxBytes: 1000 }).fetch(server.url));
    expect(error).toMatchObject(expected);
    expect(error.message).toMatch(words);
  });

  test.each([
    ['no response', Loopback.silence],
    ['a slow trickle', Loopback.slowLoris],
    ['a slow trickle of headers', Loopback.slowHeaders],
    ['endless interim responses', Loopback.promises],
  ])('error: the time limit ends %s', async (_, behaviour) => {
    const server = await Loopback.loopback(behaviour);
    // None of these servers ends a request by itself, and those that trickle do so more often than this.
    const error = await failure(http({ timeoutMs: 25 }).fetch(server.url));
    expect(error).toMatchObject({ reason: 'timeout', arrived: 'maybe' });
    expect(error.message).toContain('0.025 seconds');
  });

  test('behavior: a request may override the limits, and a response of exactly the limit is taken', async () => {
    const server = await Loopback.loopback(Loopback.json('a'.repeat(2_000)), Loopback.silence);
    const { fetch } = http({ maxBytes: 1_000 });
    expect((await (await fetch(server.url, { maxBytes: 2_002 })).text()).length).toBe(2_002);
    expect((await failure(fetch(server.url, { timeoutMs: 5 }))).message).toContain('within 0.005 seconds');
    for (const bounds of [
      { timeoutMs: 60_000, withinMs: 5 },
      { timeoutMs: 5, withinMs: 60_000 },
    ])
      expect((await failure(fetch(server.url, bounds))).message).toContain('within 0.005 seconds');
  });

  test('error: the signal aborts a request with its own reason', async () => {
    const server = await Loopback.loopback(Loopback.silence);
    const controller = new AbortController();
    const reason = new Error('Ctrl-C');
    const stopped = expect(http({ signal: controller.signal }).fetch(server.url)).rejects.toBe(reason);
    await expect.poll(() => server.seen.length).toBe(1);
    controller.abort(reason);
    await stopped;
    await expect(http({ signal: controller.signal }).fetch(server.url)).rejects.toBe(reason);
    expect(server.seen).toHaveLength(1);
  });

  test.each(['ftp://127.0.0.1/secret', 'secret', 'http://secret:99999/', ''])('error: the address %j', async (url) => {
    const error = await failure(http().fetch(url));
    expect(error).toMatchObject({ reason: 'address', arrived: 'no' });
    expect(error.message).not.toContain('secret');
  });

  test('error: a line break in a header', async () => {
    const server = await Loopback.loopback(Loopback.json({}));
    const error = await failure(http().fetch(server.url, { headers: { 'x-api-key': 'secret\nkey' } }));
    expect(error).toMatchObject({ reason: 'address', arrived: 'no' });
    expect(error.message).not.toContain('secret');
  });
});

describe('createHttp with a proxy', () => {
  test('default', async () => {
    const server = await Loopback.loopback(Loopback.json({ by: 'proxy' }));
    const proxy = await tunnel(server.url);
    const { fetch } = http({ env: { http_proxy: '', HTTP_PROXY: proxy.url } });
    expect(await (await fetch('http://service.invalid/chains')).text()).toBe('{"by":"proxy"}');
    expect(proxy.asked).toEqual(['service.invalid:80']);
  });

  test.each([
    ['a host in NO_PROXY', 'http://service.invalid/', { NO_PROXY: 'example.org, .invalid' }],
    ['an https URL, which does not use HTTP_PROXY', 'https://service.invalid/', {}],
  ])('behavior: %s is reached directly', async (_, url, env) => {
    const proxy = await tunnel(Loopback.nobody);
    const error = await failure(http({ env: { HTTP_PROXY: proxy.url, ...env } }).fetch(url));
    expect(error).toMatchObject({ reason: 'name', hint: 'Check the spelling of the URL.' });
    expect(proxy.asked).toEqual([]);
  });

  test('error: a host in NO_PROXY fails like a direct connection, another one names the proxy', async () => {
    const dead = Loopback.nobody;
    const client = http({ env: { HTTP_PROXY: dead, NO_PROXY: 'direct.invalid' } });
    const both = ['http://direct.invalid:81/', 'http://service.invalid/', 'http://direct.invalid:81/'];
    const errors = await Promise.all(both.map((url) => failure(client.fetch(url))));
    expect(errors.map(({ message }) => message)).toEqual([
      'there is no host named direct.invalid (ENOTFOUND)',
      `nothing listens at the proxy ${dead} (ECONNREFUSED)`,
      'there is no host named direct.invalid (ENOTFOUND)',
    ]);
  });

  test('error: an unreachable proxy', async () => {
    const dead = Loopback.nobody;
    const env = { HTTP_PROXY: dead.replace('//', '//user:secret@') };
    const error = await failure(http({ env }).fetch('http://service.invalid/'));
    expect(error).toMatchObject({ reason: 'refused', arrived: 'no' });
    expect(error.message).toContain(`the proxy ${dead}`);
    expect(error.message).not.toContain('secret');
  });

  test.each([
    [407, 'requires a user name and password'],
    [403, 'NO_PROXY'],
    [502, 'NO_PROXY'],
  ])('error: the proxy refuses with %i', async (status, hint) => {
    const proxy = await tunnel('', { refusal: status });
    for (const [variable, url] of [
      ['HTTP_PROXY', 'http://service.invalid/'],
      ['HTTPS_PROXY', 'https://service.invalid/'],
    ] as const) {
      const error = await failure(http({ env: { [variable]: proxy.url } }).fetch(url));
      expect(error).toMatchObject({ reason: 'proxy', arrived: 'no', hint: expect.stringContaining(hint) });
      expect(error.message).toContain(`the proxy ${proxy.url} rejected the request (${status})`);
    }
  });

  test('behavior: sends a proxy the credentials of its URL, and never sends them to the target', async () => {
    const server = await Loopback.loopback(Loopback.json({ by: 'proxy' }));
    const proxy = await tunnel(server.url, { login: 'user:p@ss' });
    const fetchBy = (url: string) => http({ env: { HTTP_PROXY: url } }).fetch('http://service.invalid/');
    const known = proxy.url.replace('//', '//user:p%40ss@');
    expect(await (await fetchBy(known)).text()).toBe('{"by":"proxy"}');
    expect(server.seen[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(await failure(fetchBy(proxy.url))).toMatchObject({ reason: 'proxy' });
    const wrong = await failure(fetchBy(proxy.url.replace('//', '//user:wrong-secret@')));
    expect(`${wrong.message} ${wrong.hint}`).not.toContain('wrong-secret');
    expect(wrong.message).toContain('407');
  });

  test('error: checks the certificate of the target behind a proxy', async () => {
    const server = await Loopback.loopbackTls(Loopback.json({}));
    const proxy = await tunnel(server.url);
    const env = { HTTPS_PROXY: proxy.url };
    const error = await failure(http({ env }).fetch('https://service.invalid/', { headers: { 'x-api-key': 'key' } }));
    expect(error).toMatchObject({ reason: 'tls', arrived: 'no', hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
    expect(error.message).toContain('the certificate of https://service.invalid is not trusted');
    expect([proxy.asked, server.seen]).toEqual([['service.invalid:443'], []]);
  });

  test.each(['silence', 'trickle'] as const)('error: the time limit ends a proxy’s %s', async (does) => {
    const proxy = await tunnel('', { does });
    const client = http({ timeoutMs: 25, env: { HTTPS_PROXY: proxy.url } });
    expect(await failure(client.fetch('https://service.invalid/'))).toMatchObject({ reason: 'timeout' });
  });

  test('error: the signal aborts a request waiting for a proxy, and it is never sent', async () => {
    const server = await Loopback.loopback(Loopback.json({}));
    let letThrough = (): void => {};
    const until = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    const proxy = await tunnel(server.url, { until });
    const controller = new AbortController();
    const reason = new Error('Ctrl-C');
    const env = { HTTP_PROXY: proxy.url };
    const pending = http({ signal: controller.signal, env }).fetch('http://service.invalid/', { method: 'POST' });
    const stopped = expect(pending).rejects.toBe(reason);
    await expect.poll(() => proxy.asked.length).toBe(1);
    controller.abort(reason);
    await stopped;
    letThrough();
    await http({ env }).fetch('http://service.invalid/later');
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /later']);
  });

  test.each([
    ['HTTP_PROXY', 'http://[secret', 'HTTP_PROXY is not a URL of a proxy', /such as http:/],
    ['http_proxy', 'socks5h://127.0.0.1:1080', 'http_proxy names a SOCKS proxy', /not supported/],
    ['ALL_PROXY', 'SOCKS5://secret@127.0.0.1:1080', 'ALL_PROXY names a SOCKS proxy', /NO_PROXY/],
    ['HTTP_PROXY', 'http://user:secret#1@127.0.0.1:3128', 'HTTP_PROXY is not a URL', /Percent-encode.*# is %23/],
    ['HTTP_PROXY', 'http://user:secret%@127.0.0.1:3128', 'HTTP_PROXY is not a URL', /% is %25/],
    ['HTTP_PROXY', '"http://127.0.0.1:3128"', 'HTTP_PROXY is in quotes', /docker --env-file/],
    ['HTTP_PROXY', 'ftp://127.0.0.1', 'HTTP_PROXY is not a URL of a proxy', /such as http:/],
  ])('error: %s set to %s', async (name, value, message, hint) => {
    const error = await failure(http({ env: { [name]: value } }).fetch('http://service.invalid/'));
    expect(error).toMatchObject({ reason: 'proxy', arrived: 'no', message });
    expect(error.hint).toMatch(hint);
    expect(`${error.message} ${error.hint}`).not.toContain('secret');
    const server = await Loopback.loopback(Loopback.json({ ok: true }));
    expect((await http({ env: { [name]: value } }).fetch(server.url)).status).toBe(200);
  });

  test('behavior: ALL_PROXY is used where the variable of the scheme is not set', async () => {
    const proxy = await tunnel((await Loopback.loopback(Loopback.json({ ok: true }))).url);
    expect((await http({ env: { ALL_PROXY: proxy.url } }).fetch('http://service.invalid/')).status).toBe(200);
    expect(proxy.asked).toEqual(['service.invalid:80']);
  });
});
