/** HTTP server helpers for the loopback interface: listen, get the URL, close gracefully. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { BaseError } from '../../core/base/Errors.js';

/** Time allowed for in-flight requests at shutdown. */
const graceMs = 2_000;

/** @throws sandbox.start if the port is in use */
export async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new PortError(port, error as NodeJS.ErrnoException);
  }
}

export function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Waits for in-flight responses, then closes all connections. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A keep-alive connection turns idle after its response, and the server would not close it otherwise.
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  const timer = new AbortController();
  await Promise.race([closed, delay(graceMs, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
  clearInterval(sweep);
  server.closeAllConnections();
  await closed;
}

export class PortError extends BaseError {
  override name = 'PortError';
  constructor(port: number, cause: NodeJS.ErrnoException) {
    super('sandbox.start', `The sandbox cannot listen on port ${port}.`, {
      facts: [['reason', cause.code === 'EADDRINUSE' ? 'the port is already in use' : cause.message]],
      hint: 'Omit --port to use a free port.',
      retryable: false,
      cause,
    });
  }
}
