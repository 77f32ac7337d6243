import type { Hash } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Saved } from '../../../src/sandbox/chain/chainKeeper.js';
import { LostChainError } from '../../../src/sandbox/chain/chainKeeper.js';
import { type Chain, type Chains, start } from '../../../src/sandbox/chain/startChains.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { connect, connectAs } from '../../support/nodeClients.js';

describe('start', () => {
  let chains: Chains;
  beforeAll(async () => {
    chains = await start();
  });
  afterAll(() => chains.stop());

  test('behavior: constant base fee', async () => {
    const { alpha } = chains;
    const fees = new Set<bigint | null>();
    for (let i = 0; i < 20; i++) {
      await pay(alpha);
      fees.add((await connect(alpha).getBlock()).baseFeePerGas);
    }
    expect([...fees]).toEqual([7n]);
    expect(await connect(alpha).getGasPrice()).toBe(1_000_000_007n);
  });

  test('error: malformed saved state', async () => {
    await expect(start({ state: { alpha: kept('0x1234'), beta: kept('0x1234') } })).rejects.toThrow(LostChainError);
  });
});

const kept = (state: unknown): Saved => ({ state: state as string, pending: [] });

async function pay(chain: Chain): Promise<Hash> {
  const client = connectAs(chain, accounts.dev0);
  const hash = await client.sendTransaction({ to: accounts.dev1.address, value: 1n });
  await client.waitForTransactionReceipt({ hash });
  return hash;
}
