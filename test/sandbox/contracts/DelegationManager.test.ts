import { encodeAbiParameters, encodeErrorResult, encodeFunctionData, encodePacked, type Hex, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { balance, type Call, revert, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const chains = useChains();
const { dev0, dev1 } = accounts;
const forever = 2n ** 64n;
const single = toHex(0, { size: 32 });

describe('redeemDelegations', () => {
  test('default', async () => {
    const { alpha } = chains.current;
    const { address } = alpha.tokens.USDC;
    const before = await balance(alpha, address, dev1.address);
    await send(alpha, dev0, { address, abi: abi.token, functionName: 'transfer', args: [alpha.delegator, 9n] });
    const pay = (amount: bigint) =>
      execution(
        address,
        encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [dev1.address, amount] }),
      );
    await send(alpha, dev0, redeem([context(), context()], [single, single], [pay(4n), pay(5n)]));
    expect(await balance(alpha, address, dev1.address)).toBe(before + 9n);
  });

  test('error: the nested contract reverts', async () => {
    const { alpha } = chains.current;
    const executions = [execution(alpha.reverter, succeed()), execution(alpha.reverter, succeed())];
    const call = redeem([context(), context(1n)], [single, single], executions);
    const reason = encodeErrorResult({ abi: abi.delegator, errorName: 'DelegationExpired', args: [1n] });
    expect(await revert(alpha, dev0, call)).toBe(`DelegationRedeemFailed(1, ${reason})`);

    // As seen in a trace: the manager's error outside, the cause inside.
    const frame = await trace(call);
    expect(frame).toMatchObject({ to: alpha.delegationManager.toLowerCase(), error: 'execution reverted' });
    expect(frame.calls).toMatchObject([
      { to: alpha.delegator.toLowerCase(), calls: [{ to: alpha.reverter.toLowerCase() }] },
      { to: alpha.delegator.toLowerCase(), error: 'execution reverted', output: reason },
    ]);
  });

  test('error: the delegated call fails', async () => {
    const { alpha } = chains.current;
    const args = [dev1.address, 1n, 2n] as const;
    const fail = encodeFunctionData({ abi: abi.reverter, functionName: 'customError', args });
    const reason = encodeErrorResult({ abi: abi.reverter, errorName: 'LimitExceeded', args });
    expect(await revert(alpha, dev0, redeem([context()], [single], [execution(alpha.reverter, fail)]))).toBe(
      `DelegationRedeemFailed(0, ${reason})`,
    );
  });

  test('error: lists of different lengths', async () => {
    expect(await revert(chains.current.alpha, dev0, redeem([context()], [], []))).toBe('ArrayLengthsMismatch()');
    expect(await revert(chains.current.alpha, dev0, redeem([context()], [single], []))).toBe('ArrayLengthsMismatch()');
  });
});

type Frame = { to: string; error?: string; output?: string; calls?: readonly Frame[] };

async function trace({ address, abi: of, functionName, args }: Call): Promise<Frame> {
  const data = encodeFunctionData({ abi: of, functionName, args: args ?? [] });
  return (await connect(chains.current.alpha).request({
    method: 'debug_traceCall' as never,
    params: [{ from: dev0.address, to: address, data }, 'latest', { tracer: 'callTracer' }] as never,
  })) as Frame;
}

function redeem(contexts: readonly Hex[], modes: readonly Hex[], calldatas: readonly Hex[]): Call {
  const { delegationManager: address } = chains.current.alpha;
  const args = [contexts, modes, calldatas];
  return { address, abi: abi.delegationManager, functionName: 'redeemDelegations', args };
}

function context(expiry = forever) {
  return encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [chains.current.alpha.delegator, expiry]);
}

function execution(target: `0x${string}`, data: Hex) {
  return encodePacked(['address', 'uint256', 'bytes'], [target, 0n, data]);
}

function succeed() {
  return encodeFunctionData({ abi: abi.reverter, functionName: 'succeed', args: [1n] });
}
