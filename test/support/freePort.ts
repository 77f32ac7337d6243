import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of this machine that is free, for a server that starts later, or again, at the same one. It is below those that the
 * system gives to connections and to whoever asks for any port, so nobody gets it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
