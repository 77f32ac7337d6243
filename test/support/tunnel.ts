/** A real local HTTP proxy that behaves as a test says. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { listen } from './loopback.js';

export type Tunnel = {
  /** The status with which every tunnel is refused. */
  refusal?: number;
  /** Required credentials, as `user:password`. */
  login?: string;
  does?: 'silence' | 'trickle';
  /** When it lets tunnels through. */
  until?: Promise<void>;
};

/** A proxy that connects every tunnel to one target, or behaves as configured. */
export async function tunnel(target: string, how: Tunnel = {}): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.on('error', () => {});
    if (how.refusal) return socket.end(`HTTP/1.1 ${how.refusal} No\r\n\r\n`);
    if (how.does === 'silence') return;
    if (how.does === 'trickle') {
      const timer = setInterval(() => socket.write('x: y\r\n'), 5);
      socket.write('HTTP/1.1 200 OK\r\n');
      return socket.once('close', () => clearInterval(timer));
    }
    const wanted = how.login && `Basic ${Buffer.from(how.login).toString('base64')}`;
    if (wanted && request.headers['proxy-authorization'] !== wanted)
      return socket.end('HTTP/1.1 407 No\r\nproxy-authenticate: Basic realm="x"\r\n\r\n');
    const { hostname, port } = new URL(target);
    const upstream = connect(Number(port), hostname, () => {
      void (how.until ?? Promise.resolve()).then(() => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
    });
    upstream.on('error', () => socket.destroy());
    socket.once('close', () => upstream.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}
