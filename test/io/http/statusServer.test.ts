import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../src/io/http/statusServer.js';

async function serving() {
  const server = await serve('127.0.0.1:0', async (path) => {
    if (path === '/broken') throw new Error('no');
    return path === '/' ? { status: 200, type: 'text/html; charset=utf-8', body: '<p>here</p>' } : undefined;
  });
  onTestFinished(() => server.close());
  return server.url;
}

/** The status of a request that names this host. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('a server of pages', () => {
  test('default: serves a page on which nothing runs', async () => {
    const answer = await fetch(await serving());
    expect([answer.status, await answer.text()]).toEqual([200, '<p>here</p>']);
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const part of ["default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(policy).not.toContain('script-src');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('error: other pages, methods, and pages that fail', async () => {
    const url = await serving();
    expect((await fetch(new URL('/other', url))).status).toBe(404);
    expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405);
    expect((await fetch(new URL('/broken', url))).status).toBe(503);
  });

  test('error: a name that another site has pointed here is refused', async () => {
    const url = await serving();
    expect(await statusFor(url, 'evil.example')).toBe(421);
    expect(await statusFor(url, 'evil.example:9464')).toBe(421);
    expect(await statusFor(url, 'localhost:9464')).toBe(200);
  });

  test.each(['9464', 'host', '127.0.0.1:99999', '127.0.0.1:', 'http://127.0.0.1:1', '203.0.113.1:9464'])(
    'error: %s is no address to serve at',
    async (at) => {
      await expect(serve(at, async () => undefined)).rejects.toMatchObject({ code: 'usage.invalid' });
    },
  );
});
