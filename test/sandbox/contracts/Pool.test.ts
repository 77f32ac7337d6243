import { parseEventLogs } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../src/sandbox/chain/startChains.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import type { Pool } from '../../../src/sandbox/values/deployment.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, balance, revert, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1 } = accounts;

describe('quoteExactIn', () => {
  test('default', async () => {
    const { chain, pool } = weth();
    const { in: reserveIn, out: reserveOut } = { in: pool.liquidity0, out: pool.liquidity1 };
    for (const amountIn of [1n, 10n ** 15n, 10n ** 18n, 123_456_789_123_456_789n, 500n * 10n ** 18n]) {
      const paid = amountIn * (10_000n - pool.feeBps);
      expect(await quoteExactIn(chain, pool, pool.token0, amountIn)).toBe(
        (reserveOut * paid) / (reserveIn * 10_000n + paid),
      );
    }
  });

  test('error: another token', async () => {
    const { chain, pool } = weth();
    const { address } = chain.tokens.GULL;
    const call = { address: pool.address, abi: abi.pool, functionName: 'quoteExactIn', args: [address, 1n] };
    expect(await revert(chain, dev0, call)).toBe(`UnknownToken(${address})`);
  });
});

describe('quoteExactOut', () => {
  test('default', async () => {
    const { chain, pool } = weth();
    for (const amountOut of [1n, 999n, 2_500_000_000n, 4_999_999_999_999n]) {
      const amountIn = await quoteExactOut(chain, pool, pool.token1, amountOut);
      // The minimum input: one wei less buys less.
      expect(await quoteExactIn(chain, pool, pool.token0, amountIn)).toBeGreaterThanOrEqual(amountOut);
      expect(await quoteExactIn(chain, pool, pool.token0, amountIn - 1n)).toBeLessThan(amountOut);
    }
  });

  test('error: more than the pool has', async () => {
    const { chain, pool } = weth();
    const args = [pool.token1, pool.liquidity1];
    const call = { address: pool.address, abi: abi.pool, functionName: 'quoteExactOut', args };
    expect(await revert(chain, dev0, call)).toBe(`InsufficientLiquidity(${pool.liquidity1}, ${pool.liquidity1})`);
  });
});

describe('swapExactIn', () => {
  test('default', async () => {
    const { chain, pool } = gull();
    const amountIn = 1_000n * 10n ** 18n;
    const amountOut = await quoteExactIn(chain, pool, pool.token0, amountIn);
    const before = await holdings(chain, pool);
    await approve(chain, dev0, pool.token0, pool.address, amountIn);
    const args = [pool.token0, amountIn, amountOut, dev1.address];
    const receipt = await send(chain, dev0, { ...swap(pool), functionName: 'swapExactIn', args });
    expect(await holdings(chain, pool)).toEqual({
      reserves: [before.reserves[0] + amountIn, before.reserves[1] - amountOut],
      payer: [before.payer[0] - amountIn, before.payer[1]],
      payee: [before.payee[0], before.payee[1] + amountOut],
    });
    expect(parseEventLogs({ abi: abi.pool, logs: receipt.logs }).map((log) => log.args)).toEqual([
      {
        sender: dev0.address,
        to: dev1.address,
        tokenIn: pool.token0,
        amountIn,
        tokenOut: pool.token1,
        amountOut,
      },
    ]);
  });

  test("behavior: the maximum amount means the sender's whole balance", async () => {
    const { chain, pool } = gull();
    const all = await balance(chain, pool.token0, accounts.dev2.address);
    await approve(chain, accounts.dev2, pool.token0, pool.address, all);
    const args = [pool.token0, 2n ** 256n - 1n, 0n, dev1.address];
    await send(chain, accounts.dev2, { ...swap(pool), functionName: 'swapExactIn', args });
    expect(await balance(chain, pool.token0, accounts.dev2.address)).toBe(0n);
  });

  test('error: less than the minimum', async () => {
    const { chain, pool } = weth();
    const amountOut = await quoteExactIn(chain, pool, pool.token0, 10n ** 18n);
    await approve(chain, dev0, pool.token0, pool.address, 10n ** 18n);
    const args = [pool.token0, 10n ** 18n, amountOut + 1n, dev0.address];
    expect(await revert(chain, dev0, { ...swap(pool), functionName: 'swapExactIn', args })).toBe(
      `InsufficientOutput(${amountOut}, ${amountOut + 1n})`,
    );
  });
});

describe('swapExactOut', () => {
  test('default', async () => {
    const { chain, pool } = gull();
    const amountOut = 500_000_000n;
    const amountIn = await quoteExactOut(chain, pool, pool.token1, amountOut);
    const before = await holdings(chain, pool);
    await approve(chain, dev0, pool.token0, pool.address, amountIn);
    const args = [pool.token1, amountOut, amountIn, dev1.address];
    await send(chain, dev0, { ...swap(pool), functionName: 'swapExactOut', args });
    expect(await holdings(chain, pool)).toEqual({
      reserves: [before.reserves[0] + amountIn, before.reserves[1] - amountOut],
      payer: [before.payer[0] - amountIn, before.payer[1]],
      payee: [before.payee[0], before.payee[1] + amountOut],
    });
  });

  test('error: more than the maximum', async () => {
    const { chain, pool } = gull();
    const amountIn = await quoteExactOut(chain, pool, pool.token1, 500_000_000n);
    const args = [pool.token1, 500_000_000n, amountIn - 1n, dev1.address];
    expect(await revert(chain, dev0, { ...swap(pool), functionName: 'swapExactOut', args })).toBe(
      `ExcessiveInput(${amountIn}, ${amountIn - 1n})`,
    );
  });
});

const weth = () => at(0);
const gull = () => at(3);

function at(index: number): { chain: Chain; pool: Pool } {
  const chain = chains.current.alpha;
  const pool = chain.pools[index];
  if (!pool) throw new Error(`no pool ${index}`);
  return { chain, pool };
}

function swap(pool: Pool) {
  return { address: pool.address, abi: abi.pool };
}

async function quoteExactIn(chain: Chain, pool: Pool, token: `0x${string}`, amount: bigint): Promise<bigint> {
  return await connect(chain).readContract({ ...swap(pool), functionName: 'quoteExactIn', args: [token, amount] });
}

async function quoteExactOut(chain: Chain, pool: Pool, token: `0x${string}`, amount: bigint): Promise<bigint> {
  return await connect(chain).readContract({ ...swap(pool), functionName: 'quoteExactOut', args: [token, amount] });
}

async function holdings(chain: Chain, pool: Pool) {
  const both = async (holder: `0x${string}`) =>
    [await balance(chain, pool.token0, holder), await balance(chain, pool.token1, holder)] as const;
  const reserves = await connect(chain).readContract({ ...swap(pool), functionName: 'reserves' });
  return { reserves, payer: await both(dev0.address), payee: await both(dev1.address) };
}
