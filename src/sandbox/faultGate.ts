/** Stands before the routes and makes the faults over HTTP strike: delays, drops, foreign answers, tampered ones. */
import type { IncomingMessage } from 'node:http';
import { type Faults, type Struck, type Subject, tamper } from './faults.js';
import type { Body } from './HttpError.js';

export type Fetch = (request: Request, env?: unknown) => Promise<Response>;

/** What a refusal of a status says at a path. */
export type Documented = (path: string, status: number) => Body;

/** Paths that no fault strikes: else it could not be cleared again. */
const exempt = '/sandbox/';

/**
 * The routes behind the faults. A drop destroys the client's socket, or in process rejects as a lost connection does.
 * `documented` is what a refusal says where the fault names no body.
 */
export function withFaults(faults: Faults, routes: Fetch, documented: Documented = documentedBody): Fetch {
  return async (request, env) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(exempt) || faults.list().length === 0) return routes(request, env);

    const { delayMs, tampers, answer } = faults.strike(await subjectOf(request));
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));

    switch (answer?.kind) {
      case 'drop':
        return drop(env);
      case 'status':
        return foreignAnswer(answer, () => documented(pathname, answer.status));
      case 'html':
        return new Response(htmlPage(answer.status), {
          status: answer.status,
          headers: { 'content-type': 'text/html' },
        });
      case 'empty':
        return new Response('', { status: 200, headers: { 'content-type': 'application/json' } });
      default: {
        const response = await routes(request, env);
        if (answer?.kind === 'drop-after') return drop(env);
        if (answer?.kind === 'status-after') return foreignAnswer(answer, () => documented(pathname, answer.status));
        if (!answer && tampers.length === 0) return response;
        return disfigured(response, tampers, answer?.kind === 'truncate');
      }
    }
  };
}

function foreignAnswer(
  fault: { status: number; body?: unknown; headers?: Record<string, string> | undefined },
  documented: () => Body,
) {
  const body = 'body' in fault ? fault.body : documented();
  return Response.json(body, { status: fault.status, ...(fault.headers && { headers: fault.headers }) });
}

/** What a refusal of that status says at that path. */
export function documentedBody(path: string, status: number): Body {
  if (path === '/execute') {
    if (status === 401) return { error: 'Unauthorized' };
    return { error: status < 500 ? 'to is required' : 'Internal server error' };
  }
  if (status === 429) {
    const message = 'Too many requests. Please try again later.';
    return path === '/requests/v2' ? { message, ...successor } : { message };
  }
  if (status === 401) {
    return path.startsWith('/quote')
      ? { message: 'Please provide an api key', errorCode: 'UNAUTHORIZED_QUOTE' }
      : { message: 'Unauthorized: Check API Key' };
  }
  if (status === 503) return { message: 'Service unavailable', errorCode: 'SERVICE_UNAVAILABLE' };
  if (status >= 500) return { message: 'Unknown error', errorCode: 'UNKNOWN_ERROR' };
  if (path.startsWith('/quote')) return { message: 'No routes found', errorCode: 'NO_SWAP_ROUTES_FOUND' };
  return { message: status === 404 ? 'Not found' : 'Bad request' };
}

/** Where users of the old records shall go. */
export const successor = {
  successor: '/requests/v3',
  migrationGuide: 'https://docs.relay.link/references/api/migrating-to-requests-v3',
};

async function subjectOf(request: Request): Promise<Subject> {
  const { pathname, searchParams } = new URL(request.url);
  const body: unknown = request.body
    ? await request
        .clone()
        .json()
        .catch(() => undefined)
    : undefined;
  const field = (name: string): string | undefined => {
    const value =
      searchParams.get(name) ?? (typeof body === 'object' && body !== null ? Reflect.get(body, name) : null);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    method: request.method,
    path: pathname,
    requestId: field('requestId') ?? field('id'),
    user: field('user'),
    referrer: field('referrer'),
  };
}

async function disfigured(response: Response, tampers: Struck['tampers'], truncated: boolean): Promise<Response> {
  const { status } = response;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  let text = await response.text();
  if (tampers.length > 0 && status === 200) {
    let body: unknown = JSON.parse(text);
    for (const fault of tampers) body = tamper(body, fault);
    text = JSON.stringify(body);
  }
  if (truncated) text = text.slice(0, Math.ceil(text.length / 2));
  return new Response(text, { status, headers });
}

function drop(env: unknown): Response {
  const incoming =
    typeof env === 'object' && env !== null ? (Reflect.get(env, 'incoming') as IncomingMessage) : undefined;
  if (!incoming) throw new DroppedError();
  incoming.socket.destroy();
  return new Response(null, { status: 500 });
}

function htmlPage(status: number): string {
  return `<!doctype html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
}

/** What a client in the same process sees of a dropped connection. */
export class DroppedError extends TypeError {
  override name = 'DroppedError';
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) });
  }
}
