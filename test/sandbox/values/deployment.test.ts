import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/core/base/Address.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import runtime from '../../build/runtime.json' with { type: 'json' };
import { useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();

describe('deployments', () => {
  test('behavior: every pool is at its address with its liquidity', async () => {
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

  test.each(['alpha', 'beta'] as const)('behavior: on %s every contract is at its address', async (name) => {
    const { [name]: chain } = chains.current;
    const codeAt = async (address: Address) => await connect(chain).getCode({ address });
    expect(await codeAt(chain.batchExecutor)).toBe(runtime.BatchExecutor);
    expect(await codeAt(chain.multicall3)).toBe(runtime.Multicall3);
    expect(await codeAt(chain.aggregator)).toBe(runtime.AggregationRouter);
    expect(await codeAt(chain.swapExecutor)).toBe(runtime.SwapExecutor);
    expect(await codeAt(chain.universalRouter)).toBe(runtime.UniversalRouter);
    expect(await codeAt(chain.cheat)).toBe(runtime.Cheat);
    const { depository, router, approvalProxy, delegationManager, delegator, forwarder, reverter } = chain;
    const deposits = [chain.depositFactory, chain.depositImplementation];
    for (const address of [
      ...deposits,
      depository,
      router,
      approvalProxy,
      delegationManager,
      delegator,
      forwarder,
      reverter,
    ])
      expect(await codeAt(address), address).toMatch(/^0x60/);
  });
});
