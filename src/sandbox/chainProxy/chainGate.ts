/** Stands before a chain's node: its control plane for faults, and what becomes of calls while faults stand. */
import { Hono } from 'hono';
import { exempt, type Fetch, type Reading, withFaults } from '../http/faultGate.js';
import { faultRoutes } from '../http/faultRoutes.js';
import { createFaults } from '../http/faults.js';
import { type Body, HttpError, unknownRoute } from '../http/HttpError.js';
import { loopbackOnly } from '../http/loopbackOnly.js';
import { createChainFaults } from './chainFaults.js';
import * as RpcRequest from './RpcRequest.js';

export type ChainGate = {
  fetch: Fetch;
  /** Whether a request is none of the gate's business, and can go to the node as it is. */
  isOpenTo(request: { method?: string | undefined; url?: string | undefined }): boolean;
  /** Whether a fault is still to act by itself. */
  isBusy(): boolean;
  /** Calls off what faults are still to do, and lets the chain go on. */
  stop(): Promise<void>;
};

export function createChainGate({ rpcUrl, instance }: { rpcUrl: string; instance: string }): ChainGate {
  const faults = createFaults();
  const chainFaults = createChainFaults(rpcUrl, faults);

  const control = new Hono();
  control.get('/sandbox/instance', (c) => c.json({ instance }));
  const { begin, release } = chainFaults;
  control.route('/sandbox', faultRoutes({ faults, actor: 'chain', begin, release }));
  control.notFound((c) => answerOf(unknownRoute(c.req.method, c.req.path)));
  control.onError((error) => answerOf(error instanceof HttpError ? error : new HttpError(500, wordsOf(error))));
  const guarded = loopbackOnly(async (request) => control.fetch(request));

  async function read(request: Request): Promise<Reading> {
    const rpcRequest = RpcRequest.from(await request.clone().text());
    if (!rpcRequest) return { subjects: [{ method: request.method, path: '/' }], place: () => '' };
    return {
      subjects: await Promise.all(rpcRequest.calls.map(chainFaults.subjectOf)),
      place: (whole, at) => RpcRequest.placeOf(rpcRequest, whole, at),
    };
  }

  async function ask(call: RpcRequest.Call): Promise<RpcRequest.Answer> {
    const response = await handOn(rpcUrl, JSON.stringify(call));
    return (await response.json()) as RpcRequest.Answer;
  }

  const node: Fetch = async (request) => {
    const body = await request.text();
    const rpcRequest = RpcRequest.from(body);
    if (!rpcRequest) return await handOn(rpcUrl, body);
    const { calls, isBatch } = rpcRequest;
    const answers = await Promise.all(
      calls.map((call) =>
        chainFaults
          .answer(call, ask)
          .catch((error: Error): RpcRequest.Answer => ({ jsonrpc: '2.0', id: call.id, error: wordsOf(error) })),
      ),
    );
    return Response.json(isBatch ? answers : answers[0]);
  };

  const struck = withFaults(faults, node, { documented, read });

  return {
    async fetch(request, env) {
      if (new URL(request.url).pathname.startsWith(exempt)) return await guarded(request, env);
      const response = await struck(request, env);
      // A web page may read what the node says, and so what the faults say.
      response.headers.set('access-control-allow-origin', '*');
      return response;
    },
    isOpenTo: ({ method, url = '' }) =>
      !url.startsWith(exempt) && (faults.list().length === 0 || method === 'OPTIONS' || method === 'GET'),
    isBusy: chainFaults.isBusy,
    stop: chainFaults.stop,
  };
}

async function handOn(rpcUrl: string, body: string): Promise<Response> {
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const headers = { 'content-type': response.headers.get('content-type') ?? 'application/json' };
  return new Response(await response.text(), { status: response.status, headers });
}

/** What a node says beside an HTTP status that is a failure. */
function documented(_path: string, status: number): Body {
  const [code, message] =
    status === 429
      ? [-32005, 'Too many requests']
      : status >= 500
        ? [-32603, 'Internal error']
        : [-32600, status === 401 || status === 403 ? 'Unauthorized' : 'Invalid request'];
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

function wordsOf({ message }: Error): { code: number; message: string } {
  return { code: -32603, message };
}

function answerOf({ status, body }: Pick<HttpError, 'status' | 'body'>): Response {
  return Response.json(body, { status });
}
