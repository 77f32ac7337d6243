/** Rejects requests that are not addressed to this machine, and those of foreign web pages. */
import type { Fetch } from './faultGate.js';
import { frameworkError, type HttpError } from './HttpError.js';

/** The headers that tell where a request comes from. */
export type Sender = { host?: string | null | undefined; origin?: string | null | undefined };

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

/** Applies `refusalOf` to all requests. */
export function loopbackOnly(fetch: Fetch): Fetch {
  return async (request, env) => {
    const { headers, url } = request;
    const { host } = new URL(url);
    const refusal =
      refusalOf({ host }) ?? refusalOf({ host: headers.get('host') ?? host, origin: headers.get('origin') });
    return refusal ? Response.json(refusal.body, { status: refusal.status }) : await fetch(request, env);
  };
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
