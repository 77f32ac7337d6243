import { afterAll, beforeAll, expect, test } from 'vitest';
import * as PendingTransactions from '../../../src/core/execution/PendingTransactions.js';
import * as Network from '../../../src/core/network/Network.js';
import type { Waiting } from '../../../src/core/ports/Ports.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { addFault, clearFaults } from '../../support/faults.js';
import { startSandbox, type TestSandbox } from '../../support/sandbox.js';
import { transferOn } from '../../support/transfer.js';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

/** Waits, and does something once it is told that there is something to wait for. */
async function waitFor(timeoutMs: number, once?: () => Promise<void>, now = Date.now): Promise<Waiting[]> {
  const { network, ports } = transferOn(sandbox);
  const { origin: node, signal, account } = ports;
  const clock = { ...ports.clock, now };
  const chain = Network.chain(network, 'alpha');
  const told: Waiting[] = [];
  for await (const event of PendingTransactions.mined(chain, account.address, { node, clock, signal }, timeoutMs)) {
    told.push(event);
    await once?.();
  }
  return told;
}

test('mined: goes on at once if nothing is pending, else once it is mined', async () => {
  expect(await waitFor(0)).toEqual([]);
  const { account } = transferOn(sandbox).ports;
  await addFault(sandbox, 'alpha', { kind: 'chain', does: 'halt' });
  const sent = { from: account.address, to: account.address, value: '0x1' };
  await nodeRpc.call(sandbox.rpcUrls.alpha, 'eth_sendTransaction', sent);
  await expect(waitFor(0, undefined, () => 0)).rejects.toMatchObject({
    code: 'submit.busy',
    message: 'After 0 ms, the account still has 1 pending transaction on alpha. Nothing was signed.',
  });
  expect(await waitFor(60_000, () => clearFaults(sandbox))).toEqual([
    { type: 'waiting', summary: `Waiting: 1 pending transaction of ${account.address} on alpha`, pid: null },
  ]);
});
