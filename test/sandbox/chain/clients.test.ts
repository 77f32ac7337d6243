import { describe, expect, test } from 'vitest';
import { gasPrice } from '../../../src/sandbox/chain/anvil.js';
import { serveChain } from '../../../src/sandbox/chainProxy/chainServer.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { useChains } from '../../support/chains.js';
import { addFaultAt } from '../../support/faults.js';
import { connectAs } from '../../support/nodeClients.js';

const chains = useChains();

describe('connectAs', () => {
  test('behavior: a receipt that comes later than its block is found, although no other block follows', async () => {
    const { alpha } = chains.current;
    const gate = await serveChain({ rpcUrl: alpha.rpcUrl, instance: 'test' });
    const match = { rpc: 'eth_getTransactionReceipt' };
    await addFaultAt(gate.url, { kind: 'tamper', path: '/result', value: null, times: 2, match });
    const client = connectAs({ ...alpha, rpcUrl: gate.url }, accounts.dev0);
    const hash = await client.sendTransaction({ to: accounts.dev1.address, value: 1n });
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
    await gate.close();
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
