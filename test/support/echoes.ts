/** Servers that send back what they were sent, and a home that is full of secrets. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { basicFormsOf, formsOf } from './secretForms.js';

export type Secrets = Readonly<
  Record<'login' | 'short' | 'token' | 'query' | 'apiKey' | 'proxy' | 'key' | 'venueKey' | 'password', string>
>;

/** Secrets of every kind. None occurs by chance. */
export const secrets: Secrets = {
  /** A password with characters that every encoding writes in another way. */
  login: 'p@ss w+rd/ü="%7',
  /** Too short to be masked alone. */
  short: 'q7',
  token: 'tok3n-4f9a81c7d2e6b035',
  query: 'Qu3ry.5a7c90b1e4d8f263',
  apiKey: 'api-K3y_77d1c0ffee99',
  proxy: 'pr0xy:pass/w+rd',
  key: `0x${'5e'.repeat(12)}c0ffee${'a17b'.repeat(8)}9d`.padEnd(66, '3'),
  venueKey: `0x${'1b3d5f7a'.repeat(9)}00112233`,
  password: 'k3ystore p@ssphrase',
};

/** Every form of every secret. */
export const allForms: readonly (readonly [name: string, form: string])[] = [
  ...Object.entries(secrets)
    .filter(([name]) => name !== 'short')
    .flatMap(([name, secret]) => formsOf(secret).map(([how, form]) => [`${name} ${how}`, form] as const)),
  ...basicFormsOf('ada', secrets.login).map(([how, form]) => [`login: ${how}`, form] as const),
  ...basicFormsOf('bob', secrets.short).map(([how, form]) => [`short: ${how}`, form] as const),
  ...basicFormsOf('eve', secrets.proxy).map(([how, form]) => [`proxy: ${how}`, form] as const),
];

/** The forms of what a server is sent: keys that sign never leave the process. */
export const sentForms = allForms.filter(([name]) => !/^(key|venueKey|password) /.test(name));

/** The names of the secrets that a text holds, in any letter case. */
export function found(text: string): string[] {
  const flat = text.toLowerCase();
  return allForms.filter(([, form]) => flat.includes(form.toLowerCase())).map(([name]) => name);
}

export type Echo = { url: string; port: number; seen: string[] };

/** A server, and a proxy, that answers with a text and repeats the request's line, headers and body. */
export async function echo(status: () => number, words: () => string): Promise<Echo> {
  const seen: string[] = [];
  const answer: RequestListener = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const sent = sentWith(request);
    seen.push(sent);
    const message = `${words()} ${sent} ${body.slice(0, 50)}`;
    response.writeHead(status(), { 'content-type': 'application/json' });
    response.end(JSON.stringify(bodyOf(request.url ?? '', message)));
  };
  const server = createServer(answer);
  const tunnels = new Set<Duplex>();
  server.on('connect', (request: IncomingMessage, socket) => {
    tunnels.add(socket);
    const inner = createServer((one, response) => {
      one.headers['proxy-authorization'] = request.headers['proxy-authorization'];
      void answer(one, response);
    });
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    inner.emit('connection', socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    // Nothing closes these by itself, while somebody keeps them for the next request.
    for (const tunnel of tunnels) tunnel.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, seen };
}

function sentWith({ url = '', headers }: IncomingMessage): string {
  const { authorization = '', 'x-api-key': apiKey = '', 'proxy-authorization': proxy = '' } = headers;
  return [authorization, String(apiKey), proxy, url].filter((each) => each !== '').join(' ');
}

/** As a service, a venue or a node would say it: all of it at once. */
function bodyOf(path: string, message: string): unknown {
  if (path.includes('/api/')) return { code: 20_013, message };
  return { message, error: { code: -32_000, message, data: message }, jsonrpc: '2.0', id: 1, details: message };
}

/** Writes files below a folder; returns their paths. */
export function filled(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { mode: 0o600 });
      return [name, path];
    }),
  );
}

/** Every file below a folder, but those that the test wrote: its path and its text. */
export function written(folder: string, given: readonly string[]): [path: string, text: string][] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !given.includes(path))
    .map((path) => [path, readFileSync(path, 'latin1') + readFileSync(path, 'utf8')]);
}
