import { encodeAbiParameters } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { finalityOf } from '../../../src/core/execution/TransactionSettlement.js';
import type { Chain, UsedNonce } from '../../../src/core/ports/Ports.js';
import { createNodes, together } from '../../../src/io/chain/severalNodes.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { type Behaviour, json, loopback, nobody } from '../../support/loopback.js';
import { ask, inFrontOf, optionsAt, receiptAt, signedBy, startNode } from '../../support/node.js';

let rpcUrl: string;

beforeAll(async () => {
  rpcUrl = await startNode();
});

const native = '0x0000000000000000000000000000000000000000';
const owner = accounts.dev5.address;

const at = (first: string, ...rpcUrls: string[]): Chain => {
  const { network: name, chain, ...remote } = optionsAt(rpcUrl);
  const network = { name, baseUrl: undefined, realMoney: false, chains: [] };
  return createNodes({ ...chain, rpcUrl: first, rpcUrls }, { ...remote, network });
};

/** The node by another name, which answers a method otherwise. */
async function liar(method: string, result: (params: unknown[]) => unknown): Promise<string> {
  const behave: Behaviour = (response, request) => {
    const { id, params } = JSON.parse(request.body) as { id: number; params: unknown[] };
    void Promise.resolve(result(params)).then((said) => json({ jsonrpc: '2.0', id, result: said })(response, request));
  };
  return (await inFrontOf(rpcUrl, { [method]: behave })).url;
}

describe('createNodes', () => {
  test('default: what all nodes say, with all of them as witnesses', async () => {
    const second = (await inFrontOf(rpcUrl, {})).url;
    const chain = at(rpcUrl, second);
    expect(await chain.balance(owner, native)).toBe(10_000n * 10n ** 18n);
    const hash = await chain.broadcast(await signedBy('dev0', {}));
    // The node answers a broadcast before it has mined it.
    await expect.poll(async () => (await chain.receipt(hash))?.witnesses).toEqual([rpcUrl, second]);
    expect((await at(rpcUrl, rpcUrl).receipt(hash))?.witnesses).toEqual([rpcUrl]);
    // Two keys at one host are still one.
    expect((await at(rpcUrl, `${rpcUrl}/?key=2`).receipt(hash))?.witnesses).toHaveLength(1);
  });

  test('behavior: a node that does not answer is passed over, and is no witness', async () => {
    const chain = at(nobody, rpcUrl);
    const hash = await chain.broadcast(await signedBy('dev1', {}));
    await expect.poll(async () => (await chain.receipt(hash))?.witnesses).toEqual([rpcUrl]);
    expect(await chain.gasPrice()).toMatchObject({ baseFeePerGas: expect.anything() });
    await expect(at(nobody, nobody).chainId()).rejects.toMatchObject({ code: 'chain.unreachable' });
  });

  test('attack: a node that is ahead makes no receipt final that the other has no blocks above', async () => {
    const latest = (await ask(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as object;
    const ahead = await liar('eth_getBlockByNumber', () => ({ ...latest, number: '0x3b9aca00' }));
    const hash = await at(rpcUrl).broadcast(await signedBy('dev4', {}));
    const chain = at(rpcUrl, ahead);
    await expect.poll(() => chain.receipt(hash)).toBeDefined();
    const receipt = await chain.receipt(hash);
    if (!receipt) throw new Error('It is mined.');
    const finality = () => finalityOf(receipt, { owner: accounts.dev4.address, nonce: 0 }, chain);
    expect(await finality()).toBe('open');
    // What it asks of a node that is honest and has no such block yet is no silence.
    expect((await chain.receipt(hash))?.witnesses).toHaveLength(2);
  });

  test('behavior: a receipt that one of two nodes does not have is none yet, whichever it is', async () => {
    const behind = await liar('eth_getTransactionReceipt', () => null);
    const hash = await at(rpcUrl).broadcast(await signedBy('dev0', { nonce: 1 }));
    await expect.poll(() => at(rpcUrl).receipt(hash)).toBeDefined();
    expect(await at(rpcUrl, behind).receipt(hash)).toBeUndefined();
    expect(await at(behind, rpcUrl).receipt(hash)).toBeUndefined();
  });

  const busy = json({ jsonrpc: '2.0', id: null, error: { code: -32005, message: 'daily request count exceeded' } });
  const failing = json({ jsonrpc: '2.0', id: null, error: { code: -32011, message: 'no backend is healthy' } });
  const challenge: Behaviour = (response) => response.writeHead(403).end('<title>Just a moment...</title>');
  const lacking = json({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'the method is not available' } });

  test('behavior: a node that is too busy for anything is passed over', async () => {
    const chain = at((await loopback(busy)).url, rpcUrl);
    expect(await chain.chainId()).toBe(313371);
    expect(await chain.gasPrice()).toMatchObject({ baseFeePerGas: expect.anything() });
  });

  test.each([
    ['fails at the moment', failing],
    ['is closed to this key or address', challenge],
  ])('behavior: a node that %s is passed over where the answer decides nothing about money', async (_, behaviour) => {
    const chain = at((await loopback(behaviour)).url, rpcUrl);
    expect(await chain.gasPrice()).toMatchObject({ baseFeePerGas: expect.anything() });
  });

  test.each([
    ['fails at', failing],
    ['closes to this key', challenge],
    ['does not know', lacking],
  ])('attack: a question that the first node %s is not left to the second alone', async (_, behaviour) => {
    const { url } = await inFrontOf(rpcUrl, { eth_chainId: behaviour });
    await expect(at(url, rpcUrl).chainId()).rejects.toMatchObject({ code: 'chain.refused' });
  });

  test('attack: a simulation that is too much for the honest node does not keep it from other questions', async () => {
    const honest = (await inFrontOf(rpcUrl, { eth_simulateV1: (response) => response.destroy() })).url;
    const chain = at(honest, await liar('eth_getBalance', () => '0x1'));
    await chain.simulate([{ from: owner, to: accounts.dev6.address, data: '0x', value: 5n }], {
      balances: [],
      allowances: [],
    });
    await expect(chain.balance(owner, native, 0n)).rejects.toMatchObject({ code: 'chain.disagreement' });
  });

  test('behavior: a node that is a block behind does not disagree; the lesser nonce counts', async () => {
    await ask(rpcUrl, 'evm_mine');
    const tip = BigInt(String(await ask(rpcUrl, 'eth_blockNumber')));
    const block = (await ask(rpcUrl, 'eth_getBlockByNumber', `0x${(tip - 1n).toString(16)}`, false)) as object;
    const behindNow = await inFrontOf(rpcUrl, {
      eth_getBlockByNumber: (response, request) =>
        json({ jsonrpc: '2.0', id: JSON.parse(request.body).id, result: block })(response, request),
      eth_getTransactionCount: (response, request) => {
        const { id, params } = JSON.parse(request.body) as { id: number; params: [string, string] };
        const asked = params[1] === 'latest' ? `0x${(tip - 1n).toString(16)}` : params[1];
        void ask(rpcUrl, 'eth_getTransactionCount', params[0], asked).then((result) =>
          json({ jsonrpc: '2.0', id, result })(response, request),
        );
      },
    });
    const { address } = accounts.dev2;
    await receiptAt(rpcUrl, await at(rpcUrl).broadcast(await signedBy('dev2', {})));
    expect(await at(rpcUrl, behindNow.url).minedNonce(address)).toBe(0);
    expect(await at(rpcUrl).minedNonce(address)).toBe(1);
  });

  test('attack: a final block that one of two nodes dates ahead is as old as the other says', async () => {
    const ahead = await liar('eth_getBlockByNumber', async (params) => {
      const block = (await ask(rpcUrl, 'eth_getBlockByNumber', ...params)) as object;
      return { ...block, timestamp: '0x200000000' };
    });
    const call = { to: owner, data: '0x' } as const;
    const { timestamp } = await at(rpcUrl).finalizedRead(call);
    for (const urls of [[ahead, rpcUrl] as const, [rpcUrl, ahead] as const])
      expect(await at(...urls).finalizedRead(call)).toEqual({ result: '0x', timestamp, witnesses: urls });
    expect((await at(nobody, rpcUrl).finalizedRead(call)).witnesses).toEqual([rpcUrl]);
  });

  test('error: a simulation that one of two nodes makes up, whichever is asked first', async () => {
    const paying = { from: owner, to: accounts.dev6.address, data: '0x', value: 5n } as const;
    const reads = { balances: [{ owner, token: native }], allowances: [] } as const;
    const simulated = (...urls: [string, string]) => at(...urls).simulate([paying], reads);
    const honest = (await inFrontOf(rpcUrl, {})).url;
    const change = async (...urls: [string, string]) => {
      const [balance] = (await simulated(...urls))?.balances ?? [];
      return (balance?.after ?? 0n) - (balance?.before ?? 0n);
    };
    expect(await change(rpcUrl, honest)).toBe(-5n);
    // It answers as if the last call had not been made, or had failed.
    const other = await liar('eth_simulateV1', async (params) => {
      const blocks = (await ask(rpcUrl, 'eth_simulateV1', ...params)) as { calls: { returnData: string }[] }[];
      const all = blocks.flatMap(({ calls }) => calls);
      const [first, last] = [all[0], all.at(-1)];
      if (first && last) last.returnData = first.returnData;
      return blocks;
    });
    for (const urls of [[other, rpcUrl] as const, [rpcUrl, other] as const])
      await expect(simulated(...urls)).rejects.toMatchObject({ code: 'chain.disagreement' });
  });

  test.each([
    ['eth_getBalance', (chain: Chain) => chain.balance(owner, native)],
    ['eth_getCode', (chain: Chain) => chain.code(owner)],
    ['eth_getTransactionCount', (chain: Chain) => chain.nonce(owner)],
    ['eth_chainId', (chain: Chain) => chain.chainId()],
  ])('error: %s that two nodes state differently names both', async (method, read) => {
    const other = await liar(method, () => '0x1234');
    await expect(read(at(rpcUrl, other))).rejects.toMatchObject({
      code: 'chain.disagreement',
      facts: [
        ['one node', expect.stringContaining(`${rpcUrl}: `)],
        ['another', expect.stringContaining(`${other}: `)],
      ],
    });
  });

  test('attack: the value of a native arrival, and its trace, that the first of two nodes states alone', async () => {
    const hash = await at(rpcUrl).broadcast(await signedBy('dev4', { value: 1n }));
    await expect.poll(() => at(rpcUrl).receipt(hash)).toBeDefined();
    const sent = (await ask(rpcUrl, 'eth_getTransactionByHash', hash)) as object;
    const whole = '0xde0b6b3a7640000';
    const lying = await liar('eth_getTransactionByHash', () => ({ ...sent, value: whole }));
    expect(await at((await inFrontOf(rpcUrl, {})).url, rpcUrl).transaction(hash)).toMatchObject({ value: 1n });
    await expect(at(lying, rpcUrl).transaction(hash)).rejects.toMatchObject({ code: 'chain.disagreement' });
    const traced = (await ask(rpcUrl, 'debug_traceTransaction', hash, { tracer: 'callTracer' })) as object;
    const drawing = await liar('debug_traceTransaction', () => ({ ...traced, value: whole }));
    const terse = await liar('debug_traceTransaction', () => ({ ...traced, gasUsed: '0x1' }));
    await expect(at(drawing, rpcUrl).trace(hash)).rejects.toMatchObject({ code: 'chain.disagreement' });
    expect(await at(terse, rpcUrl).trace(hash)).toMatchObject([{ value: '1' }]);
  });

  const coin = '0x00000000000000000000000000000000000c0195';
  const text = encodeAbiParameters([{ type: 'string' }], ['COIN']);
  const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
  const round = (dollars: bigint): string =>
    `0x${[1n, dollars * 10n ** 8n, 1_790_000_000n, 1_790_000_000n, 1n].map((each) => word(each).slice(2)).join('')}`;
  const decimals = (value: bigint) => (params: unknown[]) =>
    (params[0] as { data: string }).data.startsWith('0x313ce567') ? word(value) : text;
  const all = 2n ** 256n - 1n;

  test.each<
    [
      what: string,
      honest: (params: unknown[]) => unknown,
      lie: (params: unknown[]) => unknown,
      expected: unknown,
      read: (chain: Chain) => Promise<unknown>,
    ]
  >([
    ['a price', () => round(2_500n), () => round(24n), { answer: 250_000_000_000n }, (chain) => chain.round(owner)],
    ['the decimals of a token', decimals(18n), decimals(6n), { decimals: 18 }, (chain) => chain.token(coin)],
    ['that nothing is allowed', () => word(all), () => word(0n), all, (chain) => chain.allowance(coin, owner, coin)],
  ])('attack: %s, which one of two nodes states alone', async (_, honest, lie, expected, read) => {
    await ask(rpcUrl, 'anvil_setCode', coin, '0x00');
    const [one, other, lying] = [
      await liar('eth_call', honest),
      await liar('eth_call', honest),
      await liar('eth_call', lie),
    ];
    const found = await read(at(one, other));
    expect([found]).toMatchObject([expected]);
    for (const urls of [[lying, one] as const, [one, lying] as const])
      await expect(read(at(...urls))).rejects.toMatchObject({ code: 'chain.disagreement' });
  });

  test('behavior: a node that takes a transaction and keeps it does not hold it back', async () => {
    const signed = await signedBy('dev2', { nonce: 1 });
    const holding = await liar('eth_sendRawTransaction', () => `0x${'ab'.repeat(32)}`);
    const hash = await at(holding, rpcUrl).broadcast(signed);
    expect(await receiptAt(rpcUrl, hash)).toMatchObject({ status: '0x1' });
  });

  test('attack: what used a nonce is not known if one node names another transaction than the other', async () => {
    const found = { state: 'found', hash: '0xcc', to: owner, data: '0xab', value: 1n } as const;
    const asked = (...answers: readonly UsedNonce[]) => {
      const nodes = answers.map((answer, index) => ({
        host: `node-${index}.example`,
        chain: { usedNonce: async () => answer } as unknown as Chain,
        silentUntil: 0,
      }));
      return together({ ...optionsAt(rpcUrl), nodes }).usedNonce(owner, 7);
    };
    expect(await asked(found, found)).toEqual(found);
    for (const other of [
      { ...found, hash: '0xdd' },
      { ...found, data: '0x' },
      { ...found, value: 2n },
      { ...found, to: native },
      { state: 'used' },
      { state: 'free' },
    ] as const)
      expect([await asked(found, other), await asked(other, found)]).toEqual([{ state: 'used' }, { state: 'used' }]);
  });
});
