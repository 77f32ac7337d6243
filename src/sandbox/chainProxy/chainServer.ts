/**
 * Exposes a chain on its own port to everything but the sandbox itself: requests pass through a gate while faults are
 * active.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { ChainKeeper } from '../chain/chainKeeper.js';
import * as nodeRpc from '../chain/nodeRpc.js';
import { controlPrefix, type Fetch, type ParsedRequest, withFaults } from '../http/faultGate.js';
import { faultRoutes } from '../http/faultRoutes.js';
import { createFaults } from '../http/faults.js';
import { type Body, HttpError, routeNotFound, toResponse } from '../http/HttpError.js';
import { close, listen, refusalOf, urlOf } from '../http/httpServer.js';
import { createMessageReader } from '../http/webSockets.js';
import { createChainFaults } from './chainFaults.js';
import { createTunnel } from './proxyTunnel.js';
import * as RpcRequest from './RpcRequest.js';

export type ChainServer = Awaited<ReturnType<typeof serveChain>>;

type ServedChain = {
  rpcUrl: string;
  instance: string;
  /** Told of changes of the chain before the node makes them. */
  keeper?: ChainKeeper | undefined;
};

/** @throws sandbox.start if it cannot listen */
export async function serveChain(served: ServedChain) {
  const { rpcUrl, keeper } = served;
  const gate = createChainGate(served);
  const tunnel = createTunnel(rpcUrl);
  // Leave the global Request and Response alone for other code in this process.
  const guarded = getRequestListener(gate.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => {
    if (refuse(incoming, outgoing)) return;
    // Pages on this machine may call the chain, as with any other node for development.
    if (incoming.headers.origin !== undefined) allow(incoming, outgoing);
    if (incoming.method === 'OPTIONS') outgoing.writeHead(204).end();
    else void pass(incoming, outgoing);
  });

  async function pass(incoming: IncomingMessage & { rawBody?: Buffer }, outgoing: ServerResponse): Promise<void> {
    if (!gate.canBypass(incoming)) return void guarded(incoming, outgoing);
    if (incoming.method !== 'POST') return tunnel.forward(incoming, outgoing);
    const body = await buffer(incoming).catch(() => undefined);
    if (!body) return void outgoing.destroy();
    if (!gate.handles(body.toString())) return tunnel.forward(incoming, outgoing, body);
    incoming.rawBody = body;
    return void guarded(incoming, outgoing);
  }

  server.on('upgrade', (incoming, socket, head) => {
    const refusal = refusalOf(incoming.headers);
    if (refusal) socket.end(`HTTP/1.1 ${refusal.status} Forbidden\r\nconnection: close\r\n\r\n`);
    else tunnel.upgrade(incoming, socket, head, keeper && createMessageReader(gate.note));
  });
  // No keep-alive timeout of our own: the node decides.
  server.keepAliveTimeout = 0;
  await listen(server, 0);
  return {
    /** The public RPC URL. */
    url: urlOf(server),
    /** Whether an action of a fault is scheduled. */
    isBusy: gate.isBusy,
    /** Closes the server and undoes its faults; the node keeps running. */
    async close(): Promise<void> {
      await gate.stop();
      tunnel.closeSockets();
      await close(server);
      tunnel.close();
    },
  };
}

/** Refuses a request of a foreign host or page. Returns whether it did. */
function refuse(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const refusal = refusalOf(incoming.headers);
  if (!refusal) return false;
  const error = { code: -32600, message: refusal.message };
  outgoing.writeHead(refusal.status, { 'content-type': 'application/json', connection: 'close' });
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  return true;
}

/** Lets the page that sent the request read the response. The node itself sends no such header. */
function allow({ headers }: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.setHeader('access-control-allow-origin', headers.origin ?? '');
  outgoing.setHeader('vary', 'origin');
  outgoing.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
  outgoing.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? 'content-type');
}

/** A control plane for faults, and the application of faults to JSON-RPC calls. */
function createChainGate({ rpcUrl, instance, keeper }: ServedChain) {
  const faults = createFaults();
  const chainFaults = createChainFaults(rpcUrl, faults, keeper);
  const ask = createAsk({ rpcUrl, keeper });

  const control = new Hono();
  control.get('/sandbox/instance', (c) => c.json({ instance }));
  const { applyNow, release } = chainFaults;
  control.route('/sandbox', faultRoutes({ faults, actor: 'chain', onAdded: applyNow, onCleared: release }));
  control.notFound((c) => toResponse(routeNotFound(c.req.method, c.req.path)));
  control.onError((error) => toResponse(error instanceof HttpError ? error : new HttpError(500, toRpcError(error))));

  async function read(request: Request): Promise<ParsedRequest> {
    const rpcRequest = RpcRequest.from(await request.clone().text());
    if (!rpcRequest) return { subjects: [{ method: request.method, path: '/' }], pointerTo: () => '' };
    return {
      subjects: await Promise.all(rpcRequest.calls.map(chainFaults.subjectOf)),
      pointerTo: (whole, at) => RpcRequest.pointerTo(rpcRequest, whole, at),
    };
  }

  /** Writes what a request that goes to the node on another way will change. @throws StateFileError */
  function note(body: string): void {
    // Nothing says when the node is done.
    for (const call of RpcRequest.from(body)?.calls ?? [])
      if (keeper && !RpcRequest.isRead(call)) setTimeout(keeper.willChange(call.method), unseenMs).unref();
  }

  const node: Fetch = async (request) => {
    const body = await request.text();
    const rpcRequest = RpcRequest.from(body);
    if (!rpcRequest) return await forward(rpcUrl, body);
    const { calls, isBatch } = rpcRequest;
    const answers = await Promise.all(
      calls.map((call) =>
        chainFaults
          .answer(call, ask)
          .catch((error: Error): RpcRequest.Answer => ({ jsonrpc: '2.0', id: call.id, error: toRpcError(error) })),
      ),
    );
    return Response.json(isBatch ? answers : answers[0]);
  };

  const faulty = withFaults(faults, node, { errorBody: documented, parse: read });

  return {
    fetch: (async (request, env) => {
      if (new URL(request.url).pathname.startsWith(controlPrefix)) return await control.fetch(request);
      return await faulty(request, env);
    }) as Fetch,
    /**
     * Whether a request can bypass the gate and go to the node unchanged. The node refuses a body that is not declared as
     * JSON, which a page could send without asking first.
     */
    canBypass: ({ method, url = '', headers }: IncomingMessage): boolean =>
      !url.startsWith(controlPrefix) &&
      (faults.list().length === 0 ||
        method === 'GET' ||
        !/^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')),
    /** Whether a request body does more than read the chain as it is. */
    handles: (body: string): boolean =>
      RpcRequest.from(body)?.calls.some(
        (call) => RpcRequest.blockAhead(call) !== undefined || (keeper !== undefined && !RpcRequest.isRead(call)),
      ) ?? false,
    note,
    isBusy: chainFaults.isBusy,
    stop: chainFaults.stop,
  };
}

function createAsk({ rpcUrl, keeper }: Pick<ServedChain, 'rpcUrl' | 'keeper'>) {
  async function toNode(call: RpcRequest.Call): Promise<RpcRequest.Answer> {
    const { text } = await nodeRpc.post(rpcUrl, JSON.stringify(call));
    return JSON.parse(text) as RpcRequest.Answer;
  }

  async function ask(call: RpcRequest.Call): Promise<RpcRequest.Answer> {
    const ahead = RpcRequest.blockAhead(call);
    if (ahead !== undefined) await mineOn(ahead);
    if (!keeper || RpcRequest.isRead(call)) return await toNode(call);
    const done = keeper.willChange(call.method);
    return await toNode(call).finally(done);
  }

  /**
   * Mines up to a block that is a little ahead. A client asks for it that waits until a receipt is final, and a chain
   * that mines on demand would never get there. One whose mining is paused or paced goes on by itself.
   */
  async function mineOn(block: bigint): Promise<void> {
    const tip = BigInt((await nodeRpc.call(rpcUrl, 'eth_blockNumber')) as string);
    if (block <= tip || block > tip + mostAhead) return;
    if ((await nodeRpc.call(rpcUrl, 'anvil_getAutomine')) !== true) return;
    const mine = { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] };
    for (let next = tip; next < block; next++) await ask(mine);
  }

  return ask;
}

/** How many blocks the chain is mined on for one who asks. */
const mostAhead = 2n;

/** How long a change may take that is not seen to end. */
const unseenMs = 1_000;

async function forward(rpcUrl: string, body: string): Promise<Response> {
  const { status, type, text } = await nodeRpc.post(rpcUrl, body);
  return new Response(text, { status, headers: { 'content-type': type } });
}

/** The JSON-RPC error body that accompanies an HTTP error status. */
function documented(_path: string, status: number): Body {
  const [code, message] =
    status === 429
      ? [-32005, 'Too many requests']
      : status >= 500
        ? [-32603, 'Internal error']
        : [-32600, status === 401 || status === 403 ? 'Unauthorized' : 'Invalid request'];
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

function toRpcError({ message }: Error): { code: number; message: string } {
  return { code: -32603, message };
}
