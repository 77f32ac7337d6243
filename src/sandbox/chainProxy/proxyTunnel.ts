/** Proxies requests and WebSocket connections to a node without parsing them. */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Duplex, Transform } from 'node:stream';

export function createTunnel(rpcUrl: string) {
  const { hostname: host, port } = new URL(rpcUrl);
  const agent = new Agent({ keepAlive: true });
  const sockets = new Set<Socket>();

  return {
    /** With the body, if it has been read already. */
    forward(incoming: IncomingMessage, outgoing: ServerResponse, body?: Buffer): void {
      const { method, url: path } = incoming;
      const proxied = request({ host, port, method, path, headers: endToEnd(incoming.headers), agent }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
        answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
      });
      // To the client, a dead node looks like a dropped connection, as it would without the proxy.
      proxied.on('error', () => outgoing.destroy());
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) proxied.destroy();
      });
      if (body) proxied.end(body);
      else incoming.pipe(proxied);
    },
    /** Handles a WebSocket upgrade: pipes both sockets into each other. `onSent` sees what the client sends first. */
    upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, onSent: (bytes: Buffer) => void = () => {}): void {
      const node = connect(Number(port), host, () => {
        const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
        for (let i = 0; i < incoming.rawHeaders.length; i += 2)
          // Without extensions, such as compression, the messages can be read.
          if (!/^sec-websocket-extensions$/i.test(incoming.rawHeaders[i] ?? ''))
            lines.push(`${incoming.rawHeaders[i]}: ${incoming.rawHeaders[i + 1]}`);
        node.write(`${lines.join('\r\n')}\r\n\r\n`);
        const seen = new Transform({
          transform(bytes: Buffer, _, done) {
            try {
              onSent(bytes);
              done(null, bytes);
            } catch (error) {
              done(error as Error);
            }
          },
        });
        seen.on('error', () => node.destroy());
        seen.write(head);
        node.pipe(socket).pipe(seen).pipe(node);
      });
      sockets.add(node);
      node.once('close', () => {
        sockets.delete(node);
        socket.destroy();
      });
      socket.once('close', () => node.destroy());
      for (const side of [node, socket]) side.on('error', () => node.destroy());
    },
    /** Closes the WebSocket connections. */
    closeSockets(): void {
      for (const node of sockets) node.destroy();
    },
    /** Closes the keep-alive connections to the node. */
    close: () => agent.destroy(),
  };
}

/** Headers without the hop-by-hop ones. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, expect: ____, ...own } = headers;
  return own;
}
