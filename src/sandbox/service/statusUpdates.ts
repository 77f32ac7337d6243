/** Serves the WebSocket of statuses on the port of the service, at its root as the live one. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import * as StatusSocket from '../../core/api/StatusSocket.js';
import * as Decode from '../../core/api/schema/Decode.js';
import { nameOf } from '../http/apiKey.js';
import { refusalOf } from '../http/httpServer.js';
import { createUpgradeServer, type WebSocket } from '../http/webSockets.js';
import type { Entry, Ledger } from '../ledger/ledger.js';
import * as StatusAnswer from '../ledger/StatusAnswer.js';

type SocketOptions = {
  ledger: Pick<Ledger, 'watch'>;
  clock: () => number;
  instance: string;
  /** Called with every message of a client. */
  onUse(): void;
  /** Interval of the pings; a client that does not answer one is dropped before the next. */
  heartbeatMs?: number | undefined;
};

const bounds = { payload: 64 * 1024, subscriptions: 1000, closeMs: 500 };

export function createStatusSockets({ ledger, clock, instance, onUse, heartbeatMs = 30_000 }: SocketOptions) {
  const server = createUpgradeServer(bounds.payload);
  /** The requests that each connection follows, in lower case. */
  const followed = new Map<WebSocket, Set<string>>();
  const alive = new WeakSet<WebSocket>();
  let isClosed = false;

  server.on('headers', (headers) => headers.push(`x-sandbox-instance: ${instance}`));
  const unwatch = ledger.watch((entry, before) => {
    if (!before || entry.status === before.status) return;
    const id = entry.order.requestId.toLowerCase();
    const text = JSON.stringify(updateOf(entry, clock()));
    for (const [socket, ids] of followed) if (ids.has(id)) socket.send(text);
  });
  const heartbeat = setInterval(() => {
    for (const socket of followed.keys()) {
      if (!alive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, heartbeatMs);
  heartbeat.unref();

  function serve(socket: WebSocket): void {
    const ids = new Set<string>();
    followed.set(socket, ids);
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => followed.delete(socket));
    socket.on('message', (data) => {
      onUse();
      socket.send(JSON.stringify(answerTo(String(data), ids)));
    });
    const id = randomBytes(6).toString('hex');
    socket.send(JSON.stringify({ type: 'connection', status: 'ready', data: { id } } satisfies StatusSocket.Ready));
  }

  return {
    /** Handles an upgrade of the HTTP server. */
    upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
      // Until it is a WebSocket, nobody else listens.
      socket.on('error', () => socket.destroy());
      const status = isClosed ? 503 : (refusalOf(incoming.headers)?.status ?? refusedStatus(incoming));
      if (status !== undefined) socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\nconnection: close\r\n\r\n`);
      else server.handleUpgrade(incoming, socket, head, serve);
    },
    /** Closes all connections, as a service does that restarts. */
    async close(): Promise<void> {
      isClosed = true;
      unwatch();
      clearInterval(heartbeat);
      const sockets = [...followed.keys()];
      const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of sockets) socket.close(1001, 'The sandbox stops');
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.terminate();
      }, bounds.closeMs);
      await Promise.all(closed);
      clearTimeout(timer);
      server.close();
    },
  };
}

const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
};

/** Another path than the root, or a key that is none. Without a key everybody is served, as on the live one. */
function refusedStatus({ url = '/' }: IncomingMessage): number | undefined {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (pathname !== '/') return 404;
  const key = searchParams.get(StatusSocket.keyParameter);
  return key === null || nameOf(key) !== undefined ? undefined : 401;
}

function answerTo(text: string, ids: Set<string>): StatusSocket.Answer {
  const decoding = Decode.from(StatusSocket.order, parse(text));
  if (!decoding.ok) return error(decoding.problems.map(Decode.format).join('; '));
  const { type, event, filters } = decoding.value;
  if (type === 'unsubscribe') {
    if (filters) ids.delete(filters.id.toLowerCase());
    else ids.clear();
    return { type, status: 'success', data: { event } };
  }
  if (ids.size >= bounds.subscriptions) return error(`At most ${bounds.subscriptions} subscriptions`);
  ids.add(filters.id.toLowerCase());
  return { type, status: 'success', data: { event, filters } };
}

function error(message: string): StatusSocket.Answer {
  return { type: 'error', status: 'error', data: { message } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function updateOf(entry: Entry, nowMs: number): StatusSocket.Update {
  const { order, status, updatedAtMs } = entry;
  const { inTxHashes = [], txHashes = [] } = StatusAnswer.from(entry);
  return {
    event: StatusSocket.event,
    data: {
      status,
      inTxHashes: [...(inTxHashes ?? [])],
      txHashes: [...(txHashes ?? [])],
      updatedAt: updatedAtMs,
      originChainId: order.origin.chainId,
      destinationChainId: order.destination.chainId,
      requestId: order.requestId,
    },
    publishedAt: nowMs,
  };
}
