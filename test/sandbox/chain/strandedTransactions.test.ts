import { keccak256 } from 'viem/utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLook } from '../../../src/sandbox/chain/strandedTransactions.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { ask, signedBy, startNode } from '../../support/node.js';

let rpcUrl: string;

beforeEach(async () => {
  rpcUrl = await startNode();
});

const height = async (): Promise<number> => Number(await ask(rpcUrl, 'eth_blockNumber'));

async function lookAgain(times: number): Promise<void> {
  const look = createLook(rpcUrl);
  for (let turn = 0; turn < times; turn++) await look();
}

describe('createLook', () => {
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
