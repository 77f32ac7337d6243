import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { balance, type Call, revert, send, useChains } from '../../support/chains.js';

const chains = useChains();
const { dev0, dev1 } = accounts;

describe('execute', () => {
  test('default: sells the value that it gets, wrapped', async () => {
    const { alpha } = chains.current;
    const { WETH, USDC } = alpha.tokens;
    const pool = alpha.pools[0]?.address;
    const before = await balance(alpha, USDC.address, dev1.address);
    await send(alpha, dev0, execute([{ pool, tokenIn: WETH.address, tokenOut: USDC.address }], { value: 10n ** 18n }));
    expect(await balance(alpha, USDC.address, dev1.address)).toBeGreaterThan(before + 2_490_000_000n);
    expect(await balance(alpha, WETH.address, alpha.swapExecutor)).toBe(0n);
  });

  test('error: the receiver rejects payment', async () => {
    const { alpha } = chains.current;
    const { USDC } = alpha.tokens;
    const call = execute([], { unwraps: true, to: USDC.address, value: 3n });
    expect(await revert(alpha, dev0, call)).toBe(`TransferFailed(${USDC.address}, 3)`);
  });
});

function execute(
  hops: readonly unknown[],
  { unwraps = false, to = dev1.address, value = 0n }: { unwraps?: boolean; to?: `0x${string}`; value?: bigint },
): Call {
  const { tokens, swapExecutor } = chains.current.alpha;
  const args = [tokens.WETH.address, hops, unwraps, to];
  return { address: swapExecutor, abi: abi.swapExecutor, functionName: 'execute', args, value };
}
