/**
 * Exposes a chain on its own port to everything but the sandbox itself: requests pass through the gate while faults are
 * active.
 */
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { close, listen, urlOf } from '../http/httpServer.js';
import { createChainGate } from './chainGate.js';
import { createTunnel } from './proxyTunnel.js';

export type ChainServer = {
  /** The public RPC URL. */
  url: string;
  /** Whether an action of a fault is scheduled. */
  isBusy(): boolean;
  /** Closes the server and undoes its faults; the node keeps running. */
  close(): Promise<void>;
};

/** @throws sandbox.start if it cannot listen */
export async function serveChain({ rpcUrl, instance }: { rpcUrl: string; instance: string }): Promise<ChainServer> {
  const gate = createChainGate({ rpcUrl, instance });
  const tunnel = createTunnel(rpcUrl);
  // Leave the global Request and Response alone for other code in this process.
  const guarded = getRequestListener(gate.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => {
    if (gate.canBypass(incoming)) tunnel.forward(incoming, outgoing);
    else void guarded(incoming, outgoing);
  });
  server.on('upgrade', tunnel.upgrade);
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
