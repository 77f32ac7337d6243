import { describe, expect, test } from 'vitest';
import { native } from '../../../src/core/base/Address.js';
import { readMarket, readWallet } from '../../../src/sandbox/chain/readMarket.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1 } = accounts;

function nodes() {
  return [chains.current.alpha, chains.current.beta];
}

describe('readMarket', () => {
  test('default: current pools and gas prices', async () => {
    const { alpha } = chains.current;
    const market = await readMarket(nodes(), 5);
    expect(market).toMatchObject({ nowMs: 5, solver: accounts.solver.address });
    expect(market.chains.map((chain) => [chain.id, chain.slug])).toEqual([
      [313371, 'alpha'],
      [313372, 'beta'],
    ]);
    const [chain] = market.chains;
    for (const [index, pool] of (chain?.pools ?? []).entries()) {
      const { address, token0, token1, feeBps, liquidity0, liquidity1 } = alpha.pools[index] ?? {};
      expect(pool).toEqual({ address, token0, token1, feeBps, reserve0: liquidity0, reserve1: liquidity1 });
    }
    expect(chain?.gasPriceWei).toBeGreaterThan(0n);
    expect(chain?.maxFeePerGasWei).toBeGreaterThanOrEqual(chain?.gasPriceWei ?? 0n);
  });

  test('behavior: follows the pools', async () => {
    const { alpha } = chains.current;
    const [pool] = alpha.pools;
    if (!pool) throw new Error('no pool');
    await approve(alpha, dev0, alpha.tokens.USDC.address, pool.address, 1_000_000n);
    await send(alpha, dev0, {
      address: pool.address,
      abi: abi.pool,
      functionName: 'swapExactIn',
      args: [alpha.tokens.USDC.address, 1_000_000n, 0n, dev0.address],
    });
    const [chain] = (await readMarket(nodes(), 0)).chains;
    expect(chain?.pools[0]?.reserve1).toBe(pool.liquidity1 + 1_000_000n);
    expect(chain?.pools[0]?.reserve0).toBeLessThan(pool.liquidity0);
  });
});

describe('readWallet', () => {
  test('default: a token with both allowances', async () => {
    const { alpha } = chains.current;
    const { DAI } = alpha.tokens;
    await approve(alpha, dev1, DAI.address, alpha.depository, 3n);
    await approve(alpha, dev1, DAI.address, alpha.approvalProxy, 4n);
    expect(await readWallet(alpha, dev1.address, DAI.address)).toEqual({
      balance: 1_000_000n * 10n ** 18n,
      depositoryAllowance: 3n,
      approvalProxyAllowance: 4n,
    });
  });

  test('behavior: native currency', async () => {
    const { beta } = chains.current;
    const balance = await connect(beta).getBalance({ address: dev1.address });
    expect(await readWallet(beta, dev1.address, native)).toEqual({
      balance,
      depositoryAllowance: 0n,
      approvalProxyAllowance: 0n,
    });
  });
});
