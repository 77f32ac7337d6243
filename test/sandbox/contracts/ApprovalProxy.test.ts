import { encodeFunctionData, parseEventLogs } from 'viem';
import { describe, expect, test } from 'vitest';
import { connect } from '../../../src/sandbox/chain/clients.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { approve, balance, type Call, revert, send, useChains } from '../../support/chains.js';

const chains = useChains();
const { dev0, dev1 } = accounts;
const zero = '0x0000000000000000000000000000000000000000';

describe('router', () => {
  test('default', async () => {
    const { approvalProxy, router } = chains.current.beta;
    const call = { address: approvalProxy, abi: abi.approvalProxy, functionName: 'router' } as const;
    expect(await connect(chains.current.beta).readContract(call)).toBe(router);
  });
});

describe('transferAndMulticall', () => {
  test('behavior: a swap through two pools in one transaction', async () => {
    const { alpha } = chains.current;
    const { router, tokens, pools } = alpha;
    const amount = 1_000n * 10n ** 18n;
    const all = 2n ** 256n - 1n;
    const calls = [
      viaCall(tokens.GULL.address, pools[3]?.address ?? zero, all),
      viaCall(tokens.USDC.address, pools[1]?.address ?? zero, all),
      {
        target: router,
        allowFailure: false,
        value: 0n,
        callData: encodeFunctionData({
          abi: abi.router,
          functionName: 'cleanupErc20s',
          args: [[tokens.USDT.address], [dev1.address], [0n], '0x12'],
        }),
      },
    ];
    const before = await balance(alpha, tokens.USDT.address, dev1.address);
    await approve(alpha, dev0, tokens.GULL.address, alpha.approvalProxy, amount);
    const receipt = await send(alpha, dev0, proxied([tokens.GULL.address], [amount], calls, { value: 5n }));
    const got = (await balance(alpha, tokens.USDT.address, dev1.address)) - before;
    // 1,000 GULL are worth 250 dollars, less both pools' fees and impact.
    expect(got).toBeGreaterThan(249_000_000n);
    expect(got).toBeLessThan(249_250_000n);
    const moved = parseEventLogs({ abi: abi.approvalProxy, logs: receipt.logs, eventName: 'FundsMovement' });
    expect(moved[0]).toMatchObject({
      address: alpha.approvalProxy.toLowerCase(),
      args: { from: dev0.address, to: router, currency: tokens.GULL.address, amount, metadata: '0x' },
    });
    for (const token of Object.values(tokens)) expect(await balance(alpha, token.address, router)).toBe(0n);
    expect(await connect(alpha).getBalance({ address: router })).toBe(0n);
  });

  test('error: propagates the inner revert data', async () => {
    const { alpha } = chains.current;
    const { USDC, GULL } = alpha.tokens;
    const args = [GULL.address, 10n ** 18n, 0n, dev0.address] as const;
    const callData = encodeFunctionData({ abi: abi.pool, functionName: 'swapExactIn', args });
    const inner = { target: alpha.pools[3]?.address ?? zero, allowFailure: false, value: 0n, callData };
    const call = proxied([], [], [inner], {});
    expect(await revert(alpha, dev0, { ...call, abi: [...call.abi, ...abi.token, ...abi.pool] })).toBe(
      `ERC20InsufficientAllowance(${alpha.pools[3]?.address}, 0, ${10n ** 18n})`,
    );
    const unapproved = proxied([USDC.address], [5n], [], {});
    expect(await revert(alpha, dev0, { ...unapproved, abi: [...call.abi, ...abi.token] })).toBe(
      `ERC20InsufficientAllowance(${alpha.approvalProxy}, 0, 5)`,
    );
  });

  test('error: lists of different lengths', async () => {
    const { USDC } = chains.current.alpha.tokens;
    expect(await revert(chains.current.alpha, dev0, proxied([USDC.address], [], [], {}))).toBe(
      'ArrayLengthsMismatch()',
    );
  });

  test('error: no refund address', async () => {
    const call = proxied([], [], [], { refundTo: zero });
    expect(await revert(chains.current.alpha, dev0, call)).toBe('RefundToCannotBeZeroAddress()');
  });
});

function proxied(
  tokens: readonly `0x${string}`[],
  amounts: readonly bigint[],
  calls: readonly unknown[],
  { refundTo = dev0.address, value = 0n }: { refundTo?: `0x${string}`; value?: bigint },
): Call {
  const address = chains.current.alpha.approvalProxy;
  const args = [tokens, amounts, calls, refundTo, zero, '0x'];
  return { address, abi: abi.approvalProxy, functionName: 'transferAndMulticall', args, value };
}

/** A router self-call that swaps its whole balance of a token in a pool. */
function viaCall(token: `0x${string}`, pool: `0x${string}`, amountIn: bigint) {
  const { router } = chains.current.alpha;
  const swap = encodeFunctionData({ abi: abi.pool, functionName: 'swapExactIn', args: [token, amountIn, 0n, router] });
  const callData = encodeFunctionData({
    abi: abi.router,
    functionName: 'cleanupErc20sViaCall',
    args: [[token], [pool], [swap], [0n]],
  });
  return { target: router, allowFailure: false, value: 0n, callData };
}
