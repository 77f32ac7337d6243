import { describe, expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import type { Entry } from '../../../src/sandbox/ledger/ledger.js';
import type { Instance } from '../../../src/sandbox/settlement/instance.js';
import * as sendFill from '../../../src/sandbox/settlement/sendFill.js';
import * as settled from '../../../src/sandbox/settlement/settled.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, balance, send, useChains } from '../../support/chains.js';
import { bridgeOn, instanceOn, ordered as orderedIn } from '../../support/instances.js';

const chains = useChains();
const never = new AbortController().signal;
const receiver = `0x${'c'.repeat(40)}` as const;

const instance = (): Instance => instanceOn(chains.current);

/** An order in the state after its deposit. */
function ordered(one: Instance, output: 'USDC' | 'WETH' | 'GULL', slippageTolerance = '200'): Promise<Entry> {
  const destinationCurrency = chains.current.beta.tokens[output].address;
  const change = { recipient: receiver, destinationCurrency, amount: '1000000000', slippageTolerance };
  return orderedIn(one, bridgeOn(chains.current, change));
}

/** Raises the price of GULL. */
async function buyGull(amount: bigint): Promise<void> {
  const { beta } = chains.current;
  const pool = beta.pools.find(({ token0 }) => token0 === beta.tokens.GULL.address)?.address ?? '0x';
  await approve(beta, accounts.dev2, beta.tokens.USDC.address, pool, amount);
  await send(beta, accounts.dev2, {
    address: pool,
    abi: abi.pool,
    functionName: 'swapExactIn',
    args: [beta.tokens.USDC.address, amount, 0n, accounts.dev2.address],
  });
}

describe('send', () => {
  test('default: one transaction that delivers the stated amount', async () => {
    const one = instance();
    const entry = await ordered(one, 'WETH');
    const reported: string[] = [];
    const sent = await sendFill.send(one, entry, { onSent: ({ hash }) => reported.push(hash), signal: never });
    if ('failReason' in sent) throw new Error(sent.failReason);
    expect(reported).toEqual([sent.hash]);
    const { beta } = chains.current;
    const done = await settled.waitFor(one, { chainId: beta.id, hash: sent.hash }, never);
    expect(settled.isSuccess(done)).toBe(true);
    const received = await balance(beta, beta.tokens.WETH.address, receiver);
    expect(received).toBe(sent.delivered);
    expect(await settled.delivered(done, entry.order, 0n)).toBe(received);
  });

  test('behavior: approves the proxy only once', async () => {
    const one = instance();
    const { beta } = chains.current;
    const count = async () =>
      Number(await nodeRpc.call(beta.rpcUrl, 'eth_getTransactionCount', accounts.solver.address, 'pending'));
    const before = await count();
    for (let round = 0; round < 3; round++)
      await sendFill.send(one, await ordered(one, 'GULL'), { onSent: () => undefined, signal: never });
    expect((await count()) - before).toBeLessThanOrEqual(4);
  });

  test("behavior: concurrent fills see each other's effect on the pool", async () => {
    const one = instance();
    const { beta } = chains.current;
    const entries = [await ordered(one, 'GULL', '10000'), await ordered(one, 'GULL', '10000')];
    const sent = await Promise.all(
      entries.map((entry) => sendFill.send(one, entry, { onSent: () => undefined, signal: never })),
    );
    const expected = sent.map((result) => ('delivered' in result ? result.delivered : 0n));
    expect(expected[1]).toBeLessThan(expected[0] ?? 0n);
    for (const [index, result] of sent.entries()) {
      if ('failReason' in result) throw new Error(result.failReason);
      const done = await settled.waitFor(one, { chainId: beta.id, hash: result.hash }, never);
      const { order } = entries[index] as Entry;
      expect(await settled.delivered(done, order, 0n)).toBe(expected[index]);
    }
  });

  test('behavior: sends nothing if the pool yields too little', async () => {
    const one = instance();
    const entry = await ordered(one, 'GULL', '10');
    await buyGull(50_000_000_000n);
    const reported: string[] = [];
    expect(await sendFill.send(one, entry, { onSent: ({ hash }) => reported.push(hash), signal: never })).toEqual({
      failReason: 'TOO_LITTLE_RECEIVED',
    });
    expect(reported).toEqual([]);
  });
});
