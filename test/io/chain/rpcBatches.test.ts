import { beforeAll, expect, test } from 'vitest';
import { createRpc, type Rpc } from '../../../src/io/chain/jsonRpc.js';
import { type Behaviour, json, type Loopback, loopback, reset, text } from '../../support/loopback.js';
import { ask, methodOf, optionsAt, passOn, startNode } from '../../support/node.js';

let rpcUrl: string;

beforeAll(async () => {
  rpcUrl = await startNode();
});

type Desk = { rpc: Rpc; asked(): string[] };

/** A node behind a server that does something else with questions that are asked together. */
async function desk(batch: Behaviour): Promise<Desk> {
  const server: Loopback = await loopback((response, request) => {
    const behave = request.body.startsWith('[') ? batch : passOn(rpcUrl);
    behave(response, request);
  });
  return { rpc: createRpc(optionsAt(server.url)), asked: () => server.seen.map(methodOf) };
}

const both = ({ rpc }: Desk): Promise<unknown[]> =>
  Promise.all([rpc.request({ method: 'eth_chainId' }), rpc.request({ method: 'eth_blockNumber' })]);
const together = 'eth_chainId + eth_blockNumber';
const alone = ['eth_chainId', 'eth_blockNumber'];
const truth = ['0x4c81b', '0x0'];

/** What the node answers, altered. */
const altered =
  (alter: (answers: { id: number }[]) => unknown): Behaviour =>
  (response, request) =>
    void fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: request.body })
      .then((answer) => answer.json() as Promise<{ id: number }[]>)
      .then((answers) => json(alter(answers))(response, request));

test('default: what is asked in the same moment goes as one request, and each gets its own answer', async () => {
  const at = await desk(passOn(rpcUrl));
  expect(await both(at)).toEqual(truth);
  await at.rpc.request({ method: 'eth_chainId' });
  expect(at.asked()).toEqual([together, 'eth_chainId']);
});

test('default: an answer belongs to its id, not to its place', async () => {
  const at = await desk(altered((answers) => answers.toReversed()));
  expect(await both(at)).toEqual(truth);
  expect(at.asked()).toEqual([together]);
});

test('behavior: an error is that of its own question', async () => {
  const at = await desk(passOn(rpcUrl));
  const [found, failed] = await Promise.allSettled([
    at.rpc.request({ method: 'eth_chainId' }),
    at.rpc.request({ method: 'eth_noSuchThing' }),
  ]);
  expect(found).toEqual({ status: 'fulfilled', value: '0x4c81b' });
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: -32601, status: undefined } });
});

test.each([
  ['with an error', json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } })],
  ['with a status', json({ error: 'invalid request' }, 400)],
  ['with no JSON', text('no', 'text/plain')],
])('behavior: a node that refuses a batch %s is asked one by one, and never again together', async (_, refusal) => {
  const at = await desk(refusal);
  expect(await both(at)).toEqual(truth);
  expect(await both(at)).toEqual(truth);
  expect(at.asked()).toEqual([together, ...alone, ...alone]);
});

test.each([
  ['that breaks off', reset],
  ['that fails', text('bad gateway', 'text/plain', 502)],
  ['that is too many', json({ error: 'slow down' }, 429)],
])('behavior: after a batch %s each question is asked alone, and the next ones together', async (_, fault) => {
  const at = await desk(fault);
  expect(await both(at)).toEqual(truth);
  await both(at);
  expect(at.asked().toSorted()).toEqual([together, ...alone, together, ...alone].toSorted());
});

test('behavior: what a batch leaves out is asked for again', async () => {
  const at = await desk(altered(([first]) => [first]));
  expect(await both(at)).toEqual(truth);
  expect(at.asked()).toEqual([together, 'eth_blockNumber']);
});

test('behavior: a transaction and a trace are never in a batch', async () => {
  const at = await desk(passOn(rpcUrl));
  const hash = `0x${'0'.repeat(64)}`;
  await Promise.allSettled([
    both(at),
    at.rpc.request({ method: 'eth_sendRawTransaction', params: ['0x'] }),
    at.rpc.request({ method: 'debug_traceTransaction', params: [hash] }),
  ]);
  expect(at.asked().toSorted()).toEqual(['debug_traceTransaction', together, 'eth_sendRawTransaction']);
});

test('behavior: more than fifty questions are several requests', async () => {
  const at = await desk(passOn(rpcUrl));
  const asked = Array.from({ length: 60 }, () => at.rpc.request({ method: 'eth_chainId' }));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([await ask(rpcUrl, 'eth_chainId')]));
  expect(at.asked().map((each) => each.split(' + ').length)).toEqual([50, 10]);
});
