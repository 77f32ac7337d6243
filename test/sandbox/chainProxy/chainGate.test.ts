import { once } from 'node:events';
import { request } from 'node:http';
import { keccak256 } from 'viem';
import { describe, expect, test } from 'vitest';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useGate } from '../../support/gate.js';

const gate = useGate();
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
    await gate.until('eth_getTransactionReceipt', keccak256(raw));
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
    const hash = await gate.node('eth_sendRawTransaction', await gate.sign());
    const receipt = await gate.until('eth_getTransactionReceipt', hash);
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
    await gate.until('eth_getTransactionReceipt', keccak256(other));
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
