import { beforeAll, describe, expect, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { createMining } from '../../../src/sandbox/chainProxy/chainFaults.js';
import { receiptAt, signedBy, startNode } from '../../support/node.js';

let url = '';

beforeAll(async () => {
  url = await startNode();
});

const isOn = () => nodeRpc.call(url, 'anvil_getAutomine');
const height = async () => Number(await nodeRpc.call(url, 'eth_blockNumber'));

describe('pause', () => {
  test('default: stops mining until every holder has resumed', async () => {
    const mining = createMining(url);
    const [one, other] = await Promise.all([mining.pause(), mining.pause()]);
    const before = await height();
    const hash = await nodeRpc.call(url, 'eth_sendRawTransaction', await signedBy('dev0', { nonce: 0 }));
    await one();
    await one();
    expect([await isOn(), await height()]).toEqual([false, before]);
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
      const before = await height();
      // Blocks are made one after another: one that was in progress would come before this one.
      await nodeRpc.call(url, 'anvil_mine', '0x1');
      expect(await height()).toBe(before + 1);
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
