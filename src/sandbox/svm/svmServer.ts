/** Exposes the sandbox's Solana node on a port of its own: JSON-RPC over HTTP, single calls and batches. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { close, listen, urlOf } from '../http/httpServer.js';
import { refusalOf } from '../http/loopbackOnly.js';
import type { SvmNode } from './svmNode.js';
import { answer, RpcRefusal } from './svmRpc.js';

export type SvmServer = {
  /** The RPC URL. */
  url: string;
  /** Calls so far. */
  calls(): number;
  close(): Promise<void>;
};

/** @throws sandbox.start if it cannot listen */
export async function serveSvm(node: SvmNode): Promise<SvmServer> {
  let calls = 0;
  const server = createServer((incoming, outgoing) => {
    const { host, origin } = incoming.headers;
    const refusal = refusalOf({ host, origin });
    if (refusal) return send(outgoing, refusal.status, refusal.body);
    // Pages on this machine may call the chain, as with any other node for development.
    if (origin !== undefined) {
      outgoing.setHeader('access-control-allow-origin', origin);
      outgoing.setHeader('access-control-allow-headers', incoming.headers['access-control-request-headers'] ?? '*');
    }
    if (incoming.method === 'OPTIONS') return void outgoing.writeHead(204).end();
    bodyOf(incoming).then(
      (body) => send(outgoing, 200, respond(body)),
      () => outgoing.destroy(),
    );
  });

  function respond(body: string): unknown {
    let asked: unknown;
    try {
      asked = JSON.parse(body);
    } catch {
      return { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };
    }
    return Array.isArray(asked) ? asked.map(one) : one(asked);
  }

  function one(asked: unknown): unknown {
    const { id = null, method, params } = (typeof asked === 'object' && asked !== null ? asked : {}) as Call;
    calls += 1;
    try {
      if (typeof method !== 'string') throw new RpcRefusal(-32600, 'Invalid request');
      return { jsonrpc: '2.0', id, result: answer(node, method, Array.isArray(params) ? params : []) };
    } catch (error) {
      const known = error instanceof RpcRefusal ? error : new RpcRefusal(-32603, 'Internal error');
      const { code, message, data } = known;
      return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
    }
  }

  await listen(server, 0);
  return { url: urlOf(server), calls: () => calls, close: () => close(server) };
}

type Call = { id?: unknown; method?: unknown; params?: unknown };

/** The longest request that is read. */
const mostBytes = 1_048_576;

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Error('The request is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function send(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
