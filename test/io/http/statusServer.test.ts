import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as WorkerPage from '../../../src/core/worker/WorkerPage.js';
import { serve } from '../../../src/io/http/statusServer.js';
import { browser, open } from '../../support/chromium.js';

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

if (!browser) process.stderr.write('skipped: pages in a browser: Chromium is not installed (apt install chromium)\n');

describe.skipIf(!browser)('in Chromium', () => {
  const wicked = '<script>document.title="mine"</script><img src=x onerror="document.title=\'mine\'">';
  const submitter = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  const shown: WorkerPage.Shown = {
    ...{ worker: 'one', version: '1', network: 'sandbox', nowMs: 0, workers: [] },
    batches: [
      {
        ...{
          name: 'payroll',
          network: 'sandbox',
          instance: null,
          store: null,
          digest: '0x00',
          signature: '0x00',
          state: 'ready',
        },
        ...{ lines: 3, submitter, priority: 0, submittedAt: 0, states: { waiting: 1, done: 1, refused: 1 } },
      },
    ],
    stuck: [
      {
        ...{ batch: 'payroll', id: wicked, account: submitter, state: 'refused', run: null },
        ...{ code: 'batch.capped', message: `${wicked} is not paid`, next: wicked },
      },
    ],
  };
  const served = async (body: string): Promise<string> => {
    const server = await serve('127.0.0.1:0', async () => ({ status: 200, type: 'text/html; charset=utf-8', body }));
    onTestFinished(() => server.close());
    return server.url;
  };

  test('default: the worker’s page is styled, light and dark, and the browser complains of nothing', async () => {
    const url = await served(WorkerPage.format(shown));
    const [light, dark] = [await open(url), await open(url, { isDark: true })];
    const seen = (of: typeof light, colors: readonly string[]) => colors.map((each) => (of.colors.get(each) ?? 0) > 50);
    // Paper, ink, lines, and what needs somebody.
    expect(seen(light, ['ffffff', '1b1f24', 'd8dee4', 'b3261e'])).toEqual([true, true, true, true]);
    expect(seen(dark, ['0d1117', 'e6edf3', '30363d', 'ff8a80'])).toEqual([true, true, true, true]);
    expect([...light.console, ...dark.console]).toEqual([]);
    expect(light.document).toContain('<td>payroll</td>');
    expect(light.document).toContain('&lt;script&gt;');
    expect(light.document).not.toContain('<img');
    expect(light.document).toContain('<title>ferry: batches on sandbox</title>');
  }, 60_000);

  test('error: a script that came into a page all the same does not run, and the browser says so', async () => {
    const page = await open(await served(`<!doctype html><title>yours</title>${wicked}`));
    expect(page.document).toContain('<title>yours</title>');
    expect(page.console.join('\n')).toMatch(/Content Security Policy/);
  }, 60_000);
});
