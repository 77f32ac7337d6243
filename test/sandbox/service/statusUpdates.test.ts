import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import * as StatusSocket from '../../../src/core/api/StatusSocket.js';
import * as Url from '../../../src/core/base/Url.js';
import { network } from '../../../src/core/network/sandbox.js';
import { close, listen, urlOf } from '../../../src/sandbox/http/httpServer.js';
import { createLedger } from '../../../src/sandbox/ledger/ledger.js';
import type { Sandbox } from '../../../src/sandbox/service/service.js';
import { createStatusSockets } from '../../../src/sandbox/service/statusUpdates.js';
import { useService, type Wish } from '../../support/customer.js';
import type { Envelope } from '../../support/ferry.js';
import { decode } from '../../support/problems.js';

const service = useService();
const servers: Server[] = [];
let wsUrl: string;

beforeAll(async () => {
  wsUrl = await serve(service.sandbox.upgrade);
});
afterAll(() => Promise.all(servers.map(close)));

/** Where a server of its own takes the upgrades. */
async function serve(upgrade: Sandbox['upgrade']): Promise<string> {
  const server = createServer();
  servers.push(server);
  server.on('upgrade', upgrade);
  await listen(server, 0);
  return Url.webSocket(urlOf(server));
}

type Client = {
  socket: WebSocket;
  seen: Envelope[];
  say(order: unknown): void;
  /** Resolves once so many messages have come. */
  until(count: number): Promise<Envelope[]>;
};

/** A client whose connection is ready. */
async function connect(url = wsUrl, options: object = {}): Promise<Client> {
  const socket = new WebSocket(url, options);
  onTestFinished(() => socket.terminate());
  const seen: Envelope[] = [];
  socket.on('message', (data) => seen.push(JSON.parse(String(data))));
  const until = async (count: number): Promise<Envelope[]> => {
    // A poll would move a clock that a test has faked.
    while (seen.length < count) await once(socket, 'message');
    return seen;
  };
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  await until(1);
  return {
    socket,
    seen,
    until,
    say: (order) => socket.send(typeof order === 'string' ? order : JSON.stringify(order)),
  };
}

const event = 'request.status.updated';
const subscribe = (id: string) => ({ type: 'subscribe', event, filters: { id } });

/** The HTTP status that refuses an upgrade. */
const refusal = (url: string, options: object = {}): Promise<unknown> =>
  connect(url, options).then(
    () => undefined,
    (error: Error) => error.message.replace(/\D/g, ''),
  );

/** A quote of 5 USDC. */
const quoted = (wish: Partial<Wish> = {}) =>
  service.quote({ from: 'alpha/USDC', to: 'beta/USDC', amount: '5000000', ...wish });

describe('statuses', () => {
  test('default: ready, subscribed, and each change of the status until it is delivered', async () => {
    const client = await connect(`${wsUrl}?apiKey=${network.apiKey}`);
    expect(client.seen).toEqual([{ type: 'connection', status: 'ready', data: { id: expect.any(String) } }]);
    const quote = await quoted();
    const { requestId } = quote;
    const bystander = await connect();
    bystander.say(subscribe(`0x${'1'.repeat(64)}`));
    client.say(subscribe(requestId));
    expect((await client.until(2))[1]).toEqual({
      type: 'subscribe',
      status: 'success',
      data: { event, filters: { id: requestId } },
    });
    await service.pay(quote);
    const { status, txHashes } = await service.end(requestId);
    expect(status).toBe('success');
    await expect.poll(() => client.seen.at(-1)?.data.status).toBe('success');
    const updates = client.seen.slice(2).map((each) => decode(StatusSocket.update, each) as StatusSocket.Update);
    expect(updates.map(({ data }) => data.status)).toEqual(['pending', 'submitted', 'success']);
    expect(updates.at(-1)?.data).toMatchObject({
      requestId,
      inTxHashes: [expect.stringMatching(/^0x/)],
      txHashes,
      originChainId: 313371,
      destinationChainId: 313372,
    });
    expect(bystander.seen).toHaveLength(2);
  });

  test('behavior: a refund is told, an unsubscribed request is not', async () => {
    const client = await connect();
    const [refunded, other] = [await quoted({ referrer: 'debug-force-refund' }), await quoted()];
    for (const { requestId } of [refunded, other]) client.say(subscribe(requestId));
    client.say({ type: 'unsubscribe', event, filters: { id: other.requestId } });
    expect((await client.until(4))[3]).toEqual({ type: 'unsubscribe', status: 'success', data: { event } });
    await service.pay(other);
    await service.end(other.requestId);
    await service.pay(refunded);
    await expect.poll(() => client.seen.at(-1)?.data.status).toBe('refund');
    expect(new Set(client.seen.slice(4).map(({ data }) => data.requestId))).toEqual(new Set([refunded.requestId]));
    client.say({ type: 'unsubscribe', event });
    await expect.poll(() => client.seen.at(-1)?.type).toBe('unsubscribe');
  });

  test('error: orders that are none are answered, and the connection stays', async () => {
    const client = await connect();
    for (const order of [
      'no JSON',
      { type: 'subscribe', event: 'top-bids', filters: { id: '1' } },
      { type: 'subscribe', event },
    ])
      client.say(order);
    const answers = (await client.until(4)).slice(1);
    expect(answers.map(({ type, status }) => [type, status])).toEqual(Array(3).fill(['error', 'error']));
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('error: a foreign page, a foreign host, a wrong key, another path', async () => {
    expect(await refusal(wsUrl, { origin: 'https://liar.example' })).toBe('403');
    expect(await refusal(wsUrl, { headers: { host: 'liar.example' } })).toBe('403');
    expect(await refusal(`${wsUrl}?apiKey=wrong`)).toBe('401');
    expect(await refusal(`${wsUrl}other`)).toBe('404');
  });

  test('behavior: whoever answers no ping is dropped, and at the end everybody is told', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const sockets = createStatusSockets({
      ledger: createLedger(Date.now),
      ...{ clock: Date.now, instance: 'test', onUse: () => {}, heartbeatMs: 50 },
    });
    const url = await serve(sockets.upgrade);
    const [deaf, well] = [await connect(url, { autoPong: false }), await connect(url)];
    const pinged = once(well.socket, 'ping');
    vi.advanceTimersByTime(50);
    await pinged;
    // The answer to what it says next shows that its pong has come.
    well.say('');
    await well.until(2);
    const dropped = once(deaf.socket, 'close');
    vi.advanceTimersByTime(50);
    await dropped;
    expect(well.socket.readyState).toBe(WebSocket.OPEN);
    const told = new Promise((resolve) => well.socket.once('close', resolve));
    await sockets.close();
    expect(await told).toBe(1001);
    expect(await refusal(url)).toBe('503');
  });
});
