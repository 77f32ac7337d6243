/**
 * Arrivals as nodes of Solana and Bitcoin show them. Solana's is the sandbox's own; the Bitcoin node answers with a
 * transaction of 2010, as every node has it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { network as mainnet } from '../../../src/core/network/mainnet.js';
import type { Chain } from '../../../src/core/network/Network.js';
import * as Network from '../../../src/core/network/Network.js';
import { network as sandboxNetwork } from '../../../src/core/network/sandbox.js';
import { createPaymentReader } from '../../../src/io/chain/paymentReader.js';
import { createHttp } from '../../../src/io/http/httpClient.js';
import { host } from '../../../src/io/terminal/host.js';
import { load } from '../../../src/sandbox/svm/liteSvm.js';
import { createSvmNode } from '../../../src/sandbox/svm/svmNode.js';
import { type SvmServer, serveSvm } from '../../../src/sandbox/svm/svmServer.js';
import * as Loopback from '../../support/loopback.js';

const signal = new AbortController().signal;
const { now, sleep } = host(signal);
const { fetch } = createHttp({ signal, env: {}, userAgent: 'test' });

function readerOf(chain: Chain, ...rpcUrls: [string, ...string[]]) {
  const network = { ...mainnet, name: 'test' };
  const on = { ...chain, rpcUrl: rpcUrls[0], rpcUrls: rpcUrls.slice(1) };
  const reader = createPaymentReader(on, { fetch, network, clock: { now, sleep }, random: Math.random, signal });
  if (!reader) throw new Error('there is no reader');
  return reader;
}

describe('Solana', () => {
  const svm = Network.chain(sandboxNetwork, 'svm');
  const usdc = svm.tokens[0]?.address ?? '';
  const to = 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE';
  const libraries = load();
  if (!libraries) throw new Error('litesvm is not installed');
  const node = createSvmNode(libraries);
  let server: SvmServer;
  beforeAll(async () => {
    server = await serveSvm(node);
  });
  afterAll(() => server.close());

  test('default: what a wallet gained, in a slot after the head', async () => {
    const reader = readerOf(svm, server.url);
    const head = await reader.tip();
    const beforeMs = Date.now();
    const { signature } = await node.pay({ to, amount: 5_000_000n, memo: '0x01' }, () => {});
    const afterMs = Date.now();
    const found = await reader.payments(signature, to, usdc);
    expect(found?.payments).toEqual([{ id: `${signature}.${usdc}`, amount: 5_000_000n }]);
    expect(found?.block).toBeGreaterThan(head.number);
    expect(Number(found?.timestamp)).toBeGreaterThanOrEqual(Math.floor(beforeMs / 1000));
    expect(Number(found?.timestamp)).toBeLessThanOrEqual(afterMs / 1000);
  });

  test('behavior: nothing for another wallet, another token, or the same letters in another case', async () => {
    const reader = readerOf(svm, server.url);
    const { signature } = await node.pay({ to, amount: 5_000_000n, memo: '0x02' }, () => {});
    for (const [owner, currency] of [
      ['9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', usdc],
      [to, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
      [to.replace('GT', 'Gt'), usdc],
    ] as const)
      expect((await reader.payments(signature, owner, currency))?.payments).toEqual([]);
  });

  test('behavior: SOL itself', async () => {
    const reader = readerOf(svm, server.url);
    const signature = node.fund('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 1_000_000_000n);
    const found = await reader.payments(signature, '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', svm.native.address);
    expect(found?.payments.map(({ amount }) => amount)).toEqual([1_000_000_000n]);
  });

  test('attack: what a wallet gains by a transaction that it has signed is no payment to it', async () => {
    const wallet = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
    const signature = node.fund(wallet, 2_000_000_000n);
    const signing = await Loopback.loopback((response, request) => {
      void Loopback.forward(server.url, request).then(({ text }) => {
        const signed = text.replaceAll(`"pubkey":"${wallet}","signer":false`, `"pubkey":"${wallet}","signer":true`);
        Loopback.json(JSON.parse(signed))(response, {} as never);
      });
    });
    const amounts = async (url: string) =>
      (await readerOf(svm, url).payments(signature, wallet, svm.native.address))?.payments.length;
    expect([await amounts(server.url), await amounts(signing.url)]).toEqual([1, 0]);
  });

  test('error: a transaction that failed, or that nobody knows', async () => {
    const reader = readerOf(svm, server.url);
    const { signature } = await node.pay({ to, amount: 1n, memo: '0x03', shouldFail: true }, () => {});
    expect(await reader.payments(signature, to, usdc)).toBeUndefined();
    expect(await reader.payments(signature.replace(/^./, '2'), to, usdc)).toBeUndefined();
  });

  test('error: what one of two nodes does not show is not shown', async () => {
    const blind = await Loopback.loopback((response, { body }) => {
      const all = [JSON.parse(body)].flat() as { id: number }[];
      const answers = all.map(({ id }) => ({ jsonrpc: '2.0', id, result: null }));
      Loopback.json(body.startsWith('[') ? answers : (answers[0] ?? {}))(response, {} as never);
    });
    const { signature } = await node.pay({ to, amount: 7n, memo: '0x04' }, () => {});
    expect(await readerOf(svm, server.url, blind.url).payments(signature, to, usdc)).toBeUndefined();
    // One that does not answer is no witness.
    const found = await readerOf(svm, server.url, 'http://127.0.0.1:9').payments(signature, to, usdc);
    expect(found?.payments[0]?.amount).toBe(7n);
  });

  test('attack: one of two nodes makes an old payment no new one', async () => {
    const { signature } = await node.pay({ to, amount: 9n, memo: '0x05' }, () => {});
    const honest = await readerOf(svm, server.url).payments(signature, to, usdc);
    const head = await readerOf(svm, server.url).tip();
    const lying = await Loopback.loopback((response, { body, ...request }) => {
      void Loopback.forward(server.url, { ...request, body }).then(({ text }) => {
        const told = ({ result, ...rest }: { result: object | number }) =>
          typeof result === 'number'
            ? { ...rest, result: 0 }
            : { ...rest, result: { ...result, slot: 1_000_000_000, blockTime: 9_000_000_000 } };
        const answers = JSON.parse(text);
        Loopback.json(Array.isArray(answers) ? answers.map(told) : told(answers))(response, {} as never);
      });
    });
    const reader = readerOf(svm, lying.url, server.url);
    expect(await reader.tip()).toEqual(head);
    expect(await reader.payments(signature, to, usdc)).toEqual(honest);
  });

  test('error: an answer that is none of such a node', async () => {
    const strange = await Loopback.loopback(Loopback.json({ jsonrpc: '2.0', id: 1, result: { slot: 'x' } }));
    await expect(readerOf(svm, strange.url).tip()).rejects.toMatchObject({ code: 'chain.unreachable' });
  });
});

describe('Bitcoin', () => {
  const bitcoin = Network.chain(mainnet, 'bitcoin');
  const txid = 'a1075db55d416d3ca199f55b6084e2115b9345e16c5cf302fc80e9d5fbf5d48d';
  const blockhash = '00000000152340ca42227603908689183edc47355204e7aca59383b0aaac1fd8';
  const to = '17SkEw2md5avVNyYgj6RiXuQKNwkXaxFyQ';
  const transaction = {
    txid,
    vout: [{ value: 10000.0, n: 0, scriptPubKey: { hex: '76a91446af3fb481837fadbb421727f9959c2d32a3682988ac' } }],
  };

  const before = '11'.repeat(32);

  async function nodeWith(waiting: boolean, confirmations = 800_000, spent: readonly unknown[] = []) {
    return Loopback.loopback((response, { body }) => {
      const answer = ({ id, method, params = [] }: { id: number; method: string; params?: string[] }) => {
        const mined = waiting ? {} : { blockhash };
        const found = { ...transaction, ...mined, vin: [{ coinbase: '00' }, { txid: before, vout: 1 }] };
        const result = {
          getblockcount: 57_050,
          getrawtransaction: params[0] === before ? { txid: before, vout: spent } : found,
          getblockheader: { height: 57_043, time: 1_274_552_191, confirmations },
        }[method];
        const isUnknown = method === 'getrawtransaction' && ![txid, before].includes(params[0] ?? '');
        const error = { code: -5, message: 'No such mempool or blockchain transaction.' };
        return isUnknown ? { id, result: null, error } : { id, result };
      };
      const asked = JSON.parse(body);
      Loopback.json(Array.isArray(asked) ? asked.map(answer) : answer(asked))(response, {} as never);
    });
  }

  test('default: the outputs that an address can spend', async () => {
    const reader = readerOf(bitcoin, (await nodeWith(false)).url);
    expect(await reader.tip()).toEqual({ number: 57_050n });
    expect(await reader.payments(txid, to, bitcoin.native.address)).toEqual({
      ...{ block: 57_043n, timestamp: 1_274_552_191n },
      payments: [{ id: `${txid}.0`, amount: 1_000_000_000_000n }],
    });
    const found = await reader.payments(txid, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', bitcoin.native.address);
    expect(found?.payments).toEqual([]);
  });

  test('attack: what comes back to an address that pays is no payment to it', async () => {
    const [own, other] = [
      { ...transaction.vout[0], n: 1 },
      { ...transaction.vout[0], n: 2 },
    ];
    const paid = async (spent: readonly unknown[]) =>
      (await readerOf(bitcoin, (await nodeWith(false, 1, spent)).url).payments(txid, to, bitcoin.native.address))
        ?.payments.length;
    expect([await paid([other]), await paid([other, own])]).toEqual([1, 0]);
  });

  test('error: a transaction without a block, in a block of no chain, or that nobody knows', async () => {
    const waiting = readerOf(bitcoin, (await nodeWith(true)).url);
    expect(await waiting.payments(txid, to, bitcoin.native.address)).toBeUndefined();
    const orphaned = readerOf(bitcoin, (await nodeWith(false, -1)).url);
    expect(await orphaned.payments(txid, to, bitcoin.native.address)).toBeUndefined();
    expect(await waiting.payments('00'.repeat(32), to, bitcoin.native.address)).toBeUndefined();
  });
});

test('createPaymentReader: nothing for a chain whose arrivals ferry does not read', () => {
  const options = { fetch, network: mainnet, clock: { now, sleep }, random: Math.random, signal };
  for (const name of ['tron', 'ton', 'hyperliquid'])
    expect(createPaymentReader(Network.chain(mainnet, name), options)).toBeUndefined();
  expect(() => createPaymentReader(Network.chain(mainnet, 'bitcoin'), options)).toThrow(
    expect.objectContaining({ code: 'chain.no-rpc' }),
  );
});
