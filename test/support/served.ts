/** A sandbox's service on a real local server, for requests with headers that fetch forbids. */
import { once } from 'node:events';
import { request as requestOver, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../src/sandbox/service/service.js';

/** Listens until the test ends; returns the port. */
export async function listen(sandbox: Pick<Sandbox, 'fetch'>): Promise<number> {
  const options = { fetch: sandbox.fetch, overrideGlobalObjects: false };
  const server = createAdaptorServer(options) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends a request, a POST if it has a body. Rejects if the connection is lost. */
export function send(port: number, path: string, headers: Record<string, string> = {}, body?: string) {
  return new Promise<{ status: number }>((resolve, reject) => {
    const sent = requestOver({
      port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      agent: false,
    });
    sent.once('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
