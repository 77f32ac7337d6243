/** What is asked of a node, and what is sent to one. */

import { encodeFunctionData, numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { type Call, maxGas, readDelegations, simulate } from '../../../src/sandbox/chain/simulateCall.js';
import { createTransactionQueue, type Send } from '../../../src/sandbox/chain/transactionQueue.js';
import { readAuthorizations } from '../../../src/sandbox/execute/authorizations.js';
import { read, waitFor } from '../../../src/sandbox/ledger/minedTransactions.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import * as CallTrace from '../../../src/sandbox/values/CallTrace.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import { authorize, batch } from '../../support/gasless.js';
import { connect, connectAs } from '../../support/nodeClients.js';

const { alpha } = useChains();
const { dev0, dev1, dev8, dev9, relayer, solver } = accounts;

function call(change: Partial<Call>): Call {
  return { from: relayer.address, to: dev9.address, data: '0x', value: 0n, authorizations: [], ...change };
}

/** A signed batch of dev9 that transfers one unit of USDC, with its authorization. */
async function signed(): Promise<Call> {
  const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [dev8.address, 1n] });
  const calls = [{ to: alpha.tokens.USDC.address, value: 0n, data }];
  const authorizations = await readAuthorizations(alpha, [await authorize(alpha, 'dev9')], 'list');
  return call({ data: await batch(alpha, 'dev9', calls), authorizations });
}

describe('simulate', () => {
  test('default: applies authorizations, without side effects', async () => {
    const client = connect(alpha);
    const block = await client.getBlockNumber();
    const { frame, gas } = await simulate(alpha, await signed());
    expect(frame.error).toBeUndefined();
    expect(CallTrace.logs(frame).map(({ address }) => address)).toEqual([
      dev9.address.toLowerCase(),
      alpha.tokens.USDC.address.toLowerCase(),
    ]);
    expect(gas.limit).toBeGreaterThan(gas.used);
    expect(await client.getBlockNumber()).toBe(block);
    expect(await client.getCode({ address: dev9.address })).toBeUndefined();
  });

  test('behavior: the gas limit suffices despite nested calls and refunds', async () => {
    let data = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });
    let to = alpha.reverter;
    for (let depth = 0; depth < 40; depth++) {
      data = encodeFunctionData({ abi: abi.forwarder, functionName: 'forward', args: [to, data] });
      to = alpha.forwarder;
    }
    const { gas } = await simulate(alpha, call({ to, data }));
    expect(gas.limit).toBeLessThanOrEqual(maxGas);
    const client = connectAs(alpha, relayer);
    const hash = await client.sendTransaction({ to, data, gas: gas.limit });
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success', gasUsed: gas.used });
  });
});

describe('readDelegations', () => {
  test('default: current and authorized delegations', async () => {
    const code = `0xef0100${alpha.router.slice(2)}`.toLowerCase();
    await connect(alpha).request({ method: 'anvil_setCode', params: [dev8.address, code] } as never);
    const path = [dev8.address, alpha.router, dev8.address].map((to) => ({
      type: 'CALL',
      from: relayer.address,
      to,
      input: numberToHex(0),
    }));
    const found = await readDelegations(alpha, await signed(), path);
    expect(Object.fromEntries(found)).toEqual({
      [dev8.address.toLowerCase()]: alpha.router.toLowerCase(),
      [dev9.address.toLowerCase()]: alpha.batchExecutor,
    });
  });
});

const payment = { to: dev1.address, data: '0x', value: 1n, gas: 21_000n } as const;

function sender() {
  return createTransactionQueue(alpha, solver);
}

describe('createTransactionQueue', () => {
  test('behavior: concurrent calls get consecutive nonces in order', async () => {
    const one = sender();
    const client = connect(alpha);
    const first = await client.getTransactionCount({ address: solver.address, blockTag: 'pending' });
    const hashes = await Promise.all(Array.from({ length: 25 }, () => one.runExclusive((send) => send(payment))));
    const sent = await Promise.all(hashes.map((hash) => client.getTransaction({ hash })));
    expect(sent.map(({ nonce }) => nonce)).toEqual(Array.from({ length: 25 }, (_, index) => first + index));
  });

  test('behavior: rejected transactions consume no nonce, and outside use of the account is tolerated', async () => {
    const one = sender();
    const refused = (send: Send) => send({ ...payment, gas: 20_000n });
    await expect(one.runExclusive(refused)).rejects.toThrow(nodeRpc.NodeRpcError);
    const client = connectAs(alpha, solver);
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction({ to: dev1.address, value: 1n }) });
    const hash = await one.runExclusive((send) => send(payment));
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
  });
});

const unknown = `0x${'12'.repeat(32)}` as const;

test('minedTransactions: read: unknown and pending transactions', async () => {
  expect(await read(alpha, unknown)).toBeUndefined();
  await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', false);
  const hash = await connectAs(alpha, dev0).sendTransaction({ to: dev1.address, value: 1n });
  expect(await read(alpha, hash)).toBe('pending');
  const waiting = waitFor(alpha, hash, new AbortController().signal);
  await nodeRpc.call(alpha.rpcUrl, 'evm_mine');
  await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', true);
  expect(await waiting).toMatchObject({ hash, isSuccess: true });
});

test('minedTransactions: waitFor: aborted', async () => {
  const end = new AbortController();
  const waiting = waitFor(alpha, unknown, end.signal);
  end.abort(new Error('over'));
  await expect(waiting).rejects.toThrow('over');
});
