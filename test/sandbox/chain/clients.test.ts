import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { gasPrice } from '../../../src/sandbox/chain/anvil.js';
import { connect, connectAs } from '../../../src/sandbox/chain/clients.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';

const chains = useChains();

describe('connect', () => {
  test('default', async () => {
    for (const chain of [chains.current.alpha, chains.current.beta]) {
      const client = connect(chain);
      expect(client.chain).toMatchObject({ id: chain.id, name: chain.name });
      expect(await client.getChainId()).toBe(chain.id);
    }
  });

  test('behavior: reads are never cached', async () => {
    const client = connect(chains.current.alpha);
    const before = await client.getBlockNumber();
    await pay();
    expect(await client.getBlockNumber()).toBe(before + 1n);
  });
});

describe('connectAs', () => {
  test('behavior: a receipt is found whenever its block comes, although no other block follows', async () => {
    const { alpha } = chains.current;
    const client = connectAs(alpha, accounts.dev0);
    await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', false);
    for (let round = 0; round < 60; round++) {
      const hash = await client.sendTransaction({ to: accounts.dev1.address, value: 1n, gas: 21_000n });
      const waiting = client.waitForTransactionReceipt({ hash, timeout: 5_000 });
      await delay(round / 5);
      await nodeRpc.call(alpha.rpcUrl, 'evm_mine');
      expect(await waiting).toMatchObject({ status: 'success' });
    }
    await nodeRpc.call(alpha.rpcUrl, 'evm_setAutomine', true);
  });

  test('behavior: always pays the sandbox’s own gas price', async () => {
    for (let i = 0; i < 5; i++) {
      const { effectiveGasPrice } = await pay();
      expect(effectiveGasPrice).toBe(gasPrice.baseFeePerGas + gasPrice.maxPriorityFeePerGas);
    }
  });
});

async function pay() {
  const client = connectAs(chains.current.alpha, accounts.dev0);
  const hash = await client.sendTransaction({ to: accounts.dev1.address, value: 1n });
  return await client.waitForTransactionReceipt({ hash });
}
