import { encodeAbiParameters, encodeFunctionData } from 'viem';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { rawCall } from '../../../src/sandbox/execute/submitCall.js';
import type * as Deposit from '../../../src/sandbox/ledger/Deposit.js';
import type { Entry } from '../../../src/sandbox/ledger/ledger.js';
import type * as RelayedCall from '../../../src/sandbox/ledger/RelayedCall.js';
import { createInstance, type Instance } from '../../../src/sandbox/settlement/instance.js';
import { createRelayer, type Relayer } from '../../../src/sandbox/settlement/relayer.js';
import { createSolver } from '../../../src/sandbox/settlement/solver.js';
import { createWatcher, type Watcher } from '../../../src/sandbox/settlement/watcher.js';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import { bridgeOn, instanceOn, ordered } from '../../support/instances.js';
import * as market from '../../support/market.js';
import { connect, connectAs } from '../../support/nodeClients.js';

const chains = useChains();
const { alpha, beta } = chains;
const { dev0 } = accounts;
const watchers: Watcher[] = [];

afterEach(async () => {
  for (const watcher of watchers.splice(0)) await watcher.stop();
});

/** A watcher, and the deposits it reports. */
function watch(instance: Instance) {
  const handed: Deposit.Deposit[] = [];
  const watcher = createWatcher(instance, async (deposit) => void handed.push(deposit));
  watchers.push(watcher);
  return { watcher, handed };
}

const instance = (clock = Date.now): Instance => instanceOn(chains, clock);

/** Quotes a bridge of ETH and deposits for it. */
async function deposit(one: Instance): Promise<{ orderId: string; hash: `0x${string}` }> {
  const change = { originCurrency: native, destinationCurrency: native, amount: '1000000000000000000' };
  const { steps, protocol } = (await ordered(one, bridgeOn(chains, change))).quote;
  const [item] = steps.flatMap((step) => step.items);
  const { to, data, value } = (item?.data ?? {}) as { to: `0x${string}`; data: `0x${string}`; value: string };
  const client = connectAs(alpha, dev0);
  const hash = await client.sendTransaction({ to, data, value: BigInt(value) });
  await client.waitForTransactionReceipt({ hash });
  return { orderId: protocol?.v2?.orderId ?? '', hash };
}

describe('createWatcher', () => {
  test('behavior: reads each block once, and continues where it stopped', async () => {
    const one = instance();
    const { watcher, handed } = watch(one);
    const first = await deposit(one);
    const own = (deposits: readonly Deposit.Deposit[], { hash }: { hash: string }) =>
      deposits.filter((found) => found.hash === hash).length;
    await expect.poll(() => own(handed, first), { interval: 5 }).toBe(1);
    await watcher.stop();
    const second = await deposit(one);
    await nodeRpc.call(alpha.rpcUrl, 'evm_mine');
    const next = watch(one);
    await expect.poll(() => own(next.handed, second), { interval: 5 }).toBe(1);
    expect([own(handed, second), own(next.handed, first)]).toEqual([0, 0]);
  });

  test('behavior: polls rarely while no deposit is expected', async () => {
    let nowMs = Date.now();
    const one = instance(() => nowMs);
    const { handed } = watch(one);
    await expect.poll(() => one.ledger.seenBlock(alpha.id), { interval: 5 }).toBeDefined();
    const depositing = deposit(one);
    nowMs += 3_600_000;
    const { hash } = await depositing;
    await expect.poll(() => handed.map((found) => found.hash), { interval: 5 }).toContain(hash);
  });
});

describe('inspect', () => {
  test('behavior: ignores a depository event emitted by another contract', async () => {
    const { watcher, handed } = watch(instance());
    const impostor = `0x${'9'.repeat(40)}` as const;
    // Emits its calldata as RelayErc20Deposit: CALLDATACOPY, PUSH32 topic, LOG1.
    const topic = '49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e1';
    await nodeRpc.call(alpha.rpcUrl, 'anvil_setCode', impostor, `0x365f5f377f${topic}365fa1`);
    const data = encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }],
      [dev0.address, alpha.tokens.USDC.address, 1n, `0x${'17'.repeat(32)}`],
    );
    const client = connectAs(alpha, dev0);
    const hash = await client.sendTransaction({ to: impostor, data });
    const { logs } = await client.waitForTransactionReceipt({ hash });
    expect(logs.map(({ topics }) => topics)).toEqual([[`0x${topic}`]]);
    expect(await watcher.inspect(alpha, hash)).toBe('irrelevant');
    expect(handed.filter((deposit) => deposit.hash === hash)).toEqual([]);
  });
});

const { relayer: account } = accounts;

type At = { instance: Instance; relayer: Relayer };

function at(rpcUrl?: string, ledger = inMemory()): At {
  const nodes = [alpha, beta].map((node) => ({ ...node, ...(rpcUrl && { rpcUrl }) }));
  const instance = createInstance({ chains: nodes, seed: 's', instance: 'i', logs: { ledger, venue: inMemory() } });
  const solver = createSolver(instance);
  const relayer = createRelayer(instance, solver);
  onTestFinished(async () => {
    await relayer.stop();
    await solver.stop();
  });
  return { instance, relayer };
}

/** A call without a quote, recorded in the ledger. */
function added({ instance }: At): Entry['order']['requestId'] {
  const { ledger } = instance;
  const sequence = ledger.nextSequence();
  const requestId = `0x${sequence.toString(16).padStart(64, '0')}` as const;
  const making = { requestId, nowMs: 0, chain: market.alpha, to: market.other, value: 0n, gas: 1n };
  const { order, quote } = rawCall({ ...making, referrer: undefined });
  ledger.add({ sequence, order, quote, apiKeyName: undefined });
  return requestId;
}

function relayed(): RelayedCall.Relay {
  const { id: chainId, reverter: to } = alpha;
  const data = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });
  const transaction = { to, data, value: 0n, gas: 200_000n, authorizations: [] };
  return { by: 'call', digest: '0x', chainId, transaction, state: 'queued' };
}

const until = (test: () => boolean) => expect.poll(test).toBe(true);

describe('createRelayer: submit', () => {
  test('behavior: loses nothing while a node is unavailable', async () => {
    const sandbox = at('http://127.0.0.1:1');
    const requestId = added(sandbox);
    sandbox.relayer.submit(requestId, relayed());
    const entry = () => sandbox.instance.ledger.byRequestId(requestId);
    await until(() => entry()?.details?.startsWith('Could not submit the transaction (will retry)') === true);
    const { status, relay } = entry() ?? {};
    expect([status, relay?.state, relay?.sent]).toEqual(['waiting', 'queued', undefined]);
    await sandbox.relayer.stop();
    expect(sandbox.relayer.isBusy()).toBe(false);
  });
});

describe('createRelayer: resume', () => {
  test('default: continues from the ledger, and sends nothing twice', async () => {
    const log = inMemory();
    const first = at(undefined, log);
    const [queued, sent, done] = [added(first), added(first), added(first)];
    first.relayer.submit(done, relayed());
    await until(() => !first.relayer.isBusy());
    first.relayer.submit(sent, relayed());
    await until(() => !first.relayer.isBusy());
    const { ledger } = first.instance;
    const { relay: mined } = ledger.byRequestId(sent) ?? {};
    if (!mined) throw new Error('no relay');
    // As if stopped between broadcasting and confirmation.
    ledger.update(sent, { status: 'waiting', relay: { ...mined, state: 'queued' }, inTxs: [], outTxs: [] });
    ledger.update(queued, { relay: relayed() });

    const client = connect(alpha);
    const before = await client.getTransactionCount({ address: account.address });
    const second = at(undefined, log);
    second.relayer.resume();
    await until(() => !second.relayer.isBusy());
    for (const id of [queued, sent, done])
      expect(second.instance.ledger.byRequestId(id)).toMatchObject({ status: 'success', relay: { state: 'mined' } });
    expect(await client.getTransactionCount({ address: account.address })).toBe(before + 1);
  });
});
