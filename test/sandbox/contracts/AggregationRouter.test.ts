import { encodeFunctionData, type Hex, parseEventLogs } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../src/sandbox/chain/startChains.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, balance, type Call, revert, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1 } = accounts;
const zero = '0x0000000000000000000000000000000000000000';
const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const gull = 10n ** 18n;

describe('swap', () => {
  test('default: a token for another through two pools', async () => {
    const { alpha } = chains.current;
    const { GULL, USDT } = alpha.tokens;
    await approve(alpha, dev0, GULL.address, alpha.aggregator, 1_000n * gull);
    const before = await balance(alpha, USDT.address, dev1.address);
    const call = swap(alpha, { from: GULL.address, to: USDT.address, amount: 1_000n * gull, minimum: 249_000_000n });
    const receipt = await send(alpha, dev0, call);
    const got = (await balance(alpha, USDT.address, dev1.address)) - before;
    // 1,000 GULL are worth 250 dollars, less both pools' fees and impact.
    expect(got).toBeGreaterThan(249_000_000n);
    expect(got).toBeLessThan(249_250_000n);
    const [event] = parseEventLogs({ abi: abi.aggregationRouter, logs: receipt.logs, eventName: 'Swapped' });
    expect(event?.args).toMatchObject({ spentAmount: 1_000n * gull, returnAmount: got, dstReceiver: dev1.address });
    for (const { address } of Object.values(alpha.tokens))
      for (const holder of [alpha.aggregator, alpha.swapExecutor])
        expect(await balance(alpha, address, holder)).toBe(0n);
  });

  test('behavior: the native asset on either side', async () => {
    const { alpha } = chains.current;
    const { USDC } = alpha.tokens;
    const held = await balance(alpha, USDC.address, dev1.address);
    await send(alpha, dev0, swap(alpha, { from: native, to: USDC.address, amount: gull, minimum: 2_490_000_000n }));
    expect((await balance(alpha, USDC.address, dev1.address)) - held).toBeGreaterThan(2_490_000_000n);
    const before = await connect(alpha).getBalance({ address: dev1.address });
    await approve(alpha, dev0, USDC.address, alpha.aggregator, 2_500_000_000n);
    await send(alpha, dev0, swap(alpha, { from: USDC.address, to: native, amount: 2_500_000_000n, minimum: 1n }));
    expect((await connect(alpha).getBalance({ address: dev1.address })) - before).toBeGreaterThan((99n * gull) / 100n);
    expect(await connect(alpha).getBalance({ address: alpha.swapExecutor })).toBe(0n);
  });

  test('error: less than the minimum, whatever was taken is returned', async () => {
    const { alpha } = chains.current;
    const { GULL, USDC } = alpha.tokens;
    await approve(alpha, dev0, GULL.address, alpha.aggregator, 1_000n * gull);
    const call = swap(alpha, { from: GULL.address, to: USDC.address, amount: 1_000n * gull, minimum: 250_000_000n });
    expect(await revert(alpha, dev0, call)).toBe('Error(Return amount is not enough)');
  });

  test('error: what it does not offer, or an executor of somebody else', async () => {
    const { alpha } = chains.current;
    const { GULL, USDC } = alpha.tokens;
    const honest = { from: GULL.address, to: USDC.address, amount: gull, minimum: 1n };
    // A partial fill would make the minimum a ratio.
    expect(await revert(alpha, dev0, swap(alpha, { ...honest, flags: 1n }))).toBe('UnsupportedFeature()');
    expect(await revert(alpha, dev0, swap(alpha, { ...honest, executor: dev1.address }))).toBe(
      'Error(Not whitelisted executor)',
    );
    expect(await revert(alpha, dev0, { ...swap(alpha, honest), value: 1n })).toBe('Error(Invalid msg.value)');
    expect(await revert(alpha, dev0, swap(alpha, { ...honest, minimum: 0n }))).toBe('Error(Invalid min return amount)');
  });
});

type Swap = { from: Hex; to: Hex; amount: bigint; minimum: bigint; flags?: bigint; executor?: Hex };

/** A swap for dev1 by a call of the aggregator. */
function swap(chain: Chain, { from, to, amount, minimum, flags = 0n, executor = chain.swapExecutor }: Swap): Call {
  const isNative = from === native;
  const { WETH, USDC } = chain.tokens;
  const tokens = [isNative ? WETH.address : from, USDC.address, to === native ? WETH.address : to];
  const path = tokens.filter((token, index) => token !== tokens[index - 1]);
  const hops = path.slice(1).map((tokenOut, index) => {
    const tokenIn = path[index] ?? zero;
    const pool = chain.pools.find(({ token0 }) => [tokenIn, tokenOut].includes(token0))?.address ?? zero;
    return { pool, tokenIn, tokenOut };
  });
  const targetData = encodeFunctionData({
    abi: abi.swapExecutor,
    functionName: 'execute',
    args: [WETH.address, hops, to === native, dev1.address],
  });
  const desc = {
    srcToken: from,
    dstToken: to,
    srcReceivers: isNative ? [] : [chain.swapExecutor],
    srcAmounts: isNative ? [] : [amount],
    feeReceivers: [],
    feeAmounts: [],
    dstReceiver: dev1.address,
    amount,
    minReturnAmount: minimum,
    flags,
    permit: '0x',
  };
  const args = [{ callTarget: executor, approveTarget: zero, targetData, desc, clientData: '0x' }];
  const value = isNative ? amount : 0n;
  return { address: chain.aggregator, abi: abi.aggregationRouter, functionName: 'swap', args, value };
}
