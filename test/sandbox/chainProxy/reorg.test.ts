import { describe, expect, onTestFinished, test } from 'vitest';
import { serveChain } from '../../../src/sandbox/chainProxy/chainServer.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { barrierBefore } from '../../support/barrier.js';
import { addFaultAt } from '../../support/faults.js';
import { useGate } from '../../support/gate.js';
import { ask } from '../../support/node.js';

const gate = useGate();
const { dev0, dev3 } = accounts;

const balance = async () => BigInt((await gate.node('eth_getBalance', dev3.address, 'latest')) as string);
const nonce = async () => Number(await gate.node('eth_getTransactionCount', dev0.address, 'latest'));
const height = async () => Number(await gate.node('eth_blockNumber'));

/** Submits a transaction and polls for its receipt. */
async function receiptOf(raw: string): Promise<{ hash: unknown; receipt: { blockNumber: string } }> {
  const hash = await gate.ask('eth_sendRawTransaction', raw);
  for (;;) {
    const receipt = await gate.ask('eth_getTransactionReceipt', hash);
    if (receipt) return { hash, receipt: receipt as { blockNumber: string } };
  }
}

describe('reorganize', () => {
  test('default: the transaction disappears after its receipt was returned', async () => {
    const [before, money] = [await nonce(), await balance()];
    await gate.fault({ kind: 'chain', does: 'reorg' });
    const raw = await gate.sign();
    const { hash, receipt } = await receiptOf(raw);
    expect(receipt).toMatchObject({ status: '0x1', transactionHash: hash });
    await gate.expectForgotten(hash);
    expect([await nonce(), await balance()]).toEqual([before, money]);
    const block = (await gate.node('eth_getBlockByNumber', receipt.blockNumber, false)) as { transactions: unknown[] };
    expect(block.transactions).toEqual([]);
    await gate.expectMining();
    expect((await receiptOf(raw)).hash).toBe(hash);
  });

  test('behavior: other transactions keep their blocks, except later ones of the sender', async () => {
    await gate.node('evm_setAutomine', false);
    const lost = await gate.node('eth_sendRawTransaction', await gate.sign());
    const besides = await gate.node('eth_sendRawTransaction', await gate.sign({}, 'dev1'));
    await gate.node('evm_setAutomine', true);
    const first = await gate.until('eth_getTransactionReceipt', besides);
    const next = await gate.node('eth_sendRawTransaction', await gate.sign());
    await gate.until('eth_getTransactionReceipt', next);
    await gate.node('anvil_impersonateAccount', dev3.address);
    const own = { from: dev3.address, to: dev0.address, value: '0x5' };
    const last = await gate.node('eth_sendTransaction', own);
    const second = await gate.until('eth_getTransactionReceipt', last);
    await gate.node('anvil_stopImpersonatingAccount', dev3.address);

    await gate.fault({ kind: 'chain', does: 'reorg' });
    const before = await height();
    expect(await gate.ask('eth_getTransactionReceipt', lost)).toMatchObject({ status: '0x1' });
    expect(await height()).toBe(before);
    for (const hash of [lost, next]) await gate.expectForgotten(hash);
    const { blockNumber } = first;
    expect(await gate.node('eth_getTransactionReceipt', besides)).toMatchObject({ blockNumber, status: '0x1' });
    const block = (await gate.node('eth_getBlockByNumber', second.blockNumber, true)) as { transactions: unknown[] };
    expect(block.transactions).toEqual([
      expect.objectContaining({ from: dev3.address.toLowerCase(), to: dev0.address.toLowerCase(), value: '0x5' }),
    ]);
    await gate.expectMining();
  });

  test('behavior: after a delay, and back in a later block', async () => {
    const before = await nonce();
    const { hash, receipt } = await receiptOf(await gate.sign());
    const back = await barrierBefore(gate.nodeUrl, ({ body }) => body.includes('eth_sendRawTransaction'));
    const away = await barrierBefore(back.url, ({ body }) => body.includes('anvil_reorg'));
    const server = await serveChain({ rpcUrl: away.url, instance: 'test' });
    onTestFinished(async () => {
      for (const { open } of [away, back]) open();
      await server.close();
    });
    await addFaultAt(server.url, { kind: 'chain', does: 'reorg', delayMs: 1, backAfterMs: 1 });
    expect(await ask(server.url, 'eth_getTransactionReceipt', hash)).toEqual(receipt);
    expect(await gate.node('eth_getTransactionReceipt', hash)).toEqual(receipt);
    away.open();
    await back.reached;
    expect(await gate.node('eth_getTransactionByHash', hash)).toBeNull();
    expect(await nonce()).toBe(before);
    back.open();
    const again = await gate.until('eth_getTransactionReceipt', hash);
    expect(Number(again.blockNumber)).toBe(Number(receipt.blockNumber) + 1);
    expect(await nonce()).toBe(before + 1);
    await expect.poll(server.isBusy).toBe(false);
  });

  test('behavior: missing receipts and other senders do not match', async () => {
    await gate.fault({ kind: 'chain', does: 'reorg', match: { user: dev0.address } });
    expect(await gate.ask('eth_getTransactionReceipt', `0x${'ab'.repeat(32)}`)).toBeNull();
    const { hash } = await receiptOf(await gate.sign({}, 'dev1'));
    expect(await gate.node('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    const { faults } = (await (await fetch(`${gate.url}/sandbox/faults`)).json()) as { faults: unknown[] };
    expect(faults).toMatchObject([{ met: 0, struck: 0 }]);
  });
});
