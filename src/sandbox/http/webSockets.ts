/** What the sandbox uses of `ws`: its server, and its reader for messages that pass by. */
import type { Writable } from 'node:stream';
import * as ws from 'ws';

export type WebSocket = ws.WebSocket;

/** A server of the upgrades that it is handed. */
export function createUpgradeServer(maxPayload: number): ws.WebSocketServer {
  return new ws.WebSocketServer({ noServer: true, maxPayload });
}

/** Its types leave it out. */
const { Receiver } = ws as unknown as { Receiver: new (options: Record<string, boolean>) => Writable };

/** Reports each message that a client sends once it is complete. The reader throws for what is no WebSocket. */
export function createMessageReader(onMessage: (text: string) => void): (bytes: Buffer) => void {
  const receiver = new Receiver({ isServer: true, skipUTF8Validation: true });
  receiver.on('message', (content: Buffer) => onMessage(content.toString()));
  receiver.on('error', () => {});
  return (bytes) => {
    // A copy, which it unmasks in place.
    receiver.write(Buffer.from(bytes));
    if (receiver.errored) throw receiver.errored;
  };
}
