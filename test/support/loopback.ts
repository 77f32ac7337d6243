/** Real local servers that behave as a test says, mostly badly. */
import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Certificate, selfSigned } from './certificate.js';

/** A received request. */
export type ReceivedRequest = {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
};

/** How a server handles one request, after reading its body. */
export type Behaviour = (response: ServerResponse, request: ReceivedRequest) => void;

export type Loopback = {
  /** Without a trailing slash. */
  url: string;
  /** Every request so far. */
  seen: ReceivedRequest[];
  /** How many connections were made so far. */
  connections(): number;
};

/** What a server answered, as it came. */
export type Forwarded = { status: number; type: string; text: string };

/** Sends a received request on to a URL, without the headers that belong to its connection. */
export function forward(url: string, { method, headers, body }: Omit<ReceivedRequest, 'path'>): Promise<Forwarded> {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(host|connection|content-length|transfer-encoding|keep-alive|accept-encoding)$/.test(name),
  );
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: Object.fromEntries(kept) }, (answer) => {
      const { statusCode: status = 0, headers: its } = answer;
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .once('error', reject)
        .once('end', () => resolve({ status, type: its['content-type'] ?? 'application/json', text }));
    });
    sent.once('error', reject).end(method === 'GET' ? undefined : body);
  });
}

/** Passes a request on to the server below a URL, and its answer back, with another text if it is to be changed. */
export function passTo(
  baseUrl: string,
  change: (answer: string, request: ReceivedRequest) => string | Promise<string> = (answer) => answer,
): Behaviour {
  return (response, request) => {
    forward(`${baseUrl}${request.path}`, request)
      .then(async ({ status, type, text: answer }) =>
        text(await change(answer, request), type, status)(response, request),
      )
      .catch(() => response.destroy());
  };
}

/** A server on a free port until the test ends. Each request uses the next behaviour; the last one repeats. */
export async function loopback(...behaviours: Behaviour[]): Promise<Loopback> {
  const seen: ReceivedRequest[] = [];
  const server = createServer(listener(seen, behaviours));
  const connections = counted(server);
  return { url: `http://127.0.0.1:${await listen(server)}`, seen, connections };
}

/** A server on a free port for as long as its caller wants. */
export async function front(behave: Behaviour): Promise<{ url: string; close(): Promise<void> }> {
  const { port, close } = await open(createServer(listener([], [behave])));
  return { url: `http://127.0.0.1:${port}`, close };
}

/** The same over TLS, with an untrusted certificate. */
export async function loopbackTls(...behaviours: Behaviour[]): Promise<Loopback> {
  return loopbackBy(selfSigned(), ...behaviours);
}

/** The same over TLS, with the given certificate. */
export async function loopbackBy(certificate: Certificate, ...behaviours: Behaviour[]): Promise<Loopback> {
  const seen: ReceivedRequest[] = [];
  const server = createTlsServer(certificate, listener(seen, behaviours));
  const connections = counted(server);
  return { url: `https://127.0.0.1:${await listen(server)}`, seen, connections };
}

function counted(server: Server): () => number {
  let count = 0;
  server.on('connection', () => count++);
  return () => count;
}

/** A server that answers the first bytes of every connection with other bytes. */
export async function loopbackTcp(answer: string): Promise<string> {
  const port = await listen(createTcpServer((socket) => socket.once('data', () => socket.end(answer))));
  return `http://127.0.0.1:${port}`;
}

/** A URL at which nothing listens: nobody is given this port who asks for any. */
export const nobody = 'http://127.0.0.1:2';

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Behaviour {
  return text(JSON.stringify(value), 'application/json', status, headers);
}

export function text(body: string, type: string, status = 200, headers: Record<string, string> = {}): Behaviour {
  return (response) => response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}

export function html(status = 200): Behaviour {
  return text('<!doctype html><html><body>Bad gateway</body></html>', 'text/html', status);
}

/** Accepts the request and never responds. */
export const silence: Behaviour = () => {};

/** Resets the connection instead of responding. */
export const reset: Behaviour = (response) => response.socket?.resetAndDestroy();

/** Announces more than it sends, then closes the connection. */
export function cutOff(body: string): Behaviour {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length + 100) });
    response.write(body, () => setTimeout(() => response.socket?.destroy(), 20));
  };
}

export function redirect(to: string, status = 302): Behaviour {
  return (response) => response.writeHead(status, { location: to }).end();
}

/** One character every few milliseconds, forever. */
export const slowLoris: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 5);
  response.once('close', () => clearInterval(timer));
};

/** One header at a time, forever. */
export const slowHeaders: Behaviour = ({ socket }) => {
  socket?.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket?.write('x: y\r\n'), 5);
  socket?.once('close', () => clearInterval(timer));
};

/** Headers as fast as the client accepts them, forever. */
export const endlessHeaders: Behaviour = ({ socket }) => {
  const chunk = `x: ${'y'.repeat(1_000)}\r\n`.repeat(16);
  const pour = (): void => {
    while (socket && !socket.destroyed && socket.write(chunk));
  };
  socket?.write('HTTP/1.1 200 OK\r\n');
  socket?.on('drain', pour);
  pour();
};

/** Endless interim responses, without a final one. */
export const promises: Behaviour = ({ socket }) => {
  const timer = setInterval(() => socket?.write('HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'), 5);
  socket?.once('close', () => clearInterval(timer));
};

/** A body as large as the client accepts, forever. */
export const endless: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = 'x'.repeat(64 * 1024);
  const pour = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};

function listener(seen: ReceivedRequest[], behaviours: Behaviour[]): RequestListener {
  return async (request, response) => {
    response.on('error', () => {});
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    const arrived = { method, path: url, headers, body };
    const behave = behaviours[Math.min(seen.length, behaviours.length - 1)] ?? silence;
    seen.push(arrived);
    behave(response, arrived);
  };
}

/** Listens on a free port until the end of the test, then closes all connections. */
export async function listen(server: Server): Promise<number> {
  const { port, close } = await open(server);
  onTestFinished(close);
  return port;
}

async function open(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
