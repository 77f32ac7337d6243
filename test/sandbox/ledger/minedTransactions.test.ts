import { parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import {
  decode,
  nativeReceived,
  read,
  readLogs,
  tokensReceived,
  toTransaction,
  waitFor,
} from '../../../src/sandbox/ledger/minedTransactions.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { send, useChains } from '../../support/chains.js';
import { connectAs } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1 } = accounts;
const never = new AbortController().signal;

async function mined(hash: `0x${string}`) {
  return await waitFor(chains.current.alpha, hash, never);
}

async function transfer(amount: bigint) {
  const { alpha } = chains.current;
  const { transactionHash } = await send(alpha, dev0, {
    address: alpha.tokens.USDC.address,
    abi: abi.token,
    functionName: 'transfer',
    args: [dev1.address, amount],
  });
  return await mined(transactionHash);
}

describe('read', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    const client = connectAs(alpha, dev0);
    const hash = await client.sendTransaction({ to: dev1.address, value: 7n, data: '0x12' });
    const receipt = await client.waitForTransactionReceipt({ hash });
    const block = await client.getBlock();
    expect(await read(alpha, hash)).toEqual({
      hash,
      from: dev0.address.toLowerCase(),
      to: dev1.address.toLowerCase(),
      data: '0x12',
      value: 7n,
      isSuccess: true,
      block: Number(receipt.blockNumber),
      timestamp: Number(block.timestamp),
      fee: receipt.gasUsed * receipt.effectiveGasPrice,
      logs: [],
    });
  });

  test('behavior: unknown and pending transactions', async () => {
    const { alpha } = chains.current;
    expect(await read(alpha, `0x${'12'.repeat(32)}`)).toBeUndefined();
    await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', false);
    const hash = await connectAs(alpha, dev0).sendTransaction({ to: dev1.address, value: 1n });
    expect(await read(alpha, hash)).toBe('pending');
    const waiting = mined(hash);
    await nodeRpc.call(alpha.rpcUrl, 'evm_mine');
    await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', true);
    expect(await waiting).toMatchObject({ hash, isSuccess: true });
  });

  test('behavior: reverted', async () => {
    const { alpha } = chains.current;
    const client = connectAs(alpha, dev0);
    const hash = await client.sendTransaction({ to: alpha.tokens.USDC.address, data: '0x12345678', gas: 50_000n });
    expect(await mined(hash)).toMatchObject({ isSuccess: false, logs: [] });
  });
});

describe('waitFor', () => {
  test('error: aborted', async () => {
    const end = new AbortController();
    const waiting = waitFor(chains.current.alpha, `0x${'12'.repeat(32)}`, end.signal);
    end.abort(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
  });
});

describe('readLogs', () => {
  test('default: logs of the given contracts and blocks', async () => {
    const { alpha } = chains.current;
    const { hash, block } = await transfer(5n);
    await transfer(6n);
    const range = { from: BigInt(block), to: BigInt(block) };
    const logs = await readLogs(alpha, { addresses: [alpha.tokens.USDC.address], ...range });
    expect(logs.map((log) => log.hash)).toEqual([hash]);
    expect(await readLogs(alpha, { addresses: [alpha.depository], ...range })).toEqual([]);
  });
});

describe('tokensReceived', () => {
  test('default: incoming minus outgoing', async () => {
    const { alpha } = chains.current;
    const usdc = alpha.tokens.USDC.address;
    const moved = await transfer(5n);
    expect(tokensReceived(moved, usdc, dev1.address)).toBe(5n);
    expect(tokensReceived(moved, usdc, dev0.address)).toBe(-5n);
    expect(tokensReceived(moved, alpha.tokens.DAI.address, dev1.address)).toBe(0n);
  });

  test('behavior: a wrap, which emits no Transfer', async () => {
    const { alpha } = chains.current;
    const { WETH } = alpha.tokens;
    const { transactionHash } = await send(alpha, dev0, {
      address: WETH.address,
      abi: abi.weth,
      functionName: 'deposit',
      value: 9n,
    });
    expect(tokensReceived(await mined(transactionHash), WETH.address, dev0.address)).toBe(9n);
  });
});

describe('nativeReceived', () => {
  test('default: including internal transfers', async () => {
    const { alpha } = chains.current;
    const hash = await connectAs(alpha, dev0).sendTransaction({ to: dev1.address, value: parseEther('1') });
    await mined(hash);
    expect(await nativeReceived(alpha, hash, dev1.address)).toBe(parseEther('1'));
    expect(await nativeReceived(alpha, hash, dev0.address)).toBe(0n);
    const { transactionHash } = await send(alpha, dev0, {
      address: alpha.tokens.WETH.address,
      abi: abi.weth,
      functionName: 'withdraw',
      args: [11n],
    });
    expect(await nativeReceived(alpha, transactionHash, dev0.address)).toBe(11n);
  });
});

describe('toTransaction', () => {
  test('default: the fee in US dollars', async () => {
    const { alpha } = chains.current;
    const moved = await transfer(5n);
    expect(toTransaction(alpha, { ...moved, fee: 4n * 10n ** 14n })).toEqual({
      hash: moved.hash,
      chainId: alpha.id,
      block: moved.block,
      timestamp: moved.timestamp,
      fee: 4n * 10n ** 14n,
      feeUsd: 1_000_000n,
      status: 'success',
    });
  });
});

describe('decode', () => {
  test('behavior: undefined for events not in the ABI', async () => {
    const [log] = (await transfer(5n)).logs;
    if (!log) throw new Error('no log');
    expect(decode(abi.token, log)?.eventName).toBe('Transfer');
    expect(decode(abi.depository, log)).toBeUndefined();
    expect(decode(abi.token, { ...log, data: '0x' })).toBeUndefined();
  });
});
