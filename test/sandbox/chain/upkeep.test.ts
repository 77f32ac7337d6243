import { keccak256 } from 'viem/utils';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { createLook, keepFresh, oldestSeconds } from '../../../src/sandbox/chain/upkeep.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { ask, signedBy, startNode } from '../../support/node.js';
import { startSandbox } from '../../support/sandbox.js';

let rpcUrl: string;

beforeEach(async () => {
  rpcUrl = await startNode();
});

describe('keepFresh', () => {
  test('default: an old block is followed by an empty one, unless mining is off', async () => {
    const later = () => Date.now() + 2 * oldestSeconds * 1_000;
    const height = async (clock: () => number) => {
      onTestFinished(await keepFresh([rpcUrl], clock));
      return Number(await nodeRpc.call(rpcUrl, 'eth_blockNumber'));
    };
    const before = await height(Date.now);
    expect(await height(Date.now)).toBe(before);
    expect(await height(later)).toBe(before + 1);
    await nodeRpc.call(rpcUrl, 'evm_setAutomine', false);
    expect(await height(later)).toBe(before + 1);
  });

  test('behavior: a sandbox whose last blocks are of yesterday begins with a block on each chain', async () => {
    const sandbox = await startSandbox({ searchPath: process.env.PATH, clock: () => Date.now() + 86_400_000 });
    onTestFinished(() => sandbox.stop());
    for (const url of [sandbox.rpcUrls.alpha, sandbox.rpcUrls.beta])
      expect(await nodeRpc.call(url, 'eth_blockNumber')).toBe('0x2');
  });
});

describe('createLook', () => {
  const height = async (): Promise<number> => Number(await ask(rpcUrl, 'eth_blockNumber'));

  async function lookAgain(times: number): Promise<void> {
    const look = createLook(rpcUrl);
    for (let turn = 0; turn < times; turn++) await look();
  }

  test('default: one that waits although its nonce is next is given to the node anew', async () => {
    const signed = await signedBy('dev0', { nonce: 1 });
    await ask(rpcUrl, 'eth_sendRawTransaction', signed);
    await ask(rpcUrl, 'anvil_setNonce', accounts.dev0.address, '0x1');
    await lookAgain(3);
    await expect.poll(() => ask(rpcUrl, 'eth_getTransactionReceipt', keccak256(signed))).not.toBeNull();
  });

  test('behavior: one whose predecessor is missing stays where it is', async () => {
    const signed = await signedBy('dev0', { nonce: 1 });
    await ask(rpcUrl, 'eth_sendRawTransaction', signed);
    const before = await height();
    await lookAgain(5);
    expect(await height()).toBe(before + 1);
    expect(await ask(rpcUrl, 'eth_getTransactionByHash', keccak256(signed))).toMatchObject({ blockNumber: null });
  });

  test('behavior: nothing is mined while mining is off, nor where nothing waits', async () => {
    const before = await height();
    await lookAgain(3);
    await ask(rpcUrl, 'evm_setAutomine', false);
    await ask(rpcUrl, 'eth_sendRawTransaction', await signedBy('dev0', { nonce: 0 }));
    await lookAgain(3);
    expect(await height()).toBe(before);
  });
});
