/** Gates in front of servers: they count what clients send, and act at one message. */
import { createServer, connect as dial, type Server } from 'node:net';

/** A connection whose message is held. */
export type Link = {
  /** Lets the message go on. */
  pass(): void;
  /** What the server says next, kept from the client; empty if it hangs up. */
  answer(): Promise<Buffer>;
  /** Tells the client what the server has said. */
  give(bytes: Buffer): void;
  cut(): void;
};

/** What happens at a message. */
export type Strike = (link: Link) => unknown;

export type Armed = {
  /** How many messages were counted. */
  seen: number;
  hasStruck: boolean;
  /** What the strike has resolved to; rejects if it failed. */
  done: Promise<unknown>;
};

export type Gates = {
  /** Opens one in front of a server; resolves to the server's URL through it. */
  before(url: string): Promise<string>;
  /** From here on, messages are counted over all gates; those alone that match, if there is a pattern. */
  arm(at: number, strike: Strike, only?: RegExp): Armed;
  disarm(): void;
  close(): void;
};

export function openGates(): Gates {
  const servers: Server[] = [];
  let armed: { at: number; strike: Strike; only: RegExp | undefined; is: Armed } | undefined;

  const opened = async (host: string, port: number): Promise<number> => {
    const server = createServer((client) => {
      const upstream = dial(port, host);
      const cut = (): void => [client, upstream].forEach((each) => void each.destroy());
      let take: ((answer: Buffer) => void) | undefined;
      const link = (message: Buffer): Link => ({
        pass() {
          upstream.write(message);
          client.resume();
        },
        answer: () =>
          new Promise((resolve) => {
            take = resolve;
          }),
        give: (bytes) => void client.write(bytes),
        cut,
      });
      client.on('data', (bytes: Buffer) => {
        if (!armed || (armed.only && !armed.only.test(bytes.toString('latin1')))) return void upstream.write(bytes);
        const { at, strike, is } = armed;
        if (++is.seen !== at) return void upstream.write(bytes);
        is.hasStruck = true;
        // What comes next stays behind it.
        client.pause();
        is.done = Promise.resolve(strike(link(bytes)));
        // Whoever awaits it is told.
        is.done.catch(cut);
      });
      upstream.on('data', (bytes: Buffer) => {
        const taken = take;
        take = undefined;
        if (taken) taken(bytes);
        else client.write(bytes);
      });
      upstream.on('close', () => take?.(Buffer.alloc(0)));
      for (const each of [client, upstream]) each.on('error', cut).on('close', cut);
    });
    servers.push(server);
    return listening(server);
  };

  return {
    async before(url) {
      const there = new URL(url);
      const { hostname, host, port } = there;
      return url.replace(host, `127.0.0.1:${await opened(hostname, Number(port))}`);
    },
    arm(at, strike, only) {
      const is: Armed = { seen: 0, hasStruck: false, done: Promise.resolve() };
      armed = { at, strike, only, is };
      return is;
    },
    disarm() {
      armed = undefined;
    },
    close: () => servers.forEach((server) => void server.close()),
  };
}

/** What a pooler does: it has the session with the client, under a process id of its own. */
export function openPooler(port: number): Promise<Between> {
  return openBetween(port, (bytes) => {
    // BackendKeyData: K, length 12, process id, key.
    const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
    if (at >= 0) bytes.writeInt32BE(4_711, at + 5);
  });
}

export type Between = { port: number; close(): void };

/** Stands between a client and a server, and changes what the server says. */
export async function openBetween(port: number, change: (bytes: Buffer) => void): Promise<Between> {
  const server = createServer((client) => {
    const upstream = dial(port, '127.0.0.1');
    client.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      change(bytes);
      client.write(bytes);
    });
    for (const each of [client, upstream])
      each.on('error', () => {}).on('close', () => [client, upstream].forEach((one) => void one.destroy()));
  });
  return { port: await listening(server), close: () => void server.close() };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
