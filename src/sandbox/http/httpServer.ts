/** HTTP servers of the loopback interface: listen, get the URL, close gracefully, and refuse foreign hosts and pages. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { BaseError } from '../../core/base/Errors.js';
import type { Fetch } from './faultGate.js';
import { frameworkError, type HttpError, toResponse } from './HttpError.js';

/** Time allowed for in-flight requests at shutdown. */
const graceMs = 2_000;

/** @throws sandbox.start if the port is in use */
export async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new PortError(port, error as NodeJS.ErrnoException);
  }
}

export function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Waits for in-flight responses, then closes all connections. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A keep-alive connection turns idle after its response, and the server would not close it otherwise.
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
  await closed;
}

export class PortError extends BaseError {
  override name = 'PortError';
  constructor(port: number, cause: NodeJS.ErrnoException) {
    super('sandbox.start', `The sandbox cannot listen on port ${port}.`, {
      facts: [['reason', cause.code === 'EADDRINUSE' ? 'the port is already in use' : cause.message]],
      hint: 'Omit --port to use a free port.',
      retryable: false,
      cause,
    });
  }
}

/** The headers that tell where a request comes from. */
type Sender = { host?: string | null | undefined; origin?: string | null | undefined };

/**
 * The refusal of a request, or undefined if it is allowed.
 *
 * The host must be a loopback name. This prevents DNS rebinding: a website can point its own domain at 127.0.0.1, but
 * the browser then sends that domain as the host. The origin, which a browser sends with everything that could change
 * something, WebSockets included, must be a page of this machine or a browser extension such as a wallet. Programs send
 * no origin.
 */
export function refusalOf({ host, origin }: Sender): HttpError | undefined {
  if (host && !loopbackHost.test(host)) return forbiddenHost;
  return origin && !localOrigin.test(origin) ? forbiddenOrigin : undefined;
}

export function loopbackOnly(fetch: Fetch): Fetch {
  return async (request, env) => {
    const { headers, url } = request;
    const { host } = new URL(url);
    const origin = headers.get('origin');
    const refusal = refusalOf({ host }) ?? refusalOf({ host: headers.get('host') ?? host, origin });
    if (refusal) return toResponse(refusal);
    const isPreflight = origin !== null && request.method === 'OPTIONS';
    const answer = isPreflight ? new Response(null, { status: 204 }) : await fetch(request, env);
    if (origin !== null) allow(answer.headers, origin, headers.get('access-control-request-headers'));
    return answer;
  };
}

/** Lets the page that sent the request read the answer, as browsers ask of a service that pages call. */
function allow(answer: Headers, origin: string, asked: string | null): void {
  answer.set('access-control-allow-origin', origin);
  answer.set('vary', 'origin');
  answer.set('access-control-allow-methods', 'GET, POST, DELETE');
  answer.set('access-control-allow-headers', asked ?? 'content-type');
}

const name = '(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(:\\d+)?';
const loopbackHost = new RegExp(`^${name}$`, 'i');
const localOrigin = new RegExp(`^(https?://${name}|(chrome|moz|safari-web)-extension://[\\w-]+)$`, 'i');

const forbiddenHost = frameworkError(403, 'FORBIDDEN_HOST', 'The sandbox only accepts requests addressed to localhost');
const forbiddenOrigin = frameworkError(
  403,
  'FORBIDDEN_ORIGIN',
  'The sandbox only accepts requests of programs and of web pages on localhost',
);
