import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createEarlyConnections } from '../../../src/io/http/earlyConnections.js';

type Connector = Parameters<typeof createEarlyConnections>[0];

/** A server of bare connections, those it has accepted, and what connects to it early. */
async function place() {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  let attempts = 0;
  /** Once each attempt has ended, and what it has opened. */
  const opened: Promise<Socket | undefined>[] = [];
  const real = buildConnector({ timeout: 5_000 }) as Connector;
  const counted: Connector = (options, told) => {
    attempts++;
    let tell = (_: Socket | undefined): void => {};
    opened.push(new Promise((resolve) => (tell = resolve)));
    return real(options, (...answer) => {
      told(...answer);
      tell(answer[1] ?? undefined);
    });
  };
  const early = createEarlyConnections(counted);
  onTestFinished(() => {
    early.close();
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  return {
    early,
    accepted,
    opened,
    server,
    port,
    url: new URL(`http://127.0.0.1:${port}/path?key=1`),
    attempts: () => attempts,
  };
}

/** Connects as undici does. */
function connected({ connect }: ReturnType<typeof createEarlyConnections>, port: string): Promise<Socket> {
  const target = { protocol: 'http:', hostname: '127.0.0.1', host: `127.0.0.1:${port}`, port };
  return new Promise((resolve, reject) => {
    connect(target, (error, socket) => {
      if (!socket) return reject(error);
      onTestFinished(() => void socket.destroy());
      resolve(socket);
    });
  });
}

test('default: the first request takes the connection that is open, the next one opens its own', async () => {
  const { early, accepted, port, url, attempts } = await place();
  early.open(url);
  early.open(url);
  await expect.poll(() => accepted.length).toBe(1);
  const first = await connected(early, port);
  expect([first.localPort, accepted.length, attempts()]).toEqual([accepted[0]?.remotePort, 1, 1]);
  await connected(early, port);
  early.open(url);
  await expect.poll(() => accepted.length).toBe(2);
  expect(attempts()).toBe(2);
});

test('behavior: a request that comes while it is being opened waits for it', async () => {
  const { early, accepted, port, url, attempts } = await place();
  early.open(url);
  await connected(early, port);
  await expect.poll(() => accepted.length).toBe(1);
  expect(attempts()).toBe(1);
});

test('behavior: one that the server has closed, or spoken on, is not used', async () => {
  for (const [isHeard, spoil] of [
    [(socket: Socket) => socket.readyState !== 'open', (socket: Socket) => socket.destroy()],
    [(socket: Socket) => socket.readableLength > 0, (socket: Socket) => socket.write('HTTP/1.1 408 x\r\n\r\n')],
  ] as const) {
    const { early, accepted, opened, port, url, attempts } = await place();
    early.open(url);
    await expect.poll(() => accepted.length).toBe(1);
    const [own, theirs] = [await opened[0], accepted[0]];
    if (!own || !theirs) throw new Error('There is no connection.');
    spoil(theirs);
    await expect.poll(() => isHeard(own)).toBe(true);
    const socket = await connected(early, port);
    await expect.poll(() => accepted.length).toBe(2);
    expect(attempts()).toBe(2);
    expect(socket.localPort).toBe(accepted[1]?.remotePort);
  }
});

test('error: an attempt that fails while a request waits is that request’s failure', async () => {
  const { early, server, port, url, attempts } = await place();
  server.close();
  await once(server, 'close');
  early.open(url);
  await expect(connected(early, port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(attempts()).toBe(1);
});

test('error: an attempt that has failed before is made again', async () => {
  const { early, opened, server, port, url, attempts } = await place();
  server.close();
  await once(server, 'close');
  early.open(url);
  await opened[0];
  await expect(connected(early, port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(attempts()).toBe(2);
});

test('behavior: those that nobody has taken are closed', async () => {
  const { early, accepted, url } = await place();
  early.open(url);
  await expect.poll(() => accepted.length).toBe(1);
  const [socket] = accepted;
  if (!socket) throw new Error('Nothing was accepted.');
  const closed = once(socket.resume(), 'close');
  early.close();
  await closed;
});
