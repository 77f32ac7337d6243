import { keccak256 } from 'viem';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { createMining } from '../../../src/sandbox/chainProxy/chainFaults.js';
import { serveChain } from '../../../src/sandbox/chainProxy/chainServer.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { barrierBefore } from '../../support/barrier.js';
import { addFaultAt } from '../../support/faults.js';
import { useGate } from '../../support/gate.js';
import { ask, receiptAt, signedBy, startNode } from '../../support/node.js';

const gate = useGate();
const { dev0, dev3 } = accounts;

const balance = async () => BigInt((await gate.node('eth_getBalance', dev3.address, 'latest')) as string);
const nonce = async () => Number(await gate.node('eth_getTransactionCount', dev0.address, 'latest'));
const height = async () => Number(await gate.node('eth_blockNumber'));

/** A second gate of the node. What it asks the node that fits is held back until it is let through. */
async function gateHolding(what: RegExp) {
  const { url, open } = await barrierBefore(gate.nodeUrl, ({ body }) => what.test(body));
  const server = await serveChain({ rpcUrl: url, instance: 'test' });
  onTestFinished(async () => {
    open();
    await server.close();
  });
  return { ...server, open };
}

describe('halt', () => {
  test('default: transactions stay in the pool until the fault is cleared', async () => {
    await gate.fault({ kind: 'chain', does: 'halt' });
    const before = await height();
    const hash = await gate.send();
    expect(await gate.node('anvil_getAutomine')).toBe(false);
    expect(await gate.ask('eth_getTransactionReceipt', hash)).toBeNull();
    expect(await gate.node('eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: null });
    expect(await height()).toBe(before);
    expect(gate.server.isBusy()).toBe(false);
    await gate.clear();
    expect(await gate.receipt(hash)).toMatchObject({ status: '0x1' });
  });

  test('behavior: for a limited time', async () => {
    const { url, isBusy, open } = await gateHolding(/evm_setAutomine.*true/);
    await addFaultAt(url, { kind: 'chain', does: 'halt', delayMs: 1 });
    const hash = await ask(url, 'eth_sendRawTransaction', await gate.sign());
    expect(await gate.node('eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: null });
    expect(isBusy()).toBe(true);
    open();
    await gate.receipt(hash);
    await expect.poll(isBusy).toBe(false);
  });

  test('behavior: from the matching transaction on', async () => {
    await gate.fault({ kind: 'chain', does: 'halt', after: 1, match: { user: dev0.address } });
    await gate.receipt(await gate.send());
    await gate.receipt(await gate.send({}, 'dev1'));
    const deposit = await gate.send();
    expect(await gate.node('anvil_getAutomine')).toBe(false);
    expect(await gate.ask('eth_getTransactionReceipt', deposit)).toBeNull();
    await gate.clear();
    await gate.receipt(deposit);
  });

  test('behavior: leaves automine off if the user turned it off', async () => {
    await gate.ask('evm_setAutomine', false);
    await gate.fault({ kind: 'chain', does: 'halt' });
    await gate.clear();
    expect(await gate.node('anvil_getAutomine')).toBe(false);
    await gate.ask('evm_setAutomine', true);
  });
});

describe('evict', () => {
  test('default: returns the hash, but drops the transaction from the pool', async () => {
    const [before, money] = [await nonce(), await balance()];
    await gate.fault({ kind: 'chain', does: 'evict' });
    const raw = await gate.sign();
    expect(await gate.ask('eth_sendRawTransaction', raw)).toBe(keccak256(raw));
    await gate.expectForgotten(keccak256(raw));
    expect([await nonce(), await balance()]).toEqual([before, money]);
    await gate.expectMining();

    // The same bytes are accepted again, and mined.
    expect(await gate.ask('eth_sendRawTransaction', raw)).toBe(keccak256(raw));
    await gate.receipt(keccak256(raw));
    expect([await nonce(), await balance()]).toEqual([before + 1, money + 1n]);
  });

  test('behavior: after a delay in the pool', async () => {
    const { url, isBusy, open } = await gateHolding(/anvil_dropTransaction/);
    await addFaultAt(url, { kind: 'chain', does: 'evict', delayMs: 1 });
    const hash = await ask(url, 'eth_sendRawTransaction', await gate.sign());
    expect(await ask(url, 'eth_getTransactionByHash', hash)).toMatchObject({ hash, blockNumber: null });
    expect(isBusy()).toBe(true);
    open();
    await expect.poll(isBusy).toBe(false);
    await gate.expectForgotten(hash);
    await gate.expectMining();
  });

  test('error: the node rejects the transaction; mining continues', async () => {
    await gate.fault({ kind: 'chain', does: 'evict' });
    const raw = await gate.sign({ nonce: 0 });
    await gate.node('eth_sendRawTransaction', raw).catch(() => undefined);
    await expect.poll(nonce).toBeGreaterThan(0);
    await expect(gate.ask('eth_sendRawTransaction', raw)).rejects.toThrow('nonce too low');
    await gate.expectMining();
  });
});

describe('swallow', () => {
  test('default: returns the hash, but forwards nothing', async () => {
    const before = await nonce();
    await gate.fault({ kind: 'chain', does: 'swallow', match: { user: dev0.address } });
    const raw = await gate.sign();
    expect(await gate.ask('eth_sendRawTransaction', raw)).toBe(keccak256(raw));
    await gate.expectForgotten(keccak256(raw));
    expect(await nonce()).toBe(before);
    await gate.expectMining();
  });

  test('behavior: other senders are unaffected', async () => {
    await gate.fault({ kind: 'chain', does: 'swallow', times: 0, match: { user: dev0.address } });
    await gate.receipt(await gate.send({}, 'dev1'));
  });
});

describe('replace', () => {
  test.each([undefined, 100])(
    'default: mines another transaction with the same content, after %s ms',
    async (delayMs) => {
      const [before, money] = [await nonce(), await balance()];
      await gate.fault({ kind: 'chain', does: 'replace', delayMs });
      const raw = await gate.sign({ value: 7n, data: '0x1234', gas: 30_000n });
      const hash = await gate.ask('eth_sendRawTransaction', raw);
      expect(hash).toBe(keccak256(raw));
      await expect.poll(nonce).toBe(before + 1);
      await gate.expectForgotten(hash);
      expect(await balance()).toBe(money + 7n);
      const { transactions } = await gate.block();
      expect(transactions).toEqual([
        expect.objectContaining({
          from: dev0.address.toLowerCase(),
          to: dev3.address.toLowerCase(),
          nonce: `0x${before.toString(16)}`,
          value: '0x7',
          input: '0x1234',
          hash: expect.not.stringMatching(String(hash)),
        }),
      ]);
      await gate.expectMining();
      // Impersonation has ended: the node signs for the account as before.
      const own = { from: dev0.address, to: dev3.address, value: '0x1' };
      const last = await gate.node('eth_sendTransaction', own);
      expect((await gate.until('eth_getTransactionByHash', last)).r).not.toBe('0x0');
      await gate.receipt(last);
    },
  );
});

describe('cancel', () => {
  test('default: mines an empty self-transfer instead', async () => {
    const [before, money] = [await nonce(), await balance()];
    await gate.fault({ kind: 'chain', does: 'cancel' });
    const hash = await gate.send({ value: 7n, gas: 30_000n });
    await expect.poll(nonce).toBe(before + 1);
    await gate.expectForgotten(hash);
    expect(await balance()).toBe(money);
    const { transactions } = await gate.block();
    const self = dev0.address.toLowerCase();
    expect(transactions).toEqual([expect.objectContaining({ from: self, to: self, value: '0x0', input: '0x' })]);
    await gate.expectMining();
  });
});

describe('forge', () => {
  test('default: a success receipt for a swallowed transaction', async () => {
    await gate.fault({ kind: 'chain', does: 'swallow' });
    await gate.fault({ kind: 'chain', does: 'forge', times: 0, match: { user: dev0.address } });
    const hash = await gate.send();
    const { number, hash: blockHash } = await gate.block();
    expect(await gate.ask('eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      type: '0x2',
      transactionHash: hash,
      from: dev0.address,
      to: dev3.address.toLowerCase(),
      gasUsed: '0x5208',
      blockNumber: number,
      blockHash,
      logs: [],
    });
    expect(await gate.node('eth_getTransactionReceipt', hash)).toBeNull();
  });

  test('behavior: for pending and unknown transactions', async () => {
    await gate.fault({ kind: 'chain', does: 'forge', times: 0 });
    await gate.node('evm_setAutomine', false);
    const waiting = await gate.node('eth_sendRawTransaction', await gate.sign({}, 'dev1'));
    const from = accounts.dev1.address.toLowerCase();
    expect(await gate.ask('eth_getTransactionReceipt', waiting)).toMatchObject({ status: '0x1', from });
    await gate.node('evm_setAutomine', true);
    const unknown = `0x${'ab'.repeat(32)}`;
    expect(await gate.ask('eth_getTransactionReceipt', unknown)).toMatchObject({ transactionHash: unknown });
  });

  test('behavior: real receipts are returned unchanged', async () => {
    const receipt = await gate.mine({}, 'dev1');
    await gate.fault({ kind: 'chain', does: 'forge', times: 0 });
    expect(await gate.ask('eth_getTransactionReceipt', receipt.transactionHash)).toEqual(receipt);
  });
});

describe('hold', () => {
  test('default: a transaction that is held back is shown as mined and reverted, until the fault is cleared', async () => {
    const [used, money] = [await nonce(), await balance()];
    const counted = async () => Number(await gate.ask('eth_getTransactionCount', dev0.address, 'latest'));
    await gate.fault({ kind: 'chain', does: 'hold' });
    const raw = await gate.sign({ value: 7n });
    const hash = await gate.ask('eth_sendRawTransaction', raw);
    const shown = { status: '0x0', transactionHash: hash, from: dev0.address };
    expect(await gate.ask('eth_getTransactionReceipt', hash)).toMatchObject(shown);
    expect([await counted(), await nonce(), await balance()]).toEqual([used + 1, used, money]);
    await gate.clear();
    expect([await gate.ask('eth_getTransactionReceipt', hash), await counted()]).toEqual([null, used]);
    await gate.ask('eth_sendRawTransaction', raw);
    await expect.poll(balance).toBe(money + 7n);
  });
});

describe('skew', () => {
  const now = async () => Number((await gate.block()).timestamp);

  test('default: the next blocks are later by that much', async () => {
    await gate.node('anvil_mine', '0x1');
    const before = await now();
    await gate.fault({ kind: 'chain', does: 'skew', skewMs: 3_600_000 });
    expect(await now()).toBeGreaterThanOrEqual(before + 3_600);
    await gate.clear();
    await gate.expectMining();
    expect(await now()).toBeGreaterThanOrEqual(before + 3_600);
  });

  test('behavior: before the matching transaction', async () => {
    const before = await now();
    await gate.fault({ kind: 'chain', does: 'skew', skewMs: 1, match: { user: dev0.address } });
    expect(await now()).toBe(before);
    await gate.receipt(await gate.send());
    expect(await now()).toBeGreaterThan(before);
  });
});

describe('release', () => {
  test('default: cancels scheduled actions and resumes mining', async () => {
    await gate.fault({ kind: 'chain', does: 'evict', delayMs: 60_000 });
    const evicted = await gate.send();
    await gate.fault({ kind: 'chain', does: 'halt', delayMs: 60_000 });
    expect(await gate.node('eth_getTransactionByHash', evicted)).toMatchObject({ blockNumber: null });
    await gate.clear();
    expect(gate.server.isBusy()).toBe(false);
    expect(await gate.receipt(evicted)).toMatchObject({ status: '0x1' });

    await gate.fault({ kind: 'chain', does: 'reorg', delayMs: 60_000 });
    const receipt = await gate.ask('eth_getTransactionReceipt', evicted);
    expect(gate.server.isBusy()).toBe(true);
    await gate.clear();
    expect(gate.server.isBusy()).toBe(false);
    expect(await gate.node('eth_getTransactionReceipt', evicted)).toEqual(receipt);
  });

  test('behavior: a transaction due to come back is resubmitted at once', async () => {
    const { transactionHash: hash } = await gate.mine();
    await gate.fault({ kind: 'chain', does: 'reorg', backAfterMs: 60_000 });
    await gate.ask('eth_getTransactionReceipt', hash);
    expect(await gate.node('eth_getTransactionByHash', hash)).toBeNull();
    await gate.clear();
    await gate.receipt(hash);
  });

  test('behavior: leaves active faults alone', async () => {
    await gate.fault({ kind: 'chain', does: 'halt' });
    const other = await gate.fault({ kind: 'drop', match: { rpc: 'eth_syncing' } });
    await fetch(`${gate.url}/sandbox/faults/${other}`, { method: 'DELETE' });
    expect(await gate.node('anvil_getAutomine')).toBe(false);
  });
});

describe('stop', () => {
  test('default: cancels everything and resumes mining', async () => {
    const other = await serveChain({ rpcUrl: gate.nodeUrl, instance: 'test' });
    await addFaultAt(other.url, { kind: 'chain', does: 'cancel', delayMs: 60_000 });
    await addFaultAt(other.url, { kind: 'chain', does: 'halt' });
    const hash = await ask(other.url, 'eth_sendRawTransaction', await gate.sign());
    expect(await gate.node('eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: null });
    await other.close();
    await gate.receipt(hash);
    await gate.expectMining();
  });
});

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
    const block = await gate.block(receipt.blockNumber);
    expect(block.transactions).toEqual([]);
    await gate.expectMining();
    expect((await receiptOf(raw)).hash).toBe(hash);
  });

  test('behavior: other transactions keep their blocks, except later ones of the sender', async () => {
    await gate.node('evm_setAutomine', false);
    const lost = await gate.node('eth_sendRawTransaction', await gate.sign());
    const besides = await gate.node('eth_sendRawTransaction', await gate.sign({}, 'dev1'));
    await gate.node('evm_setAutomine', true);
    const first = await gate.receipt(besides);
    const { transactionHash: next } = await gate.mine();
    await gate.node('anvil_impersonateAccount', dev3.address);
    const own = { from: dev3.address, to: dev0.address, value: '0x5' };
    const last = await gate.node('eth_sendTransaction', own);
    const second = await gate.receipt(last);
    await gate.node('anvil_stopImpersonatingAccount', dev3.address);

    await gate.fault({ kind: 'chain', does: 'reorg' });
    const before = await height();
    expect(await gate.ask('eth_getTransactionReceipt', lost)).toMatchObject({ status: '0x1' });
    expect(await height()).toBe(before);
    for (const hash of [lost, next]) await gate.expectForgotten(hash);
    const { blockNumber } = first;
    expect(await gate.node('eth_getTransactionReceipt', besides)).toMatchObject({ blockNumber, status: '0x1' });
    const block = await gate.block(second.blockNumber);
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
    const again = await gate.receipt(hash);
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

let url = '';

beforeAll(async () => {
  url = await startNode();
});

const isOn = () => nodeRpc.call(url, 'anvil_getAutomine');
const heightAt = async () => Number(await nodeRpc.call(url, 'eth_blockNumber'));

describe('createMining: pause', () => {
  test('default: stops mining until every holder has resumed', async () => {
    const mining = createMining(url);
    const [one, other] = await Promise.all([mining.pause(), mining.pause()]);
    const before = await heightAt();
    const hash = await nodeRpc.call(url, 'eth_sendRawTransaction', await signedBy('dev0', { nonce: 0 }));
    await one();
    await one();
    expect([await isOn(), await heightAt()]).toEqual([false, before]);
    await other();
    expect(await isOn()).toBe(true);
    await receiptAt(url, hash as `0x${string}`);
  });

  test('behavior: waits for a block in progress', async () => {
    // Creates a contract by a loop that ends with its gas.
    const slow = { to: null, value: 0n, data: '0x5b600056', gas: 30_000_000n } as const;
    for (let nonce = 1; nonce < 12; nonce++) {
      const mining = createMining(url);
      const raw = await signedBy('dev0', { nonce, ...(nonce % 2 ? {} : slow) });
      const sent = nodeRpc.call(url, 'eth_sendRawTransaction', raw);
      if (nonce % 2 === 0) await sent;
      const letGo = await mining.pause();
      await sent;
      const before = await heightAt();
      // Blocks are made one after another: one that was in progress would come before this one.
      await nodeRpc.call(url, 'anvil_mine', '0x1');
      expect(await heightAt()).toBe(before + 1);
      await letGo();
    }
  });

  test('behavior: leaves automine off if it was off', async () => {
    await nodeRpc.call(url, 'evm_setAutomine', false);
    const letGo = await createMining(url).pause();
    await letGo();
    expect(await isOn()).toBe(false);
  });
});
