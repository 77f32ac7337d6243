import { keccak256 } from 'viem/utils';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { createLook, keepFresh, oldestSeconds } from '../../../src/sandbox/chain/upkeep.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { temporaryFolder } from '../../support/ferry.js';
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

  test('behavior: a sandbox that was stopped yesterday has prices of today', async () => {
    const stateDir = temporaryFolder();
    const old = await startSandbox({ stateDir, genesisTimestamp: Math.floor(Date.now() / 1000) - 86_400 });
    await old.stop();
    const sandbox = await startSandbox({ stateDir });
    onTestFinished(() => sandbox.stop());
    for (const url of [sandbox.rpcUrls.alpha, sandbox.rpcUrls.beta]) {
      const { timestamp } = (await nodeRpc.call(url, 'eth_getBlockByNumber', 'latest', false)) as { timestamp: string };
      expect(Date.now() / 1000 - Number(timestamp)).toBeLessThan(oldestSeconds);
    }
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
