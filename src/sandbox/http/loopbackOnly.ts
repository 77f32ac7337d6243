/** Rejects requests not addressed to this machine. */
import type { Fetch } from './faultGate.js';
import { frameworkError } from './HttpError.js';

/**
 * Allows only requests whose host is a loopback name. This prevents DNS rebinding: a website can point its own domain
 * at 127.0.0.1, but the browser then sends that domain as the host.
 */
export function loopbackOnly(fetch: Fetch): Fetch {
  return async (request, env) =>
    isLoopback(request) ? await fetch(request, env) : Response.json(forbiddenHost, { status: 403 });
}

const forbiddenHost = frameworkError(
  403,
  'FORBIDDEN_HOST',
  'The sandbox only accepts requests addressed to localhost',
).body;

function isLoopback(request: Request): boolean {
  const { host } = new URL(request.url);
  const hostHeader = request.headers.get('host') ?? host;
  return [host, hostHeader].every((text) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(text));
}
