/**
 * Exposes a chain on its own port to everything but the sandbox itself: requests pass through the gate while faults are
 * active.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { ChainKeeper } from '../chain/chainKeeper.js';
import { close, listen, urlOf } from '../http/httpServer.js';
import { refusalOf } from '../http/loopbackOnly.js';
import { createChainGate } from './chainGate.js';
import { createMessageReader, createTunnel } from './proxyTunnel.js';

export type ChainServer = {
  /** The public RPC URL. */
  url: string;
  /** Whether an action of a fault is scheduled. */
  isBusy(): boolean;
  /** Closes the server and undoes its faults; the node keeps running. */
  close(): Promise<void>;
};

/** @throws sandbox.start if it cannot listen */
export async function serveChain(options: {
  rpcUrl: string;
  instance: string;
  keeper?: ChainKeeper | undefined;
}): Promise<ChainServer> {
  const { rpcUrl, keeper } = options;
  const gate = createChainGate(options);
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
    const body = await bodyOf(incoming).catch(() => undefined);
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
    url: urlOf(server),
    isBusy: gate.isBusy,
    async close() {
      await gate.stop();
      tunnel.closeSockets();
      await close(server);
      tunnel.close();
    },
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts);
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
