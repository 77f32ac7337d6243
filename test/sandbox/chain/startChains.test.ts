import { type Hash, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Saved } from '../../../src/sandbox/chain/chainKeeper.js';
import { LostChainError } from '../../../src/sandbox/chain/chainKeeper.js';
import * as nodeRpc from '../../../src/sandbox/chain/nodeRpc.js';
import { type Chain, type Chains, type State, start } from '../../../src/sandbox/chain/startChains.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { units } from '../../../src/sandbox/values/deployment.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { balance, send } from '../../support/chains.js';
import { connect, connectAs } from '../../support/nodeClients.js';

const running: Chains[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((chains) => chains.stop()));
});

async function started(...options: Parameters<typeof start>): Promise<Chains> {
  const chains = await start(...options);
  running.push(chains);
  return chains;
}

/** Asserts that a block was made after a time, and not ahead of it. */
function expectSince(startedMs: number, { timestamp }: { timestamp: bigint }): void {
  expect(Number(timestamp)).toBeGreaterThanOrEqual(Math.floor(startedMs / 1000));
  expect(Number(timestamp)).toBeLessThanOrEqual(Date.now() / 1000);
}

describe('start', () => {
  let chains: Chains;
  beforeAll(async () => {
    chains = await start();
  });
  afterAll(() => chains.stop());

  test('behavior: all accounts are funded', async () => {
    for (const chain of [chains.alpha, chains.beta]) {
      const { WETH, USDC, USDT, DAI, GULL } = chain.tokens;
      for (let i = 0; i < 10; i++) {
        const { address } = accounts[`dev${i}` as 'dev0'];
        for (const token of [USDC, USDT, DAI, GULL]) {
          expect(await balance(chain, token.address, address)).toBe(units(token, 1_000_000n));
        }
        expect(await balance(chain, WETH.address, address)).toBe(parseEther('100'));
        const ether = await connect(chain).getBalance({ address });
        expect(ether).toBe(i === 9 ? 0n : parseEther('10000'));
        expect(await connect(chain).getTransactionCount({ address })).toBe(0);
      }
      for (const token of Object.values(chain.tokens)) {
        expect(await balance(chain, token.address, accounts.solver.address)).toBeGreaterThanOrEqual(
          units(token, 1_000_000n),
        );
      }
    }
  });

  test('behavior: deterministic for a given genesis time', async () => {
    const hashes = async () => {
      const { alpha, beta } = await started({ genesisTimestamp: 1_700_000_000 });
      return await Promise.all([alpha, beta].map(async (chain) => (await connect(chain).getBlock()).stateRoot));
    };
    expect(await hashes()).toEqual(await hashes());
  });

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

/** What `start` takes to continue both chains. */
async function stateOf({ alpha, beta }: Chains): Promise<State> {
  const [a, b] = await Promise.all([alpha, beta].map(({ rpcUrl }) => nodeRpc.call(rpcUrl, 'anvil_dumpState')));
  return { alpha: kept(a), beta: kept(b) };
}

describe('start: state', () => {
  test('default', async () => {
    const first = await started();
    const hash = await pay(first.alpha);
    const { GULL } = first.beta.tokens;
    const args = [accounts.dev3.address, 5n];
    await send(first.beta, accounts.dev2, { address: GULL.address, abi: abi.token, functionName: 'transfer', args });
    const before = await picture(first.alpha, hash);
    const state = await stateOf(first);
    await first.stop();

    const startedMs = Date.now();
    const second = await started({ state });
    expect(await picture(second.alpha, hash)).toEqual(before);
    expect(await balance(second.beta, GULL.address, accounts.dev3.address)).toBe(units(GULL, 1_000_000n) + 5n);
    // The chain continues: the next block follows the last one, at the current time.
    const next = await connect(second.alpha).getTransactionReceipt({ hash: await pay(second.alpha) });
    expect(next.blockNumber).toBe(before.blockNumber + 1n);
    const block = await connect(second.alpha).getBlock();
    expect(block.parentHash).toBe(before.blockHash);
    expectSince(startedMs, block);
  });
});

async function pay(chain: Chain): Promise<Hash> {
  const client = connectAs(chain, accounts.dev0);
  const hash = await client.sendTransaction({ to: accounts.dev1.address, value: 1n });
  await client.waitForTransactionReceipt({ hash });
  return hash;
}

/** Everything that must survive. */
async function picture(chain: Chain, hash: Hash) {
  const client = connect(chain);
  const block = await client.getBlock();
  const { address } = accounts.dev0;
  return {
    blockNumber: block.number,
    blockHash: block.hash,
    balance: await client.getBalance({ address }),
    tokens: await balance(chain, chain.tokens.USDC.address, address),
    nonce: await client.getTransactionCount({ address }),
    receipt: await client.getTransactionReceipt({ hash }),
    transaction: await client.getTransaction({ hash }),
    logs: await client.getLogs({ fromBlock: 0n }),
    code: await client.getCode({ address: chain.depository }),
  };
}
