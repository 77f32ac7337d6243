/**
 * Servers in front of others that let every connection and every request wait first, as an ordinary network does: one round
 * trip to connect, one to ask. A process of its own: what is measured must not wait for whoever measures.
 *
 * `node latency.mjs MS URL …` prints the URLs of its servers as a JSON line, in the same order, and runs until it is killed.
 */
import { Agent, createServer, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const [ms = '100', ...targets] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

const urls = await Promise.all(targets.map(listen));
process.stdout.write(`${JSON.stringify(urls)}\n`);

/**
 * @param {string} target
 * @returns {Promise<string>}
 */
async function listen(target) {
  /** @type {WeakMap<import('node:net').Socket, Promise<unknown>>} */
  const connected = new WeakMap();
  const server = createServer(async (asked, answer) => {
    const { method, headers, url = '/' } = asked;
    const { host: _, connection: __, ...kept } = headers;
    await connected.get(asked.socket);
    setTimeout(() => {
      const onward = request(new URL(url, target), { method, headers: kept, agent }, (found) => {
        answer.writeHead(found.statusCode ?? 502, found.headers);
        found.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      asked.pipe(onward);
    }, Number(ms));
  });
  server.on('connection', (socket) => connected.set(socket, delay(Number(ms))));
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}
