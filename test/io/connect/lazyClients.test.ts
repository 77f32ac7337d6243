import { describe, expect, test } from 'vitest';
import type { Network } from '../../../src/core/network/Network.js';
import { network as sandbox } from '../../../src/core/network/sandbox.js';
import type { Reach } from '../../../src/core/ports/Ports.js';
import { createReach, endAfter } from '../../../src/io/connect/lazyClients.js';
import { createHttp } from '../../../src/io/http/httpClient.js';
import * as Loopback from '../../support/loopback.js';
import { workbench } from '../../support/workbench.js';

/** Clients that reach every server of the sandbox's network at one URL. */
function reachAt(url: string, signal = new AbortController().signal): Reach {
  const chains = sandbox.chains.map((chain) => (chain.name === 'alpha' ? { ...chain, rpcUrl: `${url}/rpc` } : chain));
  const network: Network = { ...sandbox, baseUrl: url, venue: { signingChainId: 1, baseUrl: `${url}/venue` }, chains };
  const http = createHttp({ signal, env: {}, userAgent: 'ferry/test' });
  return createReach({
    fetch: async () => http.fetch,
    open: http.open,
    network: async () => network,
    clock: { now: Date.now, sleep: async () => {} },
    random: () => 0,
    signal,
    host: { ...workbench().host, now: Date.now, sleep: async () => {} },
    say: () => {},
  });
}

describe('createReach', () => {
  test('default: each client is created once and uses its own URL', async () => {
    const server = await Loopback.loopback(Loopback.json({ chains: [], jsonrpc: '2.0', id: 1, result: '0x1' }));
    const reach = reachAt(server.url);
    const [alpha] = sandbox.chains;
    expect(await reach.service()).toBe(await reach.service());
    expect(await reach.venue()).toBe(await reach.venue());
    expect(await reach.chain(alpha as never)).toBe(await reach.chain({ id: 313371 }));
    await (await reach.service()).chains();
    expect(await (await reach.chain({ id: 313371 })).chainId()).toBe(1);
    expect(server.seen.map(({ path }) => path)).toEqual(['/chains', '/rpc']);
  });

  test('behavior: connections to the service and the nodes are open before anything is asked', async () => {
    const server = await Loopback.loopback(Loopback.json({ chains: [], jsonrpc: '2.0', id: 1, result: '0x1' }));
    const reach = reachAt(server.url);
    reach.open(sandbox.chains.filter(({ vm }) => vm !== 'svm'));
    // The service, the node and the venue are one server here.
    await expect.poll(() => server.connections()).toBe(1);
    expect(server.seen).toEqual([]);
    await (await reach.service()).chains();
    expect([server.seen.length, server.connections()]).toEqual([1, 1]);
  });
});

describe('endAfter', () => {
  test('default: gives up on a silent server, at any stage', async () => {
    const server = await Loopback.loopback(Loopback.silence);
    const reach = reachAt(server.url, endAfter(200, new AbortController().signal));
    const ends = await Promise.allSettled([
      reach.service().then((service) => service.chains()),
      reach.chain({ id: 313371 }).then((chain) => chain.chainId()),
      reach.venue().then((venue) => venue.account(1)),
    ]);
    expect(ends.map((end) => end.status === 'rejected' && end.reason.name)).toEqual(Array(3).fill('TimeoutError'));
  });

  test('behavior: the other signal aborts it too, with its own reason', () => {
    const controller = new AbortController();
    const signal = endAfter(60_000, controller.signal);
    const reason = new Error('Ctrl-C');
    controller.abort(reason);
    expect(signal.reason).toBe(reason);
  });
});
