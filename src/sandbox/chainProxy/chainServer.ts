/** Serves a chain to everybody but the sandbox itself, on a port of its own: through its gate where faults stand. */
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { close, listen, urlOf } from '../http/httpServer.js';
import { createChainGate } from './chainGate.js';
import { createPassage } from './proxyTunnel.js';

export type ChainServer = {
  /** The RPC URL for everybody else. */
  url: string;
  /** Whether a fault is still to act by itself. */
  isBusy(): boolean;
  /** Ends it; the node stays, and goes on where a fault had halted it. */
  close(): Promise<void>;
};

/** @throws sandbox.start where it cannot listen */
export async function serveChain({ rpcUrl, instance }: { rpcUrl: string; instance: string }): Promise<ChainServer> {
  const gate = createChainGate({ rpcUrl, instance });
  const passage = createPassage(rpcUrl);
  // Other code in this process keeps its own Request and Response.
  const guarded = getRequestListener(gate.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => {
    if (gate.isOpenTo(incoming)) passage.pass(incoming, outgoing);
    else void guarded(incoming, outgoing);
  });
  server.on('upgrade', passage.join);
  // The node keeps connections for as long as its client does.
  server.keepAliveTimeout = 0;
  await listen(server, 0);
  return {
    url: urlOf(server),
    isBusy: gate.isBusy,
    async close() {
      await gate.stop();
      passage.part();
      await close(server);
      passage.close();
    },
  };
}
