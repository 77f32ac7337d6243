import { expect, test } from 'vitest';
import { createRpc, type Rpc, RpcError } from '../../../src/io/chain/jsonRpc.js';
import { networkFailure, unanswering } from '../../support/failures.js';
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

test('error: more objects than the heap holds are not parsed', async () => {
  const body = `{"jsonrpc":"2.0","id":1,"result":{"type":"CALL","calls":[${'{},'.repeat(5_000_000)}{}]}}`;
  const fetch = async () => ({ status: 200, headers: { get: () => null }, text: async () => body });
  const laden = createRpc({ ...optionsAt('http://127.0.0.1'), fetch });
  expect((await failure(laden.request({ method: 'debug_traceTransaction' }))).isAnswer).toBe(false);
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

test.each<readonly [what: string, behaviour: Loopback.Behaviour]>([
  ['status 429', Loopback.json({}, 429)],
  ['code 429', Loopback.json({ error: { code: 429, message: 'slow down' } })],
  ['code -32005', Loopback.json({ error: { code: -32005, message: 'limit exceeded' } })],
  ['code -32007', Loopback.json({ error: { code: -32007, message: 'request limit reached' } })],
  ['code -32016', Loopback.json({ error: { code: -32016, message: 'over rate limit' } })],
  ['code -32029', Loopback.json({ error: { code: -32029, message: 'slow down' } })],
  ['code -32090', Loopback.json({ error: { code: -32090, message: 'call rate limit exhausted' } })],
  ['words', Loopback.json({ error: { code: -32000, message: 'Too many requests' } })],
  ['words of a plan', Loopback.json({ error: { code: -32603, message: 'daily request limit reached' } })],
  ['words of units', Loopback.json({ error: { code: -32000, message: 'exceeded its compute units per second' } })],
  ['words instead of an error', Loopback.json({ error: 'rate limit exceeded' })],
  ['a code as text', Loopback.json({ error: { code: '429', message: 'wait' } })],
  ['a code without an error', Loopback.json({ code: 429, message: 'wait' })],
  ['a list for one question', Loopback.json([{ id: null, error: { code: -32005, message: 'wait' } }])],
  ['a text', Loopback.text('rate limited', 'text/plain')],
  ['a code of a gateway', Loopback.text('error code: 1015', 'text/plain')],
  ...[
    'project ID request rate exceeded',
    'daily request count exceeded',
    'Application 1 has exceeded its throughput limit',
    'You have surpassed your allowed throughput limit. Reduce the amount of requests per second',
    'The call limit has been reached, please upgrade your subscription',
    'You have exceeded the free plan limit',
    'limit exceeded',
    'max RPS reached',
    'requests are limited to 50/min',
    'too many concurrent requests',
    'Please slow down',
    '429 Too Many Requests: {"error":{"code":-32016,"message":"over rate limit"}}\n',
  ].map((message) => [`"${message}"`, Loopback.json({ error: { code: -32000, message } })] as const),
  ['a message with status 403', Loopback.json({ message: 'Monthly quota exceeded' }, 403)],
])('error: %s is too many requests', async (_, behaviour) => {
  const server = await Loopback.loopback(behaviour);
  expect(await failure(rpc(server.url).request({ method: 'eth_call' }))).toMatchObject({ isBusy: true });
  expect(server.seen).toHaveLength(3);
});

test.each([
  ['a contract that reverts', { code: 3, message: 'execution reverted: rate limit exceeded' }],
  ['a contract whose words follow none', { code: -32000, message: 'rate limit exceeded', data: '0x12' }],
  ['the gas of a block', { code: -32000, message: 'exceeds block gas limit' }],
  ['the gas left in a block', { code: -32000, message: 'block gas limit reached' }],
  ['a cap on fees', { code: -32000, message: 'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)' }],
  ['a full pool', { code: -32000, message: 'transaction pool limit reached' }],
  ["a key that is not the plan's", { code: -32052, message: 'API key is not allowed to access blockchain' }],
  ['a question that is wrong', { code: -32602, message: 'invalid params: timeout' }],
  ['an unknown method', { code: -32601, message: 'the method trace_call is temporarily off' }],
])('behavior: %s is neither busy nor passing, and asked for once', async (_, error) => {
  const server = await Loopback.loopback(Loopback.json({ jsonrpc: '2.0', id: 1, error }));
  const failed = await failure(rpc(server.url).request({ method: 'eth_call' }));
  expect(failed).toMatchObject({ isBusy: false, isPassing: false });
  expect(server.seen).toHaveLength(1);
});

test.each([
  ['a block that it does not have yet', { code: -32000, message: 'header not found' }],
  ['an internal error', { code: -32603, message: 'Internal error' }],
  ['a resource that is not there', { code: -32002, message: 'resource not available' }],
  ['a deadline', { code: -32000, message: 'context deadline exceeded' }],
  ['no node behind a gateway', { code: 19, message: 'Temporary internal error. Please retry' }],
  ['no node', { code: -32055, message: 'No nodes available' }],
  ['no backend', { code: -32011, message: 'no backend is currently healthy to serve traffic' }],
  ['no upstream', { code: 14, message: "can't find suitable upstream" }],
  ['a state that one of several nodes lacks', { code: -32000, message: 'missing trie node 0x1 (path )' }],
  ['a block that one of several nodes lacks', { code: -32000, message: 'could not find block' }],
  ['a block ahead', { code: -32019, message: 'block is out of range' }],
  ['a node that is not ready', { code: -32000, message: 'chain is not done bootstrapping' }],
  ['a lost connection behind a gateway', { code: -32000, message: 'unexpected EOF' }],
  ['an error in words', 'upstream connect error or disconnect/reset before headers'],
])('behavior: a read is asked for again after %s', async (_, error) => {
  const good = Loopback.json({ jsonrpc: '2.0', id: 1, result: '0x1' });
  const server = await Loopback.loopback(Loopback.json({ jsonrpc: '2.0', id: 1, error }), good);
  expect(await rpc(server.url).request({ method: 'eth_call' })).toBe('0x1');
  expect(server.seen).toHaveLength(2);
});

test.each([
  ['an empty body', Loopback.text('', 'text/plain')],
  ['a body that is cut off', Loopback.text('{"jsonrpc":"2.0","resu', 'application/json')],
  ['a sentence', Loopback.text('no available server', 'text/plain')],
  ['408', Loopback.html(408)],
  ['425', Loopback.html(425)],
  ['529', Loopback.html(529)],
])('behavior: a read is asked for again after %s of a gateway', async (_, behaviour) => {
  const good = Loopback.text('{"jsonrpc":"2.0","id":1,"result":"0x1"}\r\n', 'text/plain');
  const server = await Loopback.loopback(behaviour, good);
  expect(await rpc(server.url).request({ method: 'eth_call' })).toBe('0x1');
  expect(server.seen).toHaveLength(2);
});

test.each([
  ['an error in words', Loopback.json({ error: 'Origin not allowed' }, 403), 'Origin not allowed'],
  ['a message', Loopback.json({ message: 'App is inactive' }, 403), 'App is inactive'],
  [
    'a page',
    (response) => response.writeHead(403).end('<html><head><title>Just a moment...</title></head></html>'),
    'Just a moment...',
  ],
  ['text', (response) => response.writeHead(400).end('Project suspended'), 'Project suspended'],
] as [string, Loopback.Behaviour, string][])('error: what is said with a status, by %s', async (_, said, words) => {
  const server = await Loopback.loopback(said);
  expect(await failure(rpc(server.url).request({ method: 'eth_call' }))).toMatchObject({ words });
});

test.each([
  ['timeout', 1],
  ['too-large', 1],
  ['tls', 1],
  ['refused', 3],
  ['broken', 3],
] as const)('error: where the network fails by %s, a read is asked for %i times', async (reason, times) => {
  const { fetch, calls } = unanswering(reason, {});
  const node = createRpc({ ...optionsAt('http://127.0.0.1:1'), fetch });
  expect(await networkFailure(node.request({ method: 'eth_call' }))).toMatchObject({ reason });
  expect(calls.count).toBe(times);
  await networkFailure(node.request({ method: 'eth_sendRawTransaction', params: ['0x'] }));
  expect(calls.count).toBe(times + 1);
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
