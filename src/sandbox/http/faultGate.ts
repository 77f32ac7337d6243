/** Wraps routes to inject HTTP faults: delays, dropped connections, canned responses and tampered ones. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Faults, type Struck, type Subject, tamper } from './faults.js';
import type { Body } from './HttpError.js';

export type Fetch = (request: Request, env?: unknown) => Promise<Response>;

/** Overrides for a gate that does not speak the service's REST API. */
export type GateOptions = {
  errorBody?: ((path: string, status: number) => Body) | undefined;
  parse?: ((request: Request) => Promise<ParsedRequest>) | undefined;
};

/** The calls in a request: one, or several in a batch. */
export type ParsedRequest = {
  subjects: readonly Subject[];
  /** JSON pointer to the response of the call with index `at`. */
  pointerTo(answer: unknown, at: number): string;
};

/** Prefix of the control plane. Exempt from faults, which could not be cleared otherwise. */
export const controlPrefix = '/sandbox/';

/**
 * Wraps routes with faults. A drop destroys the client's socket and a reset sends a TCP RST; in process, both reject
 * like a lost connection.
 */
export function withFaults(
  faults: Faults,
  routes: Fetch,
  { errorBody = documentedBody, parse = parseRequest }: GateOptions = {},
): Fetch {
  /** What a fault repeats, by its id. */
  const repeated = new Map<string, Response>();
  return async (request, env) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(controlPrefix) || faults.list().length === 0) return routes(request, env);

    const parsed = await parse(request);
    const { delayMs, tampers, answer } = faults.strike(...parsed.subjects);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));

    switch (answer?.kind) {
      case 'drop':
        return dropConnection(env, (socket) => socket.destroy());
      case 'reset':
        return dropConnection(env, (socket) => socket.resetAndDestroy());
      case 'status':
        return cannedResponse(answer, errorBody(pathname, answer.status));
      case 'html':
        return new Response(htmlPage(answer.status), {
          status: answer.status,
          headers: { 'content-type': 'text/html' },
        });
      case 'empty':
        return new Response('', { status: 200, headers: { 'content-type': 'application/json' } });
      default: {
        const response = await routes(request, env);
        if (answer?.kind === 'drop-after') return dropConnection(env, (socket) => socket.destroy());
        if (answer?.kind === 'repeat') {
          const first = repeated.get(answer.id) ?? response;
          repeated.set(answer.id, first);
          return first.clone();
        }
        if (answer?.kind === 'status-after') return cannedResponse(answer, errorBody(pathname, answer.status));
        if (!answer && tampers.length === 0) return response;
        return await distort(response, { tampers, answer }, parsed);
      }
    }
  };
}

function cannedResponse(
  fault: { status: number; body?: unknown; headers?: Record<string, string> | undefined },
  documented: Body,
) {
  const body = 'body' in fault ? fault.body : documented;
  return Response.json(body, { status: fault.status, ...(fault.headers && { headers: fault.headers }) });
}

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
    return isQuote(path)
      ? { message: 'Please provide an api key', errorCode: 'UNAUTHORIZED_QUOTE' }
      : { message: 'Unauthorized: Check API Key' };
  }
  if (status === 503) return { message: 'Service unavailable', errorCode: 'SERVICE_UNAVAILABLE' };
  if (status >= 500) {
    const code = 'UNKNOWN_ERROR';
    return { message: 'Unknown error', ...(path === '/config/v2' ? { code } : { errorCode: code }) };
  }
  if (isQuote(path)) return { message: 'No routes found', errorCode: 'NO_SWAP_ROUTES_FOUND' };
  return { message: status === 404 ? 'Not found' : 'Bad request' };
}

function isQuote(path: string): boolean {
  return path.startsWith('/quote') || path === '/price';
}

/** Pointers from the deprecated records endpoint to its successor. */
export const successor = {
  successor: '/requests/v3',
  migrationGuide: 'https://docs.relay.link/references/api/api_guides/migrating-to-requests-v3',
};

async function parseRequest(request: Request): Promise<ParsedRequest> {
  const { pathname, searchParams } = new URL(request.url);
  const json = request.body ? request.clone().json() : undefined;
  const body = (await json?.catch(() => undefined)) as Readonly<Record<string, unknown>> | null | undefined;
  const field = (name: string): string | undefined => {
    const value = searchParams.get(name) ?? body?.[name];
    return typeof value === 'string' ? value : undefined;
  };
  const subject = {
    method: request.method,
    path: pathname,
    requestId: field('requestId') ?? field('id'),
    user: field('user'),
    referrer: field('referrer'),
  };
  return { subjects: [subject], pointerTo: () => '' };
}

async function distort(
  response: Response,
  { tampers, answer }: Pick<Struck, 'tampers' | 'answer'>,
  { pointerTo }: ParsedRequest,
): Promise<Response> {
  const { status } = response;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  let text = await response.text();
  if (tampers.length > 0 && status === 200) {
    const whole: unknown = JSON.parse(text);
    let body = whole;
    for (const { fault, at } of tampers) body = tamper(body, fault, pointerTo(whole, at));
    text = JSON.stringify(body);
  }
  return new Response(distortBody(text, answer), { status, headers });
}

function distortBody(text: string, answer: Struck['answer']): string | ReadableStream<Uint8Array> {
  switch (answer?.kind) {
    case 'truncate':
      return text.slice(0, Math.ceil(text.length / 2));
    case 'trickle':
      return trickle(Buffer.from(text), answer.delayMs);
    case 'endless':
      return endless(Buffer.from(text.slice(0, -1)));
    default:
      return text;
  }
}

function trickle(bytes: Uint8Array, pauseMs: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (sent < bytes.length) controller.enqueue(bytes.slice(sent, ++sent));
      else controller.close();
    },
  });
}

function endless(head: Uint8Array): ReadableStream<Uint8Array> {
  const blanks = Buffer.alloc(64 * 1024, ' ');
  return new ReadableStream({
    start: (controller) => controller.enqueue(head),
    async pull(controller) {
      // Yield to the event loop: a reader as fast as this writer would starve everything else.
      await new Promise((resolve) => setImmediate(resolve));
      controller.enqueue(new Uint8Array(blanks));
    },
  });
}

function dropConnection(env: unknown, destroy: (socket: Socket) => void): Response {
  const { incoming } = (env ?? {}) as { incoming?: IncomingMessage };
  if (!incoming) throw new DroppedError();
  destroy(incoming.socket);
  return new Response(null, { status: 500 });
}

function htmlPage(status: number): string {
  return `<!doctype html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
}

/** The in-process counterpart of a dropped connection. */
export class DroppedError extends TypeError {
  override name = 'DroppedError';
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) });
  }
}
