/** Serves pages that are only read: of a worker, for its operator and for Prometheus. */
import { createServer } from 'node:http';
import { isIP } from 'node:net';
import { BaseError } from '../../core/base/Errors.js';
import type { Page, PageServer } from '../../core/worker/WorkerPage.js';

/** Nothing of a page runs, loads or is framed. Its style is its own. */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/**
 * Listens at `HOST:PORT`; port 0 is any. A page that another site opens by a name of its own is refused: who asks names
 * the address, or this machine.
 *
 * @throws usage.invalid
 */
export async function serve(at: string, answer: (path: string) => Promise<Page | undefined>): Promise<PageServer> {
  const match = /^(?:\[([0-9a-f:]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(at);
  const host = match?.[1] ?? match?.[2];
  if (!match || host === undefined || Number(match[3]) > 65_535) throw servingError(at, 'it is no HOST:PORT');
  const server = createServer((request, response) => {
    const asked = (request.headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
    if (isIP(asked) === 0 && asked !== 'localhost' && asked !== host) {
      response.writeHead(421, headers).end();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { ...headers, allow: 'GET, HEAD' }).end();
      return;
    }
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    answer(path).then(
      (page) => {
        const { status, type, body } = page ?? { status: 404, type: 'text/plain; charset=utf-8', body: 'not found\n' };
        response.writeHead(status, { ...headers, 'content-type': type });
        response.end(request.method === 'HEAD' ? undefined : body);
      },
      () => response.writeHead(503, headers).end(),
    );
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(servingError(at, error.message)));
    server.listen(Number(match[3]), host, resolve);
  });
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function servingError(at: string, why: string): BaseError {
  return new BaseError('usage.invalid', `ferry cannot serve at ${at}: ${why}.`, {
    hint: 'An address is 127.0.0.1:9464.',
  });
}
