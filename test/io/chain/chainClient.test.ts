import { encodeAbiParameters, encodeErrorResult, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import * as Address from '../../../src/core/base/Address.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { facts, failure } from '../../support/failures.js';
import { answering, ask, chainAt, deployGull, receiptAt, startNode } from '../../support/node.js';

const { dev0, dev1 } = accounts;
const nobody: Address.Address = '0x0000000000000000000000000000000000001234';
const abi = parseAbi([
  'function approve(address, uint256) returns (bool)',
  'function transfer(address, uint256) returns (bool)',
]);

let rpcUrl: string;
let gull: Address.Address;

/** Sends from dev0's unlocked account on the node and waits until it is mined. */
async function send(to: Address.Address, data: Hex): ReturnType<typeof receiptAt> {
  const hash = await ask(rpcUrl, 'eth_sendTransaction', { from: dev0.address, to, data });
  return receiptAt(rpcUrl, hash as Hex);
}

beforeAll(async () => {
  rpcUrl = await startNode();
  gull = await deployGull(rpcUrl);
});

/** Puts code at an address that reverts every call with the given bytes. */
async function reverting(data: Hex): Promise<Address.Address> {
  const size = ((data.length - 2) / 2).toString(16).padStart(4, '0');
  await ask(rpcUrl, 'anvil_setCode', nobody, `0x61${size}600e60003961${size}6000fd${data.slice(2)}`);
  return nobody;
}

describe('chainId and tip', () => {
  test('default', async () => {
    expect(await chainAt(rpcUrl).chainId()).toBe(313371);
    const number = BigInt((await ask(rpcUrl, 'eth_blockNumber')) as Hex);
    expect(await chainAt(rpcUrl).tip()).toEqual({ number, timestamp: expect.any(BigInt) });
  });

  test.each([
    ['number', undefined],
    ['timestamp', undefined],
    ['number', -1],
    ['timestamp', -1],
  ])('error: a block whose %s is %s', async (field, value) => {
    const block = (await ask(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as object;
    const result = { ...block, [field]: value };
    const node = await answering(rpcUrl, { eth_getBlockByNumber: { result } });
    const answers = [node.tip(), node.blockTime(1n), node.finalizedRead({ to: gull, data: '0x' }), node.gasPrice()];
    const facts = expect.arrayContaining([['reason', 'the server does not respond like a node of the chain']]);
    for (const answer of await Promise.allSettled(answers))
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'chain.unreachable', facts } });
  });
});

describe('balance', () => {
  test('default', async () => {
    expect(await chainAt(rpcUrl).balance(dev0.address, gull)).toBe(1_000n);
  });

  test('behavior: at a block', async () => {
    const minted = BigInt((await ask(rpcUrl, 'eth_blockNumber')) as Hex);
    expect(await chainAt(rpcUrl).balance(dev0.address, gull, minted - 1n)).toBe(0n);
    const [then, now] = await Promise.all([
      chainAt(rpcUrl).balance(dev0.address, Address.native, 0n),
      chainAt(rpcUrl).balance(dev0.address, Address.native),
    ]);
    expect(then).toBe(10_000n * 10n ** 18n);
    expect(now).toBeLessThan(then);
  });

  test('error: no token at the address', async () => {
    expect(await failure(chainAt(rpcUrl).balance(dev0.address, dev1.address))).toMatchObject({
      code: 'chain.not-a-token',
    });
  });
});

test('allowance', async () => {
  expect(await chainAt(rpcUrl).allowance(gull, dev0.address, dev1.address)).toBe(0n);
  await send(gull, encodeFunctionData({ abi, functionName: 'approve', args: [dev1.address, 7n] }));
  expect(await chainAt(rpcUrl).allowance(gull, dev0.address, dev1.address)).toBe(7n);
});

describe('token', () => {
  test('default', async () => {
    expect(await chainAt(rpcUrl).token(gull)).toEqual({ symbol: 'GULL', name: 'Gull', decimals: 18 });
  });

  test('behavior: the native asset', async () => {
    expect(await chainAt(rpcUrl).token(Address.native)).toMatchObject({ symbol: 'ETH', decimals: 18 });
  });

  test('behavior: a bytes32 symbol and name', async () => {
    const word = Buffer.from('MKR').toString('hex').padEnd(64, '0');
    await ask(
      rpcUrl,
      'anvil_setCode',
      nobody,
      `0x60003560e01c63313ce56714603857${`7f${word}60005260206000f3`}5b601260005260206000f3`,
    );
    expect(await chainAt(rpcUrl).token(nobody)).toEqual({ symbol: 'MKR', name: 'MKR', decimals: 18 });
  });

  test('behavior: neither symbol nor name', async () => {
    // Answers decimals() with 6 and reverts everything else.
    await ask(rpcUrl, 'anvil_setCode', nobody, '0x60003560e01c63313ce56714601357600080fd5b600660005260206000f3');
    expect(await chainAt(rpcUrl).token(nobody)).toMatchObject({ symbol: '0x0000…1234', decimals: 6 });
  });

  test('error: no code at the address', async () => {
    const error = await failure(chainAt(rpcUrl).token(dev1.address));
    expect(error).toMatchObject({ code: 'chain.not-a-token', exit: 2 });
    expect(error.message).toContain(dev1.address);
  });

  test('error: a contract that is not a token', async () => {
    const at = await reverting('0x');
    expect(await failure(chainAt(rpcUrl).token(at))).toMatchObject({ code: 'chain.not-a-token' });
    await ask(rpcUrl, 'anvil_setCode', nobody, '0xfe');
    expect(await failure(chainAt(rpcUrl).token(nobody))).toMatchObject({ code: 'chain.not-a-token' });
  });
});

describe('code', () => {
  test('default', async () => {
    expect(await chainAt(rpcUrl).code(gull)).toMatch(/^0x[0-9a-f]{100,}$/);
    expect(await chainAt(rpcUrl).code(dev0.address)).toBe('0x');
  });

  test.each([5, {}, 'none', false])('error: a node that answers with %j', async (result) => {
    const error = await failure((await answering(rpcUrl, { eth_getCode: { result } })).code(gull));
    expect(error).toMatchObject({ code: 'chain.unreachable', funds: 'untouched' });
  });
});

test.each<[field: string, value: unknown]>([
  ['from', undefined],
  ['blockNumber', undefined],
  ['gasUsed', undefined],
  ['effectiveGasPrice', undefined],
  ['logs', [{ topics: [] }]],
  ['blockNumber', -1],
  ['gasUsed', -1],
  ['effectiveGasPrice', -1],
  ['status', '0x2'],
  ['status', null],
])('a receipt: attack: with the %s %s, which would damage the journal', async (field, value) => {
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [dev1.address, 1n] });
  const { transactionHash } = await send(gull, data);
  const whole = (await ask(rpcUrl, 'eth_getTransactionReceipt', transactionHash)) as object;
  const node = await answering(rpcUrl, { eth_getTransactionReceipt: { result: { ...whole, [field]: value } } });
  const error = await failure(node.receipt(transactionHash));
  expect(error).toMatchObject({ code: 'chain.unreachable' });
});

test.each([null, 12, '0xzz', {}])('a call: error: a node that answers it with %j', async (result) => {
  const node = await answering(rpcUrl, { eth_call: { result } });
  const asked = [
    node.balance(dev0.address, gull),
    node.allowance(gull, dev0.address, dev1.address),
    node.batchSequence(dev0.address, gull),
    node.read({ to: gull, data: '0x' }),
    node.finalizedRead({ to: gull, data: '0x' }),
    node.round(gull),
  ];
  for (const error of await Promise.all(asked.map((each) => failure(each))))
    expect(error).toMatchObject({ code: 'chain.unreachable', funds: 'untouched' });
});

test('a sequence: attack: of another key, which nobody would see being used', async () => {
  const told = async (sequence: bigint) =>
    answering(rpcUrl, { eth_call: { result: numberToHex(sequence, { size: 32 }) } });
  expect(await (await told(2n ** 64n - 1n)).batchSequence(dev0.address, gull)).toBe(2n ** 64n - 1n);
  const node = await told(5n << 64n);
  for (const asked of [node.batchSequence(dev0.address, gull), node.finalizedSequence(dev0.address, gull)])
    expect(await failure(asked)).toMatchObject({ code: 'chain.unreachable', funds: 'untouched' });
});

describe('gasPrice', () => {
  test('default', async () => {
    const latest = await ask(rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    const { baseFeePerGas, timestamp } = latest as { baseFeePerGas: Hex; timestamp: Hex };
    const tip = BigInt((await ask(rpcUrl, 'eth_maxPriorityFeePerGas')) as Hex);
    expect(await chainAt(rpcUrl).gasPrice()).toEqual({
      baseFeePerGas: BigInt(baseFeePerGas),
      maxFeePerGas: BigInt(baseFeePerGas) * 2n + tip,
      maxPriorityFeePerGas: tip,
      timestamp: BigInt(timestamp),
    });
  });

  test('behavior: the tip is the median of recent transactions', async () => {
    const result = { gasUsedRatio: [0.1, 0.2, 0, 0.3], reward: [['0x5'], ['0x64'], ['0x0'], ['0x9']] };
    const node = await answering(rpcUrl, { eth_feeHistory: { result } });
    expect((await node.gasPrice()).maxPriorityFeePerGas).toBe(9n);
  });

  test('behavior: derives the tip from the gas price of a node without a tip method', async () => {
    const error = { code: -32601, message: 'no' };
    const node = await answering(rpcUrl, {
      eth_feeHistory: { error },
      eth_maxPriorityFeePerGas: { error },
      eth_gasPrice: { result: '0x3b9aca07' },
    });
    const { baseFeePerGas } = (await ask(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as { baseFeePerGas: Hex };
    const { maxPriorityFeePerGas } = await node.gasPrice();
    expect(maxPriorityFeePerGas).toBe(0x3b9aca07n - BigInt(baseFeePerGas));
  });

  test('error: a chain without EIP-1559', async () => {
    const block = (await ask(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as object;
    const result = { ...block, baseFeePerGas: undefined };
    const error = await failure((await answering(rpcUrl, { eth_getBlockByNumber: { result } })).gasPrice());
    expect(error.code).toBe('chain.refused');
    expect(error.message).toContain('EIP-1559');
  });
});

describe('estimateGas', () => {
  const call = { from: dev0.address, to: dev1.address, data: '0x' as Hex, value: 1n };

  test('default', async () => {
    expect(await chainAt(rpcUrl).estimateGas(call)).toBe(21_000n);
  });

  test.each([
    [
      'an error with a message',
      encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['paused\u001b[2J'] }),
      'paused\\x1b[2J',
    ],
    [
      'a panic',
      encodeErrorResult({ abi: parseAbi(['error Panic(uint256)']), args: [17n] }),
      'panic 0x11: an arithmetic overflow or underflow',
    ],
    ['an unknown custom error', '0xdeadbeef' as Hex, 'custom error 0xdeadbeef'],
    ['no reason', '0x' as Hex, 'no reason given'],
  ])('error: the call reverts with %s', async (_, data, reason) => {
    const to = await reverting(data);
    const error = await failure(chainAt(rpcUrl).estimateGas({ ...call, to, value: 0n }));
    expect(error).toMatchObject({ code: 'submit.simulation', exit: 6, funds: 'untouched' });
    expect(facts(error).reason).toBe(reason);
  });

  test("error: a token's own error", async () => {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [dev1.address, 5_000n] });
    const error = await failure(chainAt(rpcUrl).estimateGas({ ...call, to: gull, data, value: 0n }));
    expect(facts(error).reason).toBe(`ERC20InsufficientBalance(${dev0.address}, 1000, 5000)`);
    expect(facts(error).selector).toBe('0xe450d38c');
  });

  test.each([
    ['insufficient funds for transfer', 10n ** 24n, 'submit.insufficient-balance'],
    ['insufficient funds for gas * price + value', 1n, 'submit.insufficient-gas'],
  ])('error: %s, with the value %d', async (message, value, code) => {
    const node = await answering(rpcUrl, { eth_estimateGas: { error: { code: -32000, message } } });
    const failed = await failure(node.estimateGas({ ...call, value }));
    expect(failed).toMatchObject({ code, exit: 6, funds: 'untouched' });
  });

  const late = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['too late'] });
  test.each([
    [`Reverted ${late}`, 'too late'],
    [{ data: late }, 'too late'],
    [{ data: 'text' }, 'VM execution reverted.'],
    [null, 'VM execution reverted.'],
  ])('error: a reason in %j, as some nodes return it', async (data, reason) => {
    const error = { code: -32015, message: 'VM execution reverted.', data };
    const node = await answering(rpcUrl, { eth_estimateGas: { error } });
    expect(facts(await failure(node.estimateGas(call))).reason).toBe(reason);
  });
});

describe('transaction', () => {
  test('default: what it asked of the chain; undefined for an unknown one', async () => {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [dev1.address, 5n] });
    const { transactionHash } = await send(gull, data);
    expect(await chainAt(rpcUrl).transaction(transactionHash)).toMatchObject({ to: gull.toLowerCase(), data });
    expect(await chainAt(rpcUrl).transaction(`0x${'ab'.repeat(32)}`)).toBeUndefined();
  });

  test.each([
    ['a value that is none', { value: '0x' }],
    ['no value', { value: null }],
    ['no sender', { from: undefined }],
    ['a recipient that is none', { to: 5 }],
    ['no calldata', { input: undefined }],
  ])('error: a node that answers with %s', async (_, change) => {
    const { transactionHash } = await send(
      gull,
      encodeFunctionData({ abi, functionName: 'approve', args: [gull, 1n] }),
    );
    const whole = (await ask(rpcUrl, 'eth_getTransactionByHash', transactionHash)) as object;
    const result = { ...whole, ...change };
    const node = await answering(rpcUrl, { eth_getTransactionByHash: { result } });
    const error = await failure(node.transaction(transactionHash));
    expect(error).toMatchObject({ code: 'chain.unreachable', funds: 'untouched' });
  });
});

test('receipt', async () => {
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [dev1.address, 5n] });
  const { transactionHash } = await send(gull, data);
  const receipt = await chainAt(rpcUrl).receipt(transactionHash);
  expect(receipt).toMatchObject({ hash: transactionHash, status: 'success' });
  expect(receipt?.logs).toHaveLength(1);
  expect(receipt?.logs[0]?.address).toBe(gull.toLowerCase());
  expect(receipt?.logs[0]?.data).toBe(encodeAbiParameters([{ type: 'uint256' }], [5n]));
  expect(receipt?.gasUsed).toBeGreaterThan(21_000n);
  expect(receipt?.effectiveGasPrice).toBeGreaterThan(0n);
});
