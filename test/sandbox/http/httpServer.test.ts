import { describe, expect, test } from 'vitest';
import { loopbackOnly, refusalOf } from '../../../src/sandbox/http/httpServer.js';

const fetch = loopbackOnly(async () => new Response('seen'));

const localOrigins = [
  ...['http://localhost:3000', 'https://localhost', 'http://127.0.0.1:5173', 'http://[::1]:8080'],
  ...['chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', 'moz-extension://0b1c-2d3e'],
];
const foreignOrigins = [
  ...['https://evil.example', 'http://localhost.evil.example', 'http://localhost:80.evil.example', 'null', 'file://'],
  ...['http://192.168.0.7:3000', 'http://localhost:3000, https://evil.example', 'http://evil@localhost'],
];

describe('refusalOf', () => {
  test('default: a program sends no origin', () => {
    expect(refusalOf({ host: '127.0.0.1:8545' })).toBeUndefined();
    expect(refusalOf({ host: undefined, origin: undefined })).toBeUndefined();
  });

  test('error: the host comes first', () => {
    const refusal = refusalOf({ host: 'evil.example:8545', origin: 'http://evil.example:8545' });
    expect(refusal?.body).toMatchObject({ code: 'FORBIDDEN_HOST' });
  });
});

describe('loopbackOnly', () => {
  test.each(['http://127.0.0.1:80/x', 'http://localhost/x', 'http://127.9.9.9:1/', 'http://[::1]:5/'])(
    'default: %s',
    async (url) => {
      expect(await (await fetch(new Request(url))).text()).toBe('seen');
    },
  );

  test.each(localOrigins)('behavior: a request of %s', async (origin) => {
    const asked = fetch(new Request('http://127.0.0.1/x', { method: 'POST', headers: { origin } }));
    expect(await (await asked).text()).toBe('seen');
  });

  test.each(localOrigins)('behavior: %s may ask first, and reads the answer', async (origin) => {
    const asking = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };
    const preflight = await fetch(new Request('http://127.0.0.1/x', { method: 'OPTIONS', headers: asking }));
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'x-api-key',
      vary: 'origin',
    });
    const answer = await fetch(new Request('http://127.0.0.1/x', { headers: { origin } }));
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  });

  test('behavior: a program is told nothing of pages', async () => {
    const answer = await fetch(new Request('http://127.0.0.1/x', { method: 'OPTIONS' }));
    expect([answer.headers.get('access-control-allow-origin'), await answer.text()]).toEqual([null, 'seen']);
  });

  test.each(foreignOrigins)('error: a request of %s', async (origin) => {
    const answer = await fetch(new Request('http://127.0.0.1/x', { method: 'POST', headers: { origin } }));
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'FORBIDDEN_ORIGIN' }]);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each([
    ['http://evil.example/', {}],
    ['http://127.0.0.1.evil.example/', {}],
    ['http://127.0.0.1/', { host: 'evil.example' }],
  ])('error: %s %j', async (url, headers) => {
    const answer = await fetch(new Request(url, { headers }));
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'FORBIDDEN_HOST' }]);
  });
});
