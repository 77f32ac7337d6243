/** The contracts that call others or fail: Reverter, Forwarder, Multicall3, DelegationManager and Delegator. */
import { encodeAbiParameters, encodeErrorResult, encodeFunctionData, encodePacked, type Hex, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { type Call, result, revert, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const { alpha, beta } = useChains();
const { dev0, dev1 } = accounts;
const limit = [dev1.address, 1n, 2n] as const;
const limitExceeded = encodeErrorResult({ abi: abi.reverter, errorName: 'LimitExceeded', args: limit });
const fail = encodeFunctionData({ abi: abi.reverter, functionName: 'customError', args: limit });
const succeed = encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [4n] });

const abis = {
  reverter: abi.reverter,
  forwarder: [...abi.forwarder, ...abi.reverter],
  multicall3: abi.multicall3,
  delegationManager: abi.delegationManager,
  delegator: abi.delegator,
} as const;

function call(contract: keyof typeof abis, functionName: string, args: readonly unknown[] = [], value = 0n): Call {
  return { address: alpha[contract], abi: abis[contract], functionName, args, value };
}

const reverts = (...of: Parameters<typeof call>) => revert(alpha, dev0, call(...of));
const returns = (...of: Parameters<typeof call>) => result(alpha, dev0, call(...of));

type Frame = { to: string; error?: string; output?: Hex; calls?: readonly Frame[] };

async function trace({ address, abi: of, functionName, args }: Call): Promise<Frame> {
  const data = encodeFunctionData({ abi: of, functionName, args: args ?? [] });
  return (await connect(alpha).request({
    method: 'debug_traceCall' as never,
    params: [{ from: dev0.address, to: address, data }, 'latest', { tracer: 'callTracer' }] as never,
  })) as Frame;
}

describe('Forwarder', () => {
  test('error: passed on at any depth, wrapped, or swallowed', async () => {
    const { forwarder, reverter } = alpha;
    const forward = (to: Hex, data: Hex) =>
      encodeFunctionData({ abi: abi.forwarder, functionName: 'forward', args: [to, data] });
    const deep = Array.from({ length: 19 }).reduce<Hex>((data) => forward(forwarder, data), forward(reverter, fail));
    expect(await reverts('forwarder', 'forward', [forwarder, deep])).toBe(`LimitExceeded(${limit.join(', ')})`);
    expect(await reverts('forwarder', 'wrap', [reverter, fail])).toBe(`ForwardFailed(${reverter}, ${limitExceeded})`);
    expect(await returns('forwarder', 'attempt', [reverter, fail])).toEqual([false, limitExceeded]);
  });
});

describe('Multicall3', () => {
  test('default: viem’s multicall reads through it', async () => {
    for (const chain of [alpha, beta]) {
      const symbol = { abi: abi.token, functionName: 'symbol' } as const;
      const contracts = [
        { ...symbol, address: chain.tokens.USDC.address },
        { ...symbol, address: chain.tokens.GULL.address },
        { address: chain.reverter, abi: abi.reverter, functionName: 'empty' },
      ] as const;
      const answers = await connect(chain).multicall({ contracts, multicallAddress: chain.multicall3 });
      expect(answers).toMatchObject([{ result: 'USDC' }, { result: 'GULL' }, { status: 'failure' }]);
    }
  });
});

describe('DelegationManager', () => {
  const single = toHex(0, { size: 32 });
  const forever = 2n ** 64n;
  const context = (expiry = forever) =>
    encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [alpha.delegator, expiry]);
  const execution = (target: Hex, data: Hex) => encodePacked(['address', 'uint256', 'bytes'], [target, 0n, data]);

  test('error: a delegation that has expired, in a trace too: the manager’s error outside, the cause inside', async () => {
    const { reverter, delegator, delegationManager } = alpha;
    const reason = encodeErrorResult({ abi: abi.delegator, errorName: 'DelegationExpired', args: [1n] });
    const redeem = call('delegationManager', 'redeemDelegations', [
      [context(), context(1n)],
      [single, single],
      [execution(reverter, succeed), execution(reverter, succeed)],
    ]);
    expect(await revert(alpha, dev0, redeem)).toBe(`DelegationRedeemFailed(1, ${reason})`);
    expect(await trace(redeem)).toMatchObject({
      to: delegationManager.toLowerCase(),
      error: 'execution reverted',
      calls: [
        { to: delegator.toLowerCase(), calls: [{ to: reverter.toLowerCase() }] },
        { to: delegator.toLowerCase(), error: 'execution reverted', output: reason },
      ],
    });
  });

  test('error: what the account itself refuses', async () => {
    const refusal = (address: Hex, ...args: readonly unknown[]) =>
      revert(alpha, { ...dev0, address }, call('delegator', 'executeFromExecutor', args));
    const batch = `0x01${'00'.repeat(31)}`;
    const { timestamp } = await connect(alpha).getBlock();
    const manager = alpha.delegationManager;
    expect(await refusal(dev0.address, forever, single, '0x')).toBe(`CallerMustBeManager(${dev0.address})`);
    expect(await refusal(manager, forever, batch, '0x')).toBe(`UnsupportedMode(${batch})`);
    expect(await refusal(manager, timestamp - 1n, single, '0x')).toBe(`DelegationExpired(${timestamp - 1n})`);
  });
});
