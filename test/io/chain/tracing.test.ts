import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { facts, failure } from '../../support/failures.js';
import { answering, ask, chainAt, receiptAt, startNode } from '../../support/node.js';

const { dev0, dev1, dev2 } = accounts;

/** Calls the address in the first word of the calldata with the rest of it, and reverts with the return data. */
const passingOn: Hex = '0x6020360360206000376000600060203603600060006000355af1503d600060003e3d6000fd';
/** Init code that returns this runtime code, whose length fits into a byte. */
const initOf = (code: Hex): Hex => `0x60${toByte(code)}600c60003960${toByte(code)}6000f3${code.slice(2)}`;
const toByte = (code: Hex): string => ((code.length - 2) / 2).toString(16).padStart(2, '0');

let rpcUrl: string;
let target: Hex;
let reverting: Hex;

async function sent(transaction: Record<string, unknown>): Promise<Hex> {
  const hash = (await ask(rpcUrl, 'eth_sendTransaction', {
    from: dev0.address,
    gas: '0x50000',
    ...transaction,
  })) as Hex;
  return (await receiptAt(rpcUrl, hash)).transactionHash;
}

async function deployed(code: Hex): Promise<Hex> {
  const hash = await sent({ data: initOf(code) });
  return (await receiptAt(rpcUrl, hash)).contractAddress;
}

const word = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0');

beforeAll(async () => {
  rpcUrl = await startNode();
  target = await deployed(passingOn);
  // Reverts with the word 5.
  reverting = await deployed('0x600560005260206000fd');
});

describe('trace', () => {
  test('default: a reverted transaction with its inner call', async () => {
    const hash = await sent({ to: target, data: `0x${word(reverting)}abcd` });
    const frames = await chainAt(rpcUrl).trace(hash);
    const five = `0x${'5'.padStart(64, '0')}`;
    const reverts = { type: 'CALL', error: 'execution reverted', output: five };
    expect(frames).toMatchObject([
      { ...reverts, depth: 0, from: dev0.address.toLowerCase(), to: target },
      { ...reverts, depth: 1, from: target, to: reverting, input: '0xabcd' },
    ]);
  });

  test.each([
    [{ code: -32601, message: 'the method debug_traceTransaction does not exist/is not available' }],
    [{ code: -32601, message: 'Method not found' }],
    [{ code: -32600, message: 'debug_traceTransaction is not available on the Free tier - upgrade' }],
    [{ code: -32000, message: 'tracer not found' }],
    [{ code: -32000, message: 'namespace debug is disabled' }],
  ])('behavior: a node that does not trace, %j', async (error) => {
    const node = await answering(rpcUrl, { debug_traceTransaction: { error } });
    expect(await node.trace(`0x${'1'.repeat(64)}`)).toBeUndefined();
  });

  test('behavior: a node that returns opcode steps counts as without tracing', async () => {
    // anvil's response for a transaction it does not know.
    expect(await chainAt(rpcUrl).trace(`0x${'1'.repeat(64)}`)).toBeUndefined();
  });

  test.each([
    [{ code: -32000, message: 'required historical state unavailable' }],
    [{ code: -32000, message: 'transaction not found' }],
    [{ code: -32000, message: 'tracing failed: insufficient funds' }],
  ])('error: the node’s own words, %j', async (error) => {
    const node = await answering(rpcUrl, { debug_traceTransaction: { error } });
    const thrown = await failure(node.trace(`0x${'1'.repeat(64)}`));
    expect(thrown.code).toBe('chain.refused');
    expect(facts(thrown)['the node says']).toBe(error.message);
  });

  test('behavior: a response larger than any other may be', async () => {
    const result = { type: 'CALL', from: '0x01', input: `0x${'ab'.repeat(6 * 1024 * 1024)}` };
    const node = await answering(rpcUrl, { debug_traceTransaction: { result } });
    expect((await node.trace(`0x${'1'.repeat(64)}`))?.[0]?.input).toHaveLength(result.input.length);
  });
});

describe('traceCall', () => {
  const call = { from: dev0.address, to: dev1.address, data: '0x', value: 0n } as const;

  test('default: nothing is sent', async () => {
    const before = await ask(rpcUrl, 'eth_blockNumber');
    const frames = await chainAt(rpcUrl).traceCall({ ...call, to: target, data: `0x${word(reverting)}` });
    expect(frames?.map(({ to, error }) => [to, error])).toEqual([
      [target, 'execution reverted'],
      [reverting, 'execution reverted'],
    ]);
    expect(await ask(rpcUrl, 'eth_blockNumber')).toBe(before);
  });

  test('behavior: an account runs the code it authorizes', async () => {
    const account = privateKeyToAccount(dev2.privateKey);
    const nonce = Number(await ask(rpcUrl, 'eth_getTransactionCount', dev2.address, 'latest'));
    const signed = await account.signAuthorization({ chainId: 313371, address: reverting, nonce });
    const { r, s, yParity = 0 } = signed;
    const authorization = { chainId: 313371, address: reverting, nonce, yParity, r, s };
    const node = chainAt(rpcUrl);
    const wanted = { ...call, to: dev2.address };
    expect((await node.traceCall(wanted))?.[0]?.error).toBeUndefined();
    const frames = await node.traceCall({ ...wanted, authorizationList: [authorization] });
    expect(frames?.[0]).toMatchObject({ to: dev2.address.toLowerCase(), error: 'execution reverted' });
  });
});
