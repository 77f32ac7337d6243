import { encodeErrorResult, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import type { Chain } from '../../../src/sandbox/chain/startChains.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { type Account, accounts, type Name } from '../../../src/sandbox/values/devAccounts.js';
import { balance, type Call, revert, send, useChains } from '../../support/chains.js';
import { authorize, type Batch, signBatch, wrap } from '../../support/gasless.js';
import { connect, connectAs } from '../../support/nodeClients.js';

const { alpha, beta } = useChains();
const { dev0, dev1, dev2, dev3, relayer } = accounts;
const zero = '0x0000000000000000000000000000000000000000';

type Batched = Batch['batchedCall'];

beforeAll(async () => {
  await delegate(alpha, 'dev1');
  await delegate(beta, 'dev1');
});

describe('execute', () => {
  test('behavior: nonces are sequential per key and used once', async () => {
    await delegate(alpha, 'dev2');
    for (const nonce of [0n, 1n, 5n << 64n, 2n, (5n << 64n) | 1n, (2n ** 192n - 1n) << 64n])
      await send(alpha, relayer, await signed(alpha, dev2, batch([], { nonce })));
    expect(await nextNonce(alpha, dev2)).toBe(3n);
    expect(await nextNonce(alpha, dev2, 5n)).toBe((5n << 64n) | 2n);
    for (const nonce of [0n, 1n, 2n, 4n, 5n << 64n, (5n << 64n) | 3n, (6n << 64n) | 1n])
      expect(await reverts(dev2, batch([], { nonce })), String(nonce)).toBe('InvalidNonce()');
  });

  test('behavior: the zero address means the account, which can execute its own batches', async () => {
    const inner = { calls: [transfer(9n)], revertOnFailure: true };
    const data = encodeFunctionData({ abi: abi.batchExecutor, functionName: 'execute', args: [inner] });
    const before = await balance(alpha, alpha.tokens.USDC.address, dev0.address);
    await send(alpha, relayer, await signed(alpha, dev1, await next(dev1, [{ to: zero, value: 0n, data }])));
    expect(await balance(alpha, alpha.tokens.USDC.address, dev0.address)).toBe(before + 9n);
  });

  test('behavior: without revertOnFailure the other calls take effect', async () => {
    const before = await balance(alpha, alpha.tokens.USDC.address, dev0.address);
    const calls = [transfer(1n), transfer(2n ** 255n), transfer(2n)];
    await send(alpha, relayer, await signed(alpha, dev1, await next(dev1, calls, { revertOnFailure: false })));
    expect(await balance(alpha, alpha.tokens.USDC.address, dev0.address)).toBe(before + 3n);
  });

  test('behavior: valid until the deadline, inclusive, and for the named executor', async () => {
    const { timestamp } = await connect(alpha).getBlock();
    const deadline = timestamp + 1_000n;
    const batched = await next(dev1, [], { deadline, executor: relayer.address });
    await nodeRpc.call(alpha.rpcUrl, 'evm_setNextBlockTimestamp', numberToHex(deadline));
    expect(await mined(relayer, await signed(alpha, dev1, batched))).toBe('success');
    expect((await connect(alpha).getBlock()).timestamp).toBe(deadline);
  });

  test('error: reentrant submission', async () => {
    const nonce = await nextNonce(alpha, dev1);
    const inner = await signed(alpha, dev1, batch([transfer(1n)], { nonce }));
    const data = encodeFunctionData({ abi: abi.batchExecutor, functionName: 'execute', args: inner.args as never });
    const outer = batch([{ to: dev1.address, value: 0n, data }], { nonce });
    expect(await reverts(dev1, outer)).toBe(`CallFailed(${error('InvalidNonce')})`);
  });

  test('error: on the other chain', async () => {
    const batched = await next(dev1, [transfer(1n)]);
    const own = { ...batched, nonce: await nextNonce(beta, dev1) };
    expect(await revert(beta, relayer, await signed(beta, dev1, own))).toBe(undefined);
    expect(await revert(beta, relayer, await signed(alpha, dev1, own))).toBe('InvalidSignature()');
  });

  test('error: on another account', async () => {
    await delegate(alpha, 'dev3');
    const batched = batch([transfer(1n)]);
    expect(await revert(alpha, relayer, submission(dev3, batched, await signBatch(alpha, dev3, batched)))).toBe(
      undefined,
    );
    const signature = await signBatch(alpha, { ...dev1, privateKey: dev3.privateKey }, batched);
    expect(await revert(alpha, relayer, submission(dev3, batched, signature))).toBe('InvalidSignature()');
  });

  test('error: modified after signing', async () => {
    const batched = await next(dev1, [transfer(1n), transfer(2n)]);
    const signature = await signBatch(alpha, dev1, batched);
    // Every part is in the hash, or the one of the signer would never be the same.
    for (const altered of [{ ...batched, deadline: 2n ** 60n }, batch([transfer(1n)], { nonce: batched.nonce })])
      expect(await revert(alpha, relayer, submission(dev1, altered, signature))).toBe('InvalidSignature()');
  });

  test('error: a signature by another key, or an empty one', async () => {
    const batched = await next(dev1, [transfer(1n)]);
    const own = await signBatch(alpha, dev1, batched);
    const foreign = await signBatch(alpha, { ...dev1, privateKey: dev2.privateKey }, batched);
    for (const signature of [foreign, own.slice(0, -2), `0x${'00'.repeat(65)}`, '0x'] as const)
      expect(await revert(alpha, relayer, submission(dev1, batched, signature as Hex)), signature).toBe(
        'InvalidSignature()',
      );
  });

  test('error: a failing call reverts everything, including the nonce', async () => {
    const batched = await next(dev1, [transfer(1n), failing()]);
    const before = await balance(alpha, alpha.tokens.USDC.address, dev0.address);
    expect(await reverts(dev1, batched)).toBe(
      `CallFailed(${encodeErrorResult({ abi: abi.reverter, errorName: 'LimitExceeded', args: [dev1.address, 1n, 2n] })})`,
    );
    expect(await mined(relayer, await signed(alpha, dev1, batched))).toBe('reverted');
    expect(await balance(alpha, alpha.tokens.USDC.address, dev0.address)).toBe(before);
    expect(await nextNonce(alpha, dev1)).toBe(batched.nonce);
  });

  test('error: unsigned batch by another sender', async () => {
    const args = [{ calls: [transfer(4n)], revertOnFailure: true }];
    const call = { address: dev1.address, abi: abi.batchExecutor, functionName: 'execute', args };
    expect(await revert(alpha, relayer, call)).toBe('Unauthorized()');
    const before = await balance(alpha, alpha.tokens.USDC.address, dev0.address);
    await send(alpha, dev1, call);
    expect(await balance(alpha, alpha.tokens.USDC.address, dev0.address)).toBe(before + 4n);
  });
});

describe('delegation', () => {
  test('error: no signature is valid for the implementation itself', async () => {
    const code = { ...dev1, address: alpha.batchExecutor };
    expect(await revert(alpha, relayer, await signed(alpha, code, batch([])))).toBe('InvalidSignature()');
  });
});

/** A batch with the account's next nonce on alpha. */
async function next(account: Account, calls: Batch['batchedCall']['calls'], rest: Parameters<typeof batch>[1] = {}) {
  return batch(calls, { ...rest, nonce: await nextNonce(alpha, account) });
}

/** The revert reason of the account's own batch on alpha. */
async function reverts(account: Account, batched: Batch) {
  return await revert(alpha, relayer, await signed(alpha, account, batched));
}

/** The outcome of the call on alpha, sent without an estimate. */
async function mined(account: Account, { address, abi: of, functionName, args }: Call) {
  const client = connectAs(alpha, account);
  const data = encodeFunctionData({ abi: of, functionName, args: args ?? [] });
  const hash = await client.sendTransaction({ to: address, data, gas: 500_000n });
  return (await client.waitForTransactionReceipt({ hash })).status;
}

function transfer(amount: bigint) {
  const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [dev0.address, amount] });
  return { to: alpha.tokens.USDC.address, value: 0n, data };
}

function failing() {
  const args = [dev1.address, 1n, 2n] as const;
  const data = encodeFunctionData({ abi: abi.reverter, functionName: 'customError', args });
  return { to: alpha.reverter, value: 0n, data };
}

function error(errorName: 'InvalidNonce') {
  return encodeErrorResult({ abi: abi.batchExecutor, errorName });
}

/** A batch that anyone may submit at any time, and that reverts as a whole. */
function batch(calls: Batched['calls'], rest: Partial<Batch & Batched> = {}): Batch {
  const { revertOnFailure = true, nonce = 0n, executor = zero, deadline = 0n } = rest;
  const { keyHash = `0x${'00'.repeat(32)}` } = rest;
  return { batchedCall: { calls, revertOnFailure }, nonce, keyHash, executor, deadline };
}

/** The call that submits a batch to its account. */
function submission(account: Account, message: Batch, signature: Hex): Call {
  const args = [message, wrap(signature)];
  return { address: account.address, abi: abi.batchExecutor, functionName: 'execute', args };
}

/** The call that submits what the account has signed itself. */
async function signed(chain: Chain, account: Account, message: Batch): Promise<Call> {
  return submission(account, message, await signBatch(chain, account, message));
}

/** Delegates an account to the batch executor. */
async function delegate(chain: Chain, account: Name): Promise<void> {
  const client = connectAs(chain, relayer);
  const hash = await client.sendTransaction({
    to: zero,
    authorizationList: [await authorize(chain, account)],
  } as never);
  await client.waitForTransactionReceipt({ hash });
}

/** The next nonce for a key of a delegated account. */
async function nextNonce(chain: Chain, account: Account, key = 0n): Promise<bigint> {
  const call = { address: account.address, abi: abi.batchExecutor, functionName: 'getSeq', args: [key] } as const;
  return (key << 64n) | (await connect(chain).readContract(call));
}
