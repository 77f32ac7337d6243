/** Connections that are opened before anything is asked, so that the first request of an origin need not wait for one. */
import type { Socket } from 'node:net';

/** Where to connect, as undici says it. */
type Target = { protocol: string; hostname: string; host?: string; port: string };

type Done = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/** undici's connector, with the socket that it returns. */
type Connector = (target: Target, done: Done) => Socket;

type Early = {
  socket: Socket;
  state: 'pending' | 'open' | 'failed';
  /** The requests that wait for it. */
  taken: Done | undefined;
};

/** @param connect undici's own */
export function createEarlyConnections(connect: Connector) {
  const early = new Map<string, Early>();
  /** The origins that have had a connection: undici keeps what it has used. */
  const known = new Set<string>();

  return {
    /** Takes the connection that was opened to the origin, once; else connects. */
    connect(target: Target, done: Done): void {
      const origin = `${target.protocol}//${target.host}`;
      known.add(origin);
      const found = early.get(origin);
      early.delete(origin);
      if (found?.state === 'pending') {
        found.socket.ref();
        found.taken = done;
      } else if (found?.state === 'open' && isUsable(found.socket)) {
        found.socket.ref();
        // undici does not expect an answer before it has gone on.
        queueMicrotask(() => done(null, found.socket));
      } else {
        found?.socket.destroy();
        connect(target, done);
      }
    },

    /** Opens a connection to the origin of a URL, if there was none yet. It keeps no process alive. */
    open({ origin, protocol, hostname: bracketed, host, port }: URL): void {
      if (known.has(origin)) return;
      known.add(origin);
      const hostname = bracketed.replace(/^\[(.*)\]$/, '$1');
      const socket = connect({ protocol, hostname, host, port }, (...result) => {
        opening.state = result[0] ? 'failed' : 'open';
        opening.taken?.(...result);
      });
      const opening: Early = { socket, state: 'pending', taken: undefined };
      socket.unref();
      early.set(origin, opening);
    },

    close(): void {
      for (const { socket } of early.values()) socket.destroy();
      early.clear();
    },
  };
}

/** A server that closes what is idle, or speaks unasked, is connected to anew. */
function isUsable({ destroyed, readyState, readableLength }: Socket): boolean {
  return !destroyed && readyState === 'open' && readableLength === 0;
}
