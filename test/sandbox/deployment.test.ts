import { describe, expect, test } from 'vitest';
import * as abi from '../../src/sandbox/abi.js';
import { accounts } from '../../src/sandbox/accounts.js';
import { connect } from '../../src/sandbox/clients.js';
import { deployments, tokenAt, units } from '../../src/sandbox/deployment.js';
import { useChains } from '../support/chains.js';

const chains = useChains();

describe('deployments', () => {
  test('behavior: every pool stands where it says and holds its liquidity', async () => {
    for (const chain of [chains.current.alpha, chains.current.beta]) {
      const client = connect(chain);
      for (const { address, token0, token1, feeBps, liquidity0, liquidity1 } of chain.pools) {
        const pool = { address, abi: abi.pool };
        expect({
          token0: await client.readContract({ ...pool, functionName: 'token0' }),
          token1: await client.readContract({ ...pool, functionName: 'token1' }),
          feeBps: await client.readContract({ ...pool, functionName: 'feeBps' }),
          reserves: await client.readContract({ ...pool, functionName: 'reserves' }),
        }).toEqual({ token0, token1, feeBps, reserves: [liquidity0, liquidity1] });
      }
    }
  });

  test('behavior: the agreed pools', () => {
    for (const { tokens, pools } of Object.values(deployments)) {
      const { WETH, USDC, USDT, DAI, GULL } = tokens;
      expect(pools.map(({ address: _, ...pool }) => pool)).toEqual(
        [
          { token: WETH, feeBps: 5n, whole: 2_000n, wholeUsdc: 5_000_000n },
          { token: USDT, feeBps: 1n, whole: 10_000_000n, wholeUsdc: 10_000_000n },
          { token: DAI, feeBps: 1n, whole: 10_000_000n, wholeUsdc: 10_000_000n },
          { token: GULL, feeBps: 30n, whole: 4_000_000n, wholeUsdc: 1_000_000n },
        ].map(({ token, feeBps, whole, wholeUsdc }) => ({
          token0: token.address,
          token1: USDC.address,
          feeBps,
          liquidity0: units(token, whole),
          liquidity1: units(USDC, wholeUsdc),
        })),
      );
    }
  });

  test('behavior: tokens and pools have other addresses on each chain, the rest the same', () => {
    const { alpha, beta } = deployments;
    const own = [alpha, beta].flatMap(({ tokens, pools }) => [...Object.values(tokens), ...pools]);
    expect(new Set(own.map(({ address }) => address)).size).toBe(18);
    expect([beta.depository, beta.router, beta.approvalProxy]).toEqual([
      alpha.depository,
      alpha.router,
      alpha.approvalProxy,
    ]);
    expect([alpha.minter, beta.minter]).toEqual([accounts.alphaTokens.address, accounts.betaTokens.address]);
  });
});

describe('tokenAt', () => {
  test('default', () => {
    const { GULL } = deployments.beta.tokens;
    expect(tokenAt(deployments.beta, GULL.address.toLowerCase())).toBe(GULL);
    expect(tokenAt(deployments.alpha, GULL.address)).toBe(undefined);
  });
});
