import { encodeAbiParameters, encodeErrorResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import * as Address from '../../../src/core/base/Address.js';
import type { Call, Reads } from '../../../src/core/ports/Ports.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { facts, failure } from '../../support/failures.js';
import type * as Loopback from '../../support/loopback.js';
import { answering, ask, chainAt, deployGull, inFrontOf, methodOf, receiptAt, startNode } from '../../support/node.js';

const { dev0, dev1, dev2 } = accounts;
const abi = parseAbi([
  'function approve(address, uint256) returns (bool)',
  'function transfer(address, uint256) returns (bool)',
  'function transferFrom(address, address, uint256) returns (bool)',
]);
const nothing: Reads = { balances: [], allowances: [] };
const ether = 10n ** 18n;

let rpcUrl: string;
let gull: Address.Address;

beforeAll(async () => {
  rpcUrl = await startNode();
  gull = await deployGull(rpcUrl);
});

const sends = (to: Address.Address, value: bigint, from = dev0.address as Address.Address): Call => ({
  from,
  to,
  data: '0x',
  value,
});
const ofGull = (data: Hex, from: Address.Address = dev0.address): Call => ({ from, to: gull, data, value: 0n });
const approve = (spender: Address.Address, amount: bigint): Call =>
  ofGull(encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] }));
const transfer = (to: Address.Address, amount: bigint): Call =>
  ofGull(encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }));
const take = (from: Address.Address, to: Address.Address, amount: bigint): Call =>
  ofGull(encodeFunctionData({ abi, functionName: 'transferFrom', args: [from, to, amount] }), dev1.address);

describe('simulate, in the next block', () => {
  const as = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n, gas: [100_000n] };
  const simulations = (seen: readonly Loopback.ReceivedRequest[]): string[] =>
    seen.filter((each) => methodOf(each).includes('eth_simulateV1')).map(({ body }) => numberOf(body));
  const numberOf = (body: string): string => /"number":"(0x[0-9a-f]+)"/.exec(body)?.[1] ?? '';
  const next = async (): Promise<string> =>
    `0x${(BigInt(String(await ask(rpcUrl, 'eth_blockNumber'))) + 1n).toString(16)}`;

  test('behavior: after the fees were read, one round trip, with the block confirmed beside it', async () => {
    const { url, seen } = await inFrontOf(rpcUrl, {});
    const chain = chainAt(url);
    await chain.gasPrice();
    const before = seen.length;
    const simulation = await chain.simulate([sends(dev1.address, 1n)], nothing, as);
    expect(simulation?.calls).toMatchObject([{ status: 'success' }]);
    expect(seen.slice(before).map(methodOf).sort()).toEqual(['eth_simulateV1 + eth_getBlockByNumber']);
    expect(simulations(seen)).toEqual([await next()]);
  });

  test('behavior: if another block was mined meanwhile, what was simulated too early does not count', async () => {
    const { url, seen } = await inFrontOf(rpcUrl, {});
    const chain = chainAt(url);
    await chain.gasPrice();
    const old = await next();
    const transferred = { from: dev0.address, to: dev2.address, value: '0x1' };
    await receiptAt(rpcUrl, (await ask(rpcUrl, 'eth_sendTransaction', transferred)) as Hex);
    const simulation = await chain.simulate([sends(dev1.address, 1n)], nothing, as);
    expect(simulation?.calls).toMatchObject([{ status: 'success' }]);
    expect(simulations(seen)).toEqual([old, await next()]);
  });
});

describe('simulate', () => {
  test('default: each call builds on the previous ones', async () => {
    const calls = [approve(dev1.address, 30n), take(dev0.address, dev2.address, 20n), transfer(dev1.address, 5n)];
    const simulation = await chainAt(rpcUrl).simulate(calls, {
      balances: [
        { owner: dev0.address, token: gull },
        { owner: dev2.address, token: gull },
      ],
      allowances: [{ owner: dev0.address, token: gull, spender: dev1.address }],
    });
    expect(simulation?.balances).toEqual([
      { owner: dev0.address, token: gull, before: 1_000n, after: 975n },
      { owner: dev2.address, token: gull, before: 0n, after: 20n },
    ]);
    expect(simulation?.allowances).toEqual([
      { owner: dev0.address, token: gull, spender: dev1.address, before: 0n, after: 10n },
    ]);
    expect(simulation?.calls.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
    const [approved, taken] = simulation?.calls ?? [];
    expect(approved?.gasUsed).toBeGreaterThan(21_000n);
    expect(taken).toMatchObject({ logs: [{ address: gull, data: encodeAbiParameters([{ type: 'uint256' }], [20n]) }] });
  });

  test('behavior: native balances change only by the value sent, gas is free', async () => {
    const { balances } =
      (await chainAt(rpcUrl).simulate([sends(dev1.address, ether), sends(dev2.address, 1n)], {
        balances: [dev0, dev1, dev2].map(({ address: owner }) => ({ owner, token: Address.native })),
        allowances: [],
      })) ?? {};
    expect(balances?.map(({ before = 0n, after = 0n }) => after - before)).toEqual([-ether - 1n, ether, 1n]);
    expect(balances?.[0]?.before).toBe(await chainAt(rpcUrl).balance(dev0.address, Address.native));
  });

  test('behavior: as the transaction that is sent next: a contract sees the same in both', async () => {
    // Logs gas price, base fee, number, coinbase, origin and previous randomness, then the gas that is left.
    const code = '0x3a600052486020524360405241606052326080524460a0525a60c05260e06000a000';
    const witness = '0x00000000000000000000000000000000000c0de1';
    await ask(rpcUrl, 'anvil_setCode', witness, code);
    const gas = 100_000n;
    const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 7n };
    const nonce = Number(await ask(rpcUrl, 'eth_getTransactionCount', dev1.address, 'latest'));
    const call: Call = { from: dev1.address, to: witness, data: '0x', value: 0n };
    const reads = {
      balances: [
        { owner: dev1.address, token: Address.native },
        { owner: dev1.address, token: gull },
      ],
      allowances: [],
    };
    const simulated = await chainAt(rpcUrl).simulate([call, call], reads, { ...fees, nonce, gas: [gas, gas] });
    const words = (data: Hex = '0x'): bigint[] =>
      (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
    const [first] = (simulated?.calls ?? []).map((each) =>
      each.status === 'success' ? words(each.logs[0]?.data) : [],
    );
    const sent = { ...call, gas: `0x${gas.toString(16)}`, maxFeePerGas: '0xb2d05e00', maxPriorityFeePerGas: '0x7' };
    const hash = (await ask(rpcUrl, 'eth_sendTransaction', { ...sent, value: '0x0' })) as Hex;
    const receipt = await receiptAt(rpcUrl, hash);
    const real = words((receipt as unknown as { logs: { data: Hex }[] }).logs[0]?.data);
    // Randomness is drawn with the block: nobody knows it before, but it is never zero.
    expect(first?.with(5, 0n)).toEqual(real.with(5, 0n));
    expect(first?.[5]).toBeGreaterThan(0n);
    const [ether_, gulls] = simulated?.balances ?? [];
    expect((ether_?.before ?? 0n) - (ether_?.after ?? 0n)).toBeGreaterThan(0n);
    expect(gulls?.after).toBe(0n);
  });

  test('behavior: a sender that could not pay for a limit that is no estimate has credit', async () => {
    const poor = '0x00000000000000000000000000000000000c0de2';
    const call: Call = { from: poor, to: dev1.address, data: '0x', value: 0n };
    const as = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 7n, gas: [8_000_000n] };
    expect((await failure(chainAt(rpcUrl).simulate([call], nothing, as))).funds).toBe('untouched');
    const credit = 8_000_000n * as.maxFeePerGas;
    expect((await chainAt(rpcUrl).simulate([call], nothing, { ...as, credit }))?.calls[0]?.status).toBe('success');
  });

  test('behavior: reads undefined for an address that is not a token', async () => {
    const { balances, allowances } =
      (await chainAt(rpcUrl).simulate([], {
        balances: [{ owner: dev0.address, token: dev1.address }],
        allowances: [{ owner: dev0.address, token: dev1.address, spender: dev2.address }],
      })) ?? {};
    expect(balances).toMatchObject([{ before: undefined, after: undefined }]);
    expect(allowances).toMatchObject([{ before: undefined, after: undefined }]);
  });

  test('behavior: a failing call, and the calls after it', async () => {
    const calls = [transfer(dev1.address, 5_000n), transfer(dev1.address, 5n)];
    const simulation = await chainAt(rpcUrl).simulate(calls, {
      balances: [{ owner: dev0.address, token: gull }],
      allowances: [],
    });
    expect(simulation?.calls).toMatchObject([
      { status: 'reverted', reason: `ERC20InsufficientBalance(${dev0.address}, 1000, 5000)` },
      { status: 'success' },
    ]);
    expect(simulation?.balances).toMatchObject([{ before: 1_000n, after: 995n }]);
  });

  test.each([
    ['no message', '0x60006000fd', 'no reason given'],
    ['an invalid instruction', '0xfe', 'no reason given'],
  ])('behavior: a failure with %s', async (_, code, reason) => {
    const to: Address.Address = '0x0000000000000000000000000000000000001234';
    await ask(rpcUrl, 'anvil_setCode', to, code);
    const simulation = await chainAt(rpcUrl).simulate([sends(to, 0n)], nothing);
    expect(simulation?.calls).toMatchObject([{ status: 'reverted', reason }]);
  });

  test.each([
    ['in the error', { code: 3, message: 'execution reverted: paused', data: 'bytes' }, '0x', 'paused\\x1b[2J'],
    ['in the error message only', { code: 3, message: 'execution reverted: paused' }, '0x', 'paused'],
    ['nowhere but in the message', { code: -32015, message: 'out of gas' }, '0x', 'out of gas'],
  ])('behavior: a node that puts the reason %s', async (_, error, returnData, reason) => {
    const bytes = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['paused\u001b[2J'] });
    const told = 'data' in error ? { ...error, data: bytes } : error;
    const call = { status: '0x0', gasUsed: '0x5208', returnData, logs: [], error: told };
    const chain = await answering(rpcUrl, { eth_simulateV1: { result: [{ number: '0x1', calls: [call] }] } });
    expect((await chain.simulate([sends(dev1.address, 1n)], nothing))?.calls).toEqual([
      { status: 'reverted', gasUsed: 21_000n, reason },
    ]);
  });

  test.each([
    [-32601, 'Method not found'],
    [-32601, 'the method eth_simulateV1 does not exist/is not available'],
    [-32004, 'Unsupported'],
    [-32600, 'Unsupported method: eth_simulateV1 on this chain'],
    [-32000, 'rpc method is not whitelisted'],
  ])('behavior: a node without simulation that says %i, %s', async (code, message) => {
    const chain = await answering(rpcUrl, { eth_simulateV1: { error: { code, message } } });
    expect(await chain.simulate([sends(dev1.address, 1n)], nothing)).toBeUndefined();
  });

  test('error: the node refuses', async () => {
    const chain = await answering(rpcUrl, {
      eth_simulateV1: { error: { code: -38026, message: 'Client adjustable limit reached' } },
    });
    const error = await failure(chain.simulate([sends(dev1.address, 1n)], nothing));
    expect(error).toMatchObject({ code: 'chain.refused', exit: 3, funds: 'untouched' });
    expect(facts(error)['the node says']).toBe('Client adjustable limit reached');
  });

  test('error: more value than balance', async () => {
    const error = await failure(chainAt(rpcUrl).simulate([sends(dev1.address, 10n ** 24n)], nothing));
    expect(error).toMatchObject({ code: 'submit.insufficient-balance', exit: 6, funds: 'untouched' });
  });

  const good = { status: '0x1', gasUsed: '0x5208', returnData: '0x', logs: [] };
  test.each([
    ['null', null],
    ['an empty list', []],
    ['fewer calls', [{ calls: [] }]],
    ['more calls', [{ calls: [good, good] }]],
    ['an unknown status', [{ calls: [{ ...good, status: '0x2' }] }]],
    ['an invalid number', [{ calls: [{ ...good, gasUsed: 'much' }] }]],
    ['an invalid log', [{ calls: [{ ...good, logs: [{ address: '0x12', topics: [], data: '0x' }] }] }]],
  ])('error: the node answers with %s', async (_, result) => {
    const chain = await answering(rpcUrl, { eth_simulateV1: { result } });
    expect(await failure(chain.simulate([sends(dev1.address, 1n)], nothing))).toMatchObject({
      code: 'chain.unreachable',
    });
  });
});
