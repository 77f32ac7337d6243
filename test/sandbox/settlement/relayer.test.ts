import { encodeFunctionData } from 'viem';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rawCall } from '../../../src/sandbox/execute/submitCall.js';
import type { Entry } from '../../../src/sandbox/ledger/ledger.js';
import type * as RelayedCall from '../../../src/sandbox/ledger/RelayedCall.js';
import { createInstance, type Instance } from '../../../src/sandbox/settlement/instance.js';
import { createRelayer, type Relayer } from '../../../src/sandbox/settlement/relayer.js';
import { createSolver } from '../../../src/sandbox/settlement/solver.js';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import * as market from '../../support/market.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { relayer: account } = accounts;

type At = { instance: Instance; relayer: Relayer };

function at(rpcUrl?: string, ledger = inMemory()): At {
  const nodes = [chains.current.alpha, chains.current.beta].map((node) => ({ ...node, ...(rpcUrl && { rpcUrl }) }));
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
  const making = {
    requestId,
    nowMs: 0,
    chain: market.alpha,
    to: market.other,
    value: 0n,
    gas: 1n,
    referrer: undefined,
  };
  const { order, quote } = rawCall(making);
  ledger.add({ sequence, order, quote, apiKeyName: undefined });
  return requestId;
}

function relay(): RelayedCall.Relay {
  const { id: chainId, reverter: to } = chains.current.alpha;
  const data = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });
  const transaction = { to, data, value: 0n, gas: 200_000n, authorizations: [] };
  return { by: 'call', digest: '0x', chainId, transaction, sent: undefined, state: 'queued', afterFill: undefined };
}

const until = (test: () => boolean) => expect.poll(test).toBe(true);

describe('submit', () => {
  test('behavior: loses nothing while a node is unavailable', async () => {
    const sandbox = at('http://127.0.0.1:1');
    const requestId = added(sandbox);
    sandbox.relayer.submit(requestId, relay());
    const entry = () => sandbox.instance.ledger.byRequestId(requestId);
    await until(() => entry()?.details?.startsWith('Could not submit the transaction (will retry)') === true);
    expect(entry()).toMatchObject({ status: 'waiting', relay: { state: 'queued', sent: undefined } });
    await sandbox.relayer.stop();
    expect(sandbox.relayer.isBusy()).toBe(false);
  });
});

describe('resume', () => {
  test('default: continues from the ledger, and sends nothing twice', async () => {
    const log = inMemory();
    const first = at(undefined, log);
    const [queued, sent, done] = [added(first), added(first), added(first)];
    first.relayer.submit(done, relay());
    await until(() => !first.relayer.isBusy());
    first.relayer.submit(sent, relay());
    await until(() => !first.relayer.isBusy());
    const { ledger } = first.instance;
    const { relay: mined } = ledger.byRequestId(sent) ?? {};
    if (!mined) throw new Error('no relay');
    // As if stopped between broadcasting and confirmation.
    ledger.update(sent, { status: 'waiting', relay: { ...mined, state: 'queued' }, inTxs: [], outTxs: [] });
    ledger.update(queued, { relay: relay() });

    const client = connect(chains.current.alpha);
    const before = await client.getTransactionCount({ address: account.address });
    const second = at(undefined, log);
    second.relayer.resume();
    await until(() => !second.relayer.isBusy());
    for (const id of [queued, sent, done])
      expect(second.instance.ledger.byRequestId(id)).toMatchObject({ status: 'success', relay: { state: 'mined' } });
    expect(await client.getTransactionCount({ address: account.address })).toBe(before + 1);
  });
});
