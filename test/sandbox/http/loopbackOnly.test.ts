import { describe, expect, test } from 'vitest';
import { loopbackOnly } from '../../../src/sandbox/http/loopbackOnly.js';

const fetch = loopbackOnly(async () => new Response('seen'));

describe('loopbackOnly', () => {
  test.each(['http://127.0.0.1:80/x', 'http://localhost/x', 'http://127.9.9.9:1/', 'http://[::1]:5/'])(
    'default: %s',
    async (url) => {
      expect(await (await fetch(new Request(url))).text()).toBe('seen');
    },
  );

  test.each([
    ['http://evil.example/', {}],
    ['http://127.0.0.1.evil.example/', {}],
    ['http://127.0.0.1/', { host: 'evil.example' }],
  ])('error: %s %j', async (url, headers) => {
    const answer = await fetch(new Request(url, { headers }));
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'FORBIDDEN_HOST' }]);
  });
});
