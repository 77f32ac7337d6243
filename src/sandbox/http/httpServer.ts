/** A server on the loopback interface: listens, says where, and closes without cutting answers off. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { BaseError } from '../../core/base/Errors.js';

/** How long requests under way may take once the sandbox ends. */
const graceMs = 2_000;

/** @throws sandbox.start where the port is taken */
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

/** Lets answers under way be given, then hangs up. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection that is kept alive becomes idle with its answer, and nobody else would close it.
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
      facts: [['cause', cause.code === 'EADDRINUSE' ? 'another program listens there' : cause.message]],
      hint: 'Without --port it takes a free one.',
      retryable: false,
      cause,
    });
  }
}
