import { describe, expect, test } from 'vitest';
import { createRpc, type Rpc, RpcError } from '../../../src/io/chain/jsonRpc.js';
import { networkFailure } from '../../support/failures.js';
import * as Loopback from '../../support/loopback.js';
import { optionsAt } from '../../support/node.js';

function rpc(url: string): Rpc {
  return createRpc(optionsAt(url));
}

async function failure(promise: Promise<unknown>): Promise<RpcError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RpcError)) throw error ?? new Error('It did not fail.');
  return error;
}

describe('createRpc', () => {
  test('default', async () => {
    const server = await Loopback.loopback(Loopback.json({ jsonrpc: '2.0', id: 1, result: '0x1' }));
    expect(await rpc(server.url).request({ method: 'eth_chainId', params: ['a'] })).toBe('0x1');
    expect(server.seen).toMatchObject([{ method: 'POST', headers: { 'content-type': 'application/json' } }]);
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_chainId',
      params: ['a'],
    });
  });

  test('behavior: null is a result', async () => {
    const server = await Loopback.loopback(Loopback.json({ jsonrpc: '2.0', id: 1, result: null }));
    expect(await rpc(server.url).request({ method: 'eth_getTransactionByHash' })).toBeNull();
  });

  test('behavior: a read is retried, a transaction is not', async () => {
    const server = await Loopback.loopback(Loopback.html(503));
    await failure(rpc(server.url).request({ method: 'eth_chainId' }));
    expect(server.seen).toHaveLength(3);
    await failure(rpc(server.url).request({ method: 'eth_sendRawTransaction', params: ['0x'] }));
    expect(server.seen).toHaveLength(4);
  });

  test("error: the node's own", async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x12' };
    const server = await Loopback.loopback(Loopback.json({ jsonrpc: '2.0', id: 1, error }));
    expect(await failure(rpc(server.url).request({ method: 'eth_call' }))).toMatchObject({
      code: 3,
      words: 'execution reverted',
      data: '0x12',
      status: undefined,
      isAnswer: true,
      isBusy: false,
    });
    expect(server.seen).toHaveLength(1);
  });

  test("behavior: the node's own error wins over the status", async () => {
    const error = { code: -32000, message: 'nonce too low' };
    const server = await Loopback.loopback(Loopback.json({ jsonrpc: '2.0', id: 1, error }, 400));
    expect(await failure(rpc(server.url).request({ method: 'eth_call' }))).toMatchObject({
      code: -32000,
      status: 400,
      isAnswer: true,
    });
  });

  test.each([
    ['HTML', Loopback.html()],
    ['a list', Loopback.json([])],
    ['a number', Loopback.json(1)],
    ['an error that is a string', Loopback.json({ error: 'no' })],
  ])('error: %s is no answer', async (_, behaviour) => {
    const server = await Loopback.loopback(behaviour);
    expect(await failure(rpc(server.url).request({ method: 'eth_call' }))).toMatchObject({ isAnswer: false });
  });

  test.each([
    ['status 429', Loopback.json({}, 429)],
    ['code 429', Loopback.json({ error: { code: 429, message: 'slow down' } })],
    ['code -32005', Loopback.json({ error: { code: -32005, message: 'limit exceeded' } })],
    ['code -32007', Loopback.json({ error: { code: -32007, message: 'request limit reached' } })],
  ])('error: %s is too many requests', async (_, behaviour) => {
    const server = await Loopback.loopback(behaviour);
    expect(await failure(rpc(server.url).request({ method: 'eth_call' }))).toMatchObject({ isBusy: true });
    expect(server.seen).toHaveLength(3);
  });

  test.each([
    ['in seconds', () => '2', [2_000, 2_000]],
    [
      'as a date',
      () => new Date(Date.now() + 4_500).toUTCString(),
      [expect.closeTo(4_000, -3.3), expect.closeTo(4_000, -3.3)],
    ],
    ['absurdly large', () => '999999999', []],
    ['absent', () => undefined, [100, 200]],
  ])('error: 429 after 429 with a Retry-After %s', async (_, header, expected) => {
    const said = header();
    const server = await Loopback.loopback(Loopback.json({}, 429, said === undefined ? {} : { 'retry-after': said }));
    const pauses: number[] = [];
    const { clock, ...options } = optionsAt(server.url);
    const sleep = async (ms: number) => void pauses.push(ms);
    const node = createRpc({ ...options, clock: { ...clock, sleep } });
    expect(await failure(node.request({ method: 'eth_call' }))).toMatchObject({ isBusy: true });
    expect(pauses).toEqual(expected);
    expect(server.seen).toHaveLength(expected.length + 1);
    await failure(node.request({ method: 'eth_sendRawTransaction', params: ['0x'] }));
    expect(server.seen).toHaveLength(expected.length + 2);
  });

  test.each([
    ['no response', Loopback.silence, 'timeout'],
    ['a trickle', Loopback.slowLoris, 'timeout'],
    ['a trickle of headers', Loopback.slowHeaders, 'timeout'],
    ['an endless response', Loopback.endless, 'too-large'],
  ] as const)('error: %s is bounded, and asked for once', async (_, behaviour, reason) => {
    const server = await Loopback.loopback(behaviour);
    const node = createRpc(optionsAt(server.url, { timeoutMs: reason === 'timeout' ? 100 : 5_000 }));
    expect(await networkFailure(node.request({ method: 'eth_call' }))).toMatchObject({ reason });
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ['eth_call', [60_000, 29_900]],
    ['debug_traceTransaction', [180_000, 149_900, 119_700]],
  ])('error: %s has so long for all attempts', async (method, expected) => {
    const bounds: (number | undefined)[] = [];
    const times = { nowMs: 0 };
    const sleep = async (ms: number) => {
      times.nowMs += ms;
    };
    const node = createRpc({
      ...optionsAt('http://127.0.0.1:1'),
      clock: { now: () => times.nowMs, sleep },
      // Each response takes half a minute by the clock.
      fetch: async (_, init) => {
        bounds.push(init?.withinMs);
        times.nowMs += 30_000;
        return new Response('busy', { status: 503 });
      },
    });
    await failure(node.request({ method }));
    expect(bounds).toEqual(expected);
  });
});
