/** What the gate reads: JSON-RPC calls, and the frames of a WebSocket. */
import { describe, expect, test } from 'vitest';
import { createMessageReader } from '../../../src/sandbox/chainProxy/proxyTunnel.js';
import * as RpcRequest from '../../../src/sandbox/chainProxy/RpcRequest.js';

describe('RpcRequest: from', () => {
  test.each(['', 'x', '[]', '{}', '1', 'null', '[{"method":"x"},1]', '{"method":1}'])(
    'behavior: undefined for %s',
    (body) => {
      expect(RpcRequest.from(body)).toBeUndefined();
    },
  );
});

describe('RpcRequest: isRead', () => {
  test.each([
    ['eth_call', true],
    ['debug_traceTransaction', true],
    ['anvil_dumpState', true],
    ['evm_snapshot', true],
    ['eth_sendRawTransaction', false],
    ['anvil_setBalance', false],
    ['evm_revert', false],
    ['whatever', false],
  ])('default: %s', (method, isRead) => {
    expect(RpcRequest.isRead({ method })).toBe(isRead);
  });
});

/** A frame as a client sends it. */
function frame(text: string, { first = 0x81, isMasked = true } = {}): Buffer {
  const content = Buffer.from(text);
  const mask = Buffer.from([0x12, 0x34, 0x56, 0x78]);
  const flag = isMasked ? 0x80 : 0;
  const { length } = content;
  const head =
    length < 126
      ? Buffer.from([first, flag | length])
      : length < 65_536
        ? Buffer.from([first, flag | 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([first, flag | 127]), long(length)]);
  if (!isMasked) return Buffer.concat([head, content]);
  return Buffer.concat([head, mask, content.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}

function long(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}

/** In pieces of so many bytes for as long as frames begin; what a long one goes on with comes in larger ones. */
function messagesIn(bytes: Buffer, step: number): string[] {
  const seen: string[] = [];
  const read = createMessageReader((text) => seen.push(text));
  for (let at = 0; at < bytes.length; ) {
    const size = at < 1_000 ? step : Math.max(step, 4_099);
    read(bytes.subarray(at, at + size));
    at += size;
  }
  return seen;
}

describe('createMessageReader', () => {
  test.each([1, 7, 100_000])('default: in pieces of %i bytes', (step) => {
    const texts = ['{}', 'x'.repeat(300), 'y'.repeat(70_000)];
    expect(messagesIn(Buffer.concat(texts.map((text) => frame(text))), step)).toEqual(texts);
  });

  test('behavior: a message in several frames, with a ping between them', () => {
    const parts = [frame('one ', { first: 0x01 }), frame('ping', { first: 0x89 }), frame('two', { first: 0x80 })];
    expect(messagesIn(Buffer.concat(parts), 5)).toEqual(['one two']);
  });

  test('behavior: without a mask', () => {
    expect(messagesIn(frame('plain', { isMasked: false }), 3)).toEqual(['plain']);
  });
});
