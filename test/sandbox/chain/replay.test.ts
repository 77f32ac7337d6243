import { parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import * as ChainEntry from '../../../src/sandbox/chain/ChainEntry.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { LostChainError } from '../../../src/sandbox/chain/replay.js';
import { type Chain, type Chains, start } from '../../../src/sandbox/chain/startChains.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { receiptAt } from '../../support/node.js';

type Raw = Extract<ChainEntry.ChainEntry, { raw: unknown }>;

const account = privateKeyToAccount(accounts.dev0.privateKey);
const target = '0x00000000000000000000000000000000000000aa';

async function raw({ id }: Chain, nonce: number): Promise<Raw> {
  const fees = { maxFeePerGas: 20_000_000n, maxPriorityFeePerGas: 10_000_000n, gas: 21_000n };
  const signed = await account.signTransaction({ chainId: id, nonce, to: target, value: parseEther('1'), ...fees });
  const { keccak256 } = await import('viem');
  return { raw: signed, hash: keccak256(signed), atMs: Date.now() };
}

async function mined({ rpcUrl }: Chain, { raw: signed, hash }: Raw): Promise<ChainEntry.Block> {
  await nodeRpc.call(rpcUrl, 'eth_sendRawTransaction', signed);
  await receiptAt(rpcUrl, hash);
  const block = await nodeRpc.call(rpcUrl, 'eth_getBlockByNumber', 'latest', false);
  return ChainEntry.blockOf(block as ChainEntry.RpcBlock);
}

const dump = async ({ rpcUrl }: Chain): Promise<string> => (await nodeRpc.call(rpcUrl, 'anvil_dumpState')) as string;

/** A chain with a snapshot, two blocks after it, and a transaction that is in no block. */
async function history() {
  const chains = await start({ searchPath: process.env.PATH });
  try {
    const { alpha, beta } = chains;
    const states = { alpha: await dump(alpha), beta: await dump(beta) };
    const raws = [await raw(alpha, 0), await raw(alpha, 1), await raw(alpha, 2)] as const;
    const blocks = [await mined(alpha, raws[0]), await mined(alpha, raws[1])] as const;
    return { states, raws, blocks };
  } finally {
    await chains.stop();
  }
}

describe('replay', () => {
  let { states, raws, blocks } = {} as Awaited<ReturnType<typeof history>>;
  let [first, second, third] = [] as unknown as readonly [Raw, Raw, Raw];
  let whole: ChainEntry.ChainEntry[] = [];

  beforeAll(async () => {
    ({ states, raws, blocks } = await history());
    [first, second, third] = raws;
    whole = [first, { block: blocks[0] }, second, third, { block: blocks[1] }];
  });

  async function replayed(entries: readonly ChainEntry.ChainEntry[]): Promise<Chains> {
    const state = { alpha: { state: states.alpha, entries }, beta: { state: states.beta, entries: [] } };
    return await start({ searchPath: process.env.PATH, state });
  }

  test('default: the same blocks, then what was in none', async () => {
    const { alpha, stop } = await replayed(whole);
    try {
      expect(alpha.loadedBlock).toBe(1);
      for (const block of blocks) {
        const again = await nodeRpc.call(alpha.rpcUrl, 'eth_getBlockByNumber', `0x${block.number.toString(16)}`, false);
        expect(ChainEntry.blockOf(again as ChainEntry.RpcBlock)).toEqual(block);
      }
      expect(await nodeRpc.call(alpha.rpcUrl, 'eth_getBalance', target, 'latest')).toBe(
        `0x${parseEther('3').toString(16)}`,
      );
      expect(await nodeRpc.call(alpha.rpcUrl, 'anvil_getAutomine')).toBe(true);
    } finally {
      await stop();
    }
  });

  test('behavior: what the chain refused is not sent again', async () => {
    const { alpha, stop } = await replayed([...whole, { refused: third.hash }]);
    try {
      expect(await nodeRpc.call(alpha.rpcUrl, 'eth_getTransactionByHash', third.hash)).toBeNull();
    } finally {
      await stop();
    }
  });

  test.each<[string, () => readonly ChainEntry.ChainEntry[], string]>([
    ['a change that only a snapshot holds', () => [...whole, { change: 'anvil_setBalance' }], 'anvil_setBalance'],
    [
      'a transaction that was not written',
      () => [first, { block: blocks[0] }, { block: blocks[1] }],
      'was not written',
    ],
    ['a block that is missing', () => [first, second, { block: blocks[1] }], 'is not as it was'],
    [
      'another state',
      () => [first, { block: { ...blocks[0], roots: ['0x00', ...blocks[0].roots.slice(1)] as never } }],
      'is not as it was',
    ],
  ])('error: %s', async (_, entries, message) => {
    const failed = replayed(entries());
    await expect(failed).rejects.toThrow(LostChainError);
    await expect(failed).rejects.toThrow(message);
  });
});
