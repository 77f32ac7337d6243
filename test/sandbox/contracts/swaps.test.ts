/** The contracts that swap or say a price: Pool, PriceFeed, AggregationRouter with SwapExecutor, UniversalRouter and Cheat. */
import { encodeAbiParameters, encodeFunctionData, type Hex } from 'viem';
import { expect, test } from 'vitest';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import type { Deployment } from '../../../src/sandbox/values/deployment.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, balance, type Call, revert, send, useChains } from '../../support/chains.js';
import { ask } from '../../support/node.js';
import { connect } from '../../support/nodeClients.js';

const { alpha } = useChains();
const { dev0, dev1 } = accounts;
const zero = '0x0000000000000000000000000000000000000000';
const eth = 10n ** 18n;
const usd = 10n ** 6n;

type Pool = Deployment['pools'][number];

/** The pool of a token on alpha. */
function poolOf(symbol: 'WETH' | 'DAI' | 'GULL'): Pool {
  const { pools, tokens } = alpha;
  const pool = pools.find(({ token0 }) => token0 === tokens[symbol].address);
  if (!pool) throw new Error(`no pool of ${symbol}`);
  return pool;
}

function call(pool: Pool, functionName: string, args: readonly unknown[]): Call {
  return { address: pool.address, abi: abi.pool, functionName, args };
}

test('Pool: refuses another token, and less than was agreed', async () => {
  const [weth, gull] = [poolOf('WETH'), poolOf('GULL')];
  const reverts = (name: string, ...args: readonly unknown[]) => revert(alpha, dev0, call(weth, name, args));
  expect(await reverts('quoteExactIn', gull.token0, 1n)).toBe(`UnknownToken(${gull.token0})`);
  const quoted = { ...weth, abi: abi.pool, functionName: 'quoteExactIn', args: [weth.token0, eth] } as const;
  const out = await connect(alpha).readContract(quoted);
  await approve(alpha, dev0, weth.token0, weth.address, eth);
  expect(await reverts('swapExactIn', weth.token0, eth, out + 1n, dev0.address)).toBe(
    `InsufficientOutput(${out}, ${out + 1n})`,
  );
});

test('PriceFeed: the rate of the pool, which moves with it', async () => {
  const address = Network.chain(network, 'alpha').feeds?.GULL?.address ?? '0x';
  const client = connect(alpha);
  const read = () => client.readContract({ address, abi: abi.priceFeed, functionName: 'latestRoundData' });
  const [, before, , updatedAt] = await read();
  expect(updatedAt).toBe((await client.getBlock()).timestamp);
  const pool = poolOf('GULL');
  expect(await client.readContract({ address, abi: abi.priceFeed, functionName: 'pool' })).toBe(pool.address);
  const amount = 100_000n * usd;
  await approve(alpha, dev0, pool.token1, pool.address, amount);
  await send(alpha, dev0, call(pool, 'swapExactIn', [pool.token1, amount, 0n, dev0.address]));
  const [, after] = await read();
  const [reserve0, reserve1] = await client.readContract({ ...pool, abi: abi.pool, functionName: 'reserves' });
  expect(after).toBe((reserve1 * 10n ** 20n) / reserve0);
  expect(after).toBeGreaterThan(before);
});

test('AggregationRouter: refuses what it does not offer, an executor of somebody else, and less than the minimum', async () => {
  const { GULL, USDC, WETH } = alpha.tokens;
  const hops = [{ pool: poolOf('GULL').address, tokenIn: GULL.address, tokenOut: USDC.address }];
  const targetData = encodeFunctionData({
    abi: abi.swapExecutor,
    functionName: 'execute',
    args: [WETH.address, hops, false, dev1.address],
  });
  const honest = {
    ...{ srcToken: GULL.address, dstToken: USDC.address, srcReceivers: [alpha.swapExecutor], srcAmounts: [eth] },
    ...{ feeReceivers: [], feeAmounts: [], dstReceiver: dev1.address, amount: eth, minReturnAmount: 1n, flags: 0n },
    permit: '0x',
  };
  await approve(alpha, dev0, GULL.address, alpha.aggregator, eth);
  const reverts = (change: Partial<typeof honest>, callTarget: Hex = alpha.swapExecutor, value = 0n) => {
    const desc = { ...honest, ...change };
    const args = [{ callTarget, approveTarget: zero, targetData, desc, clientData: '0x' }];
    const swap = { address: alpha.aggregator, abi: abi.aggregationRouter, functionName: 'swap', args, value };
    return revert(alpha, dev0, swap);
  };
  expect(await reverts({})).toBe(undefined);
  // A partial fill would make the minimum a ratio.
  expect(await reverts({ flags: 1n })).toBe('UnsupportedFeature()');
  expect(await reverts({}, dev1.address)).toBe('Error(Not whitelisted executor)');
  expect(await reverts({}, alpha.swapExecutor, 1n)).toBe('Error(Invalid msg.value)');
  expect(await reverts({ minReturnAmount: 0n })).toBe('Error(Invalid min return amount)');
  expect(await reverts({ minReturnAmount: usd })).toBe('Error(Return amount is not enough)');
});

test('UniversalRouter: a balance of at least the minimum passes, without an effect', async () => {
  const { address } = alpha.tokens.DAI;
  const held = await balance(alpha, address, dev1.address);
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const;
  const check = (...commands: readonly (readonly [command: string, minimum: bigint])[]): Call => {
    const inputs = commands.map(([, least]) => encodeAbiParameters(types, [dev1.address, address, least]));
    const bytes: Hex = `0x${commands.map(([command]) => command).join('')}`;
    return { address: alpha.universalRouter, abi: abi.universalRouter, functionName: 'execute', args: [bytes, inputs] };
  };
  expect(await send(alpha, dev0, check(['0e', held]))).toMatchObject({ status: 'success', logs: [] });
  // The selector of BalanceTooLow.
  expect(await revert(alpha, dev0, check(['0e', held], ['0e', held + 1n]))).toBe('ExecutionFailed(1, 0xa3281672)');
  // With this flag a command may fail.
  expect(await revert(alpha, dev0, check(['8e', 2n ** 255n]))).toBe(undefined);
  expect(await revert(alpha, dev0, check(['04', 0n]))).toBe('InvalidCommandType(4)');
  expect(await revert(alpha, dev0, { ...check(), args: ['0x0e', []] })).toBe('LengthMismatch()');
});

test('Cheat: keeps the tokens where gas is paid, and swaps them where it is free', async () => {
  const { USDC, DAI } = alpha.tokens;
  await approve(alpha, dev0, USDC.address, alpha.cheat, 100n * usd);
  const swapArgs = [USDC.address, 100n * usd, 1n, dev0.address] as const;
  const swap = encodeFunctionData({ abi: abi.pool, functionName: 'swapExactIn', args: swapArgs });
  const args = [USDC.address, 100n * usd, poolOf('DAI').address, swap] as const;
  const data = encodeFunctionData({ abi: abi.cheat, functionName: 'trade', args });
  const free = { blockStateCalls: [{ calls: [{ from: dev0.address, to: alpha.cheat, data }] }] };
  expect(await ask(alpha.rpcUrl, 'eth_simulateV1', free)).toMatchObject([
    {
      calls: [
        {
          status: '0x1',
          logs: expect.arrayContaining([expect.objectContaining({ address: DAI.address.toLowerCase() })]),
        },
      ],
    },
  ]);
  const held = await balance(alpha, DAI.address, dev0.address);
  const receipt = await send(alpha, dev0, { address: alpha.cheat, abi: abi.cheat, functionName: 'trade', args });
  expect(receipt.logs).toHaveLength(1);
  expect(await balance(alpha, DAI.address, dev0.address)).toBe(held);
  expect(await balance(alpha, USDC.address, alpha.cheat)).toBe(100n * usd);
});
