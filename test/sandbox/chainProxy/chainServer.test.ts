import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { createPublicClient, keccak256, webSocket } from 'viem';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ChainKeeper } from '../../../src/sandbox/chain/chainKeeper.js';
import { serveChain } from '../../../src/sandbox/chainProxy/chainServer.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { addFaultAt } from '../../support/faults.js';
import { useGate } from '../../support/gate.js';
import { nobody } from '../../support/loopback.js';
import { ask } from '../../support/node.js';

const gate = useGate();

/** A response without its varying headers. */
async function responseOf(url: string, init: RequestInit): Promise<unknown[]> {
  const answer = await fetch(url, init);
  const { date: _, connection: __, 'keep-alive': ___, ...headers } = Object.fromEntries(answer.headers);
  return [answer.status, headers, await answer.text()];
}

const json = { 'content-type': 'application/json' };
/** A request with any headers, which `fetch` would not send. */
async function raw(
  { method = 'POST', ...headers }: Record<string, string>,
  body = '',
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }> {
  const asked = request(gate.url, { method, headers }).end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, headers: answer.headers, body: text };
}

const chainId = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';

describe('serveChain', () => {
  test.each<[string, RequestInit]>([
    ['a call', { method: 'POST', headers: json, body: chainId }],
    ['a batch', { method: 'POST', headers: json, body: `[${chainId},${chainId}]` }],
    ['nonsense', { method: 'POST', headers: json, body: 'nonsense' }],
    ['another kind of body', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: chainId }],
    ['a GET', { method: 'GET' }],
  ])("default: %s gets the node's response", async (_, init) => {
    expect(await responseOf(gate.url, init)).toEqual(await responseOf(gate.nodeUrl, init));
  });

  test('behavior: preflight and GET requests bypass faults', async () => {
    await gate.fault({ kind: 'drop', times: 0 });
    expect(await responseOf(gate.url, { method: 'GET' })).toEqual(await responseOf(gate.nodeUrl, { method: 'GET' }));
    expect((await fetch(gate.url, { method: 'OPTIONS' })).status).toBe(204);
    await expect(gate.ask('eth_chainId')).rejects.toThrow('fetch failed');
  });

  test.each([
    ['no faults', false],
    ['faults', true],
  ])('behavior: with %s, a page on this machine may call, and a wallet may', async (_, faulty) => {
    if (faulty) await gate.fault({ kind: 'drop', times: 0, match: { rpc: 'eth_syncing' } });
    for (const origin of ['http://localhost:3000', 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn']) {
      const preflight = await raw({ method: 'OPTIONS', origin, 'access-control-request-headers': 'content-type,x-id' });
      expect(preflight).toMatchObject({
        status: 204,
        headers: { 'access-control-allow-origin': origin, 'access-control-allow-headers': 'content-type,x-id' },
      });
      const answer = await raw({ origin, 'content-type': 'application/json' }, chainId);
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'origin' });
      expect(JSON.parse(answer.body).result).toBe('0x4c81b');
    }
  });

  const balance = (): Promise<unknown> => gate.node('eth_getBalance', poor, 'latest');
  const poor = '0x00000000000000000000000000000000000000dd';
  const enrich = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [poor, '0x64'] });

  describe.each([
    ['no faults', false],
    ['faults', true],
  ])('error: with %s', (_, faulty) => {
    test.each<[string, Record<string, string>]>([
      ['a foreign page', { origin: 'https://evil.example', 'content-type': 'application/json' }],
      [
        'a foreign page, with a body that needs no preflight',
        { origin: 'https://evil.example', 'content-type': 'text/plain' },
      ],
      ['a page without an origin', { origin: 'null', 'content-type': 'text/plain' }],
      ['a foreign host name, as DNS rebinding sends it', { host: 'evil.example', 'content-type': 'application/json' }],
      ['a foreign host name and its page', { host: 'evil.example:8545', origin: 'http://evil.example:8545' }],
    ])('%s is refused, and changes nothing', async (__, headers) => {
      if (faulty) await gate.fault({ kind: 'drop', times: 0, match: { rpc: 'eth_syncing' } });
      const answer = await raw(headers, enrich);
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(JSON.parse(answer.body).error.message).toMatch(/^The sandbox only accepts requests/);
      expect((await raw({ ...headers, method: 'OPTIONS' })).status).toBe(403);
      expect(await balance()).toBe('0x0');
    });

    test('text that is not declared as JSON changes nothing either', async () => {
      if (faulty) await gate.fault({ kind: 'drop', times: 0, match: { rpc: 'eth_syncing' } });
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
        expect(JSON.parse((await raw({ 'content-type': type }, enrich)).body).error.code).toBe(-32600);
      expect(JSON.parse((await raw({}, enrich)).body).error.code).toBe(-32600);
      expect(await balance()).toBe('0x0');
    });
  });

  test.each([{ origin: 'https://evil.example' }, { host: 'evil.example' }, { origin: 'null' }])(
    'error: a WebSocket with %j is refused',
    async (headers) => {
      const asked = request(gate.url, {
        headers: {
          ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          ...headers,
        },
      }).end();
      const [answer] = await once(asked, 'response');
      answer.resume();
      expect(answer.statusCode).toBe(403);
    },
  );

  test('behavior: keep-alive connections, and large bodies both ways', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<unknown>();
    const post = async (body: string): Promise<string> => {
      const asked = request(gate.url, { method: 'POST', headers: json, agent }).end(body);
      asked.once('socket', (socket) => sockets.add(socket));
      const [answer] = await once(asked, 'response');
      let text = '';
      for await (const chunk of answer) text += chunk;
      return text;
    };
    for (let i = 0; i < 20; i++) expect(await post(chainId)).toContain('0x4c81b');
    const data = `0x${'ab'.repeat(2 ** 20)}`;
    const to = '0x00000000000000000000000000000000000000cc';
    const body = (method: string, ...params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    await post(body('anvil_setCode', to, data));
    expect(JSON.parse(await post(body('eth_getCode', to, 'latest'))).result).toBe(data);
    expect(sockets.size).toBe(1);
    agent.destroy();
  });

  test('behavior: clients that disconnect early do not affect others', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_dumpState' });
    for (let ms = 0; ms < 20; ms++) {
      const signal = AbortSignal.timeout(ms);
      const left = fetch(gate.url, { method: 'POST', headers: json, body, signal }).then((answer) => answer.text());
      await left.catch(() => undefined);
    }
    const half = connect(Number(new URL(gate.url).port), '127.0.0.1');
    half.write('POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n{"jsonrpc"');
    // The server says that it has begun to read.
    expect(String(await once(half, 'data'))).toContain('100 Continue');
    half.resetAndDestroy();
    expect(await gate.ask('eth_chainId')).toBe('0x4c81b');
  });

  test('behavior: a dead node looks dead', async () => {
    const other = await serveChain({ rpcUrl: nobody, instance: 'test' });
    await expect(ask(other.url, 'eth_chainId')).rejects.toThrow('fetch failed');
    await other.close();
  });

  test('behavior: WebSockets connect to the node itself', async () => {
    const transport = webSocket(gate.url.replace('http', 'ws'));
    const client = createPublicClient({ transport });
    expect(await client.getChainId()).toBe(313371);
    const heads: bigint[] = [];
    const stop = client.watchBlockNumber({ onBlockNumber: (number) => heads.push(number) });
    // A block is heard of once the subscription is there.
    await expect.poll(async () => await gate.node('anvil_mine', '0x1').then(() => heads.length)).toBeGreaterThan(0);
    await gate.node('anvil_mine', '0x1');
    const height = BigInt((await gate.node('eth_blockNumber')) as string);
    await expect.poll(() => heads.at(-1)).toBe(height);
    stop();
    (await client.transport.getRpcClient()).close();
  });

  test('behavior: what a WebSocket changes is told before, in one frame or several, or is not done', async () => {
    const told: string[] = [];
    const willChange = (method: string) => {
      if (told.push(method) > 2) throw new Error('The disk is full.');
      return () => {};
    };
    const keeper = { willChange } as unknown as ChainKeeper;
    const other = await serveChain({ rpcUrl: gate.nodeUrl, instance: 'test', keeper });
    const socket = new WebSocket(other.url.replace('http', 'ws'));
    await once(socket, 'open');
    const mine = JSON.stringify(call(1, 'anvil_mine'));
    socket.send(mine.slice(0, 20), { fin: false });
    socket.ping();
    socket.send(mine.slice(20));
    await once(socket, 'message');
    expect(told).toEqual(['anvil_mine']);
    const code = `0x${'cd'.repeat(2 ** 17)}`;
    socket.send(JSON.stringify(call(2, 'anvil_setCode', dev1.address, code)));
    await once(socket, 'message');
    expect(await gate.node('eth_getCode', dev1.address, 'latest')).toBe(code);
    await gate.node('anvil_setCode', dev1.address, '0x');
    expect(told).toEqual(['anvil_mine', 'anvil_setCode']);
    const height = await gate.node('eth_blockNumber');
    socket.send(mine);
    await once(socket, 'close');
    expect([told.length, await gate.node('eth_blockNumber')]).toEqual([3, height]);
    await other.close();
  });

  test('behavior: closes despite open connections, and leaves the node unchanged', async () => {
    const other = await serveChain({ rpcUrl: gate.nodeUrl, instance: 'test' });
    const port = Number(new URL(other.url).port);
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const client = createPublicClient({ transport: webSocket(other.url.replace('http', 'ws'), { reconnect: false }) });
    await client.getChainId();
    await addFaultAt(other.url, { kind: 'endless' });
    // It is read when the server has closed: until then the rest of it waits.
    const endless = await fetch(other.url, { method: 'POST', headers: json, body: chainId });
    await addFaultAt(other.url, { kind: 'chain', does: 'halt' });
    await other.close();
    await expect(endless.text()).rejects.toThrow();
    await expect(ask(other.url, 'eth_chainId')).rejects.toThrow('fetch failed');
    expect(await gate.node('anvil_getAutomine')).toBe(true);
    idle.destroy();
  });
});

const { dev0, dev1 } = accounts;

function post(body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(gate.url, { method: 'POST', headers, body: JSON.stringify(body) });
}

const call = (id: unknown, method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id, method, params });
const nonce = async ({ address }: { address: string }) =>
  Number(await gate.node('eth_getTransactionCount', address, 'latest'));

describe('/sandbox', () => {
  test('default: faults are added, listed and cleared', async () => {
    expect(await (await fetch(`${gate.url}/sandbox/instance`)).json()).toEqual({ instance: 'test' });
    const id = await gate.fault({ kind: 'drop', match: { rpc: 'eth_chainId' } });
    const list = async () => (await (await fetch(`${gate.url}/sandbox/faults`)).json()) as { faults: unknown[] };
    expect(await list()).toMatchObject({ faults: [{ id, kind: 'drop', met: 0 }] });
    const cleared = await fetch(`${gate.url}/sandbox/faults/${id}`, { method: 'DELETE' });
    expect(await cleared.json()).toEqual({ cleared: 1 });
    expect(await list()).toEqual({ faults: [] });
  });

  test.each([
    [{ kind: 'solver', does: 'stuck' }, 'body/kind solver does not apply here'],
    [{ kind: 'sequencer', does: 'stuck' }, 'body/kind sequencer does not apply here'],
    [{ kind: 'skew', skewMs: 1 }, 'body/kind skew does not apply here'],
    [
      { kind: 'chain', does: 'explode' },
      expect.stringMatching(/^body\/does must be equal to one of the allowed values: halt, evict, /),
    ],
    [{ kind: 'chain', does: 'skew' }, 'body is not allowed'],
    [{ kind: 'chain', does: 'halt', skewMs: 1 }, 'body is not allowed'],
  ])('error: %j', async (fault, message) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${gate.url}/sandbox/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
    expect([answer.status, await answer.json()]).toMatchObject([400, { message }]);
  });

  test('error: an unknown path, and a foreign host name', async () => {
    expect((await fetch(`${gate.url}/sandbox/nothing`)).status).toBe(404);
    const asked = request(`${gate.url}/sandbox/faults`, { headers: { host: 'evil.example' } }).end();
    const [answer] = await once(asked, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(403);
  });
});

describe('requests under faults', () => {
  test("default: requests without a matching fault get the node's response", async () => {
    await gate.fault({ kind: 'status', status: 500, times: 0, match: { rpc: 'eth_syncing' } });
    const one = await post(call('x', 'eth_chainId'));
    expect(await one.json()).toEqual({ jsonrpc: '2.0', id: 'x', result: '0x4c81b' });
    const batch = await post([call(2, 'eth_blockNumber'), call(1, 'eth_chainId'), call(3, 'eth_nonsense')]);
    expect(await batch.json()).toEqual([
      { jsonrpc: '2.0', id: 2, result: await gate.node('eth_blockNumber') },
      { jsonrpc: '2.0', id: 1, result: '0x4c81b' },
      { jsonrpc: '2.0', id: 3, error: { code: -32601, message: 'Method not found' } },
    ]);
    expect(await (await post('nonsense')).json()).toMatchObject({ error: { code: -32600 } });
  });

  test('behavior: repeated 429 with a JSON-RPC error', async () => {
    const headers = { 'retry-after': '1' };
    await gate.fault({ kind: 'status', status: 429, headers, times: 3, match: { rpc: 'eth_blockNumber' } });
    for (let i = 0; i < 3; i++) {
      const answer = await post(call(i, 'eth_blockNumber'));
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await answer.json()).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32005, message: 'Too many requests' },
      });
      expect((await post(call(i, 'eth_chainId'))).status).toBe(200);
    }
    expect((await post(call(1, 'eth_blockNumber'))).status).toBe(200);
  });

  test('behavior: connections lost before and after the node acts', async () => {
    const before = await nonce(dev0);
    const match = { rpc: 'eth_sendRawTransaction' };
    const raw = await gate.sign();
    for (const kind of ['drop', 'reset'] as const) {
      await gate.fault({ kind, match });
      await expect(gate.ask('eth_sendRawTransaction', raw)).rejects.toThrow('fetch failed');
    }
    expect(await gate.node('eth_getTransactionByHash', keccak256(raw))).toBeNull();
    await gate.fault({ kind: 'drop-after', match });
    await expect(gate.ask('eth_sendRawTransaction', raw)).rejects.toThrow('fetch failed');
    await gate.receipt(keccak256(raw));
    expect(await nonce(dev0)).toBe(before + 1);
  });

  test('behavior: a reset sends RST, a drop only closes', async () => {
    const failureMessage = async () => {
      const asked = request(gate.url, { method: 'POST', headers: { 'content-type': 'application/json' } });
      asked.end(JSON.stringify(call(1, 'eth_chainId')));
      const [error] = await once(asked, 'error');
      return error.message;
    };
    await gate.fault({ kind: 'reset' });
    expect(await failureMessage()).toBe('read ECONNRESET');
    await gate.fault({ kind: 'drop' });
    expect(await failureMessage()).toBe('socket hang up');
  });

  test('behavior: a receipt with a false status, and a hidden one', async () => {
    const receipt = await gate.mine();
    const hash = receipt.transactionHash;
    const match = { rpc: 'eth_getTransactionReceipt', user: dev0.address };
    await gate.fault({ kind: 'tamper', path: '/result/status', value: '0x0', match });
    expect(await gate.ask('eth_getTransactionReceipt', hash)).toEqual({ ...receipt, status: '0x0' });
    await gate.fault({ kind: 'tamper', path: '/result', value: null, times: 0, match });
    expect(await gate.ask('eth_getTransactionReceipt', hash)).toBeNull();
    expect(await gate.node('eth_getTransactionReceipt', hash)).toEqual(receipt);
    await gate.clear();
    expect(await gate.ask('eth_getTransactionReceipt', hash)).toEqual(receipt);
  });

  test('behavior: tampers with the matching call of a batch, whatever the response order', async () => {
    await gate.fault({ kind: 'tamper', path: '/result', value: '0x1', match: { rpc: 'eth_chainId' } });
    const calls = [call('a', 'eth_blockNumber'), call('b', 'eth_chainId'), call('c', 'eth_chainId')];
    const block = await gate.node('eth_blockNumber');
    expect(await (await post(calls)).json()).toEqual([
      { jsonrpc: '2.0', id: 'a', result: block },
      { jsonrpc: '2.0', id: 'b', result: '0x1' },
      { jsonrpc: '2.0', id: 'c', result: '0x4c81b' },
    ]);
    await gate.fault({ kind: 'status', status: 503, match: { rpc: 'eth_chainId' } });
    expect((await post(calls)).status).toBe(503);
    await gate.fault({ kind: 'chain', does: 'swallow', match: { user: dev0.address } });
    const [own, other] = [await gate.sign(), await gate.sign({}, 'dev1')];
    const sent = await post([call(1, 'eth_sendRawTransaction', own), call(2, 'eth_sendRawTransaction', other)]);
    expect(await sent.json()).toMatchObject([{ result: keccak256(own) }, { result: keccak256(other) }]);
    await gate.receipt(keccak256(other));
    expect(await gate.node('eth_getTransactionByHash', keccak256(own))).toBeNull();
  });

  test.each([
    ['eth_sendRawTransaction', async () => [await gate.sign()]],
    ['eth_getTransactionCount', () => [dev0.address, 'latest']],
    ['eth_call', () => [{ from: dev0.address, to: dev1.address }, 'latest']],
  ])('behavior: %s matched by its account', async (rpc, params) => {
    await gate.fault({ kind: 'status', status: 400, match: { rpc, user: dev1.address } });
    expect((await post(call(1, rpc, ...(await params())))).status).toBe(200);
    await gate.clear();
    await gate.fault({ kind: 'status', status: 400, match: { rpc, user: dev0.address.toLowerCase() } });
    expect((await post(call(1, rpc, ...(await params())))).status).toBe(400);
  });
});
