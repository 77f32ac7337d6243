import { encodeFunctionData, hashStruct, parseAbiParameters, parseEventLogs, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import { balance, type Call, revert, send, useChains } from '../../support/chains.js';

const { alpha } = useChains();
const { dev0, dev1, relayer } = accounts;
const zero = '0x0000000000000000000000000000000000000000';

test('error: propagates the inner revert data', async () => {
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

describe('permit3009TransferAndMulticall', () => {
  test('default: takes the authorized tokens and makes the calls that its nonce names', async () => {
    const { router, depository, tokens } = alpha;
    const before = await balance(alpha, tokens.USDC.address, depository);
    const call = await authorized({});
    const receipt = await send(alpha, relayer, call);
    expect(encodeFunctionData(call as never).slice(0, 10)).toBe('0xf80f00fb');
    expect((await balance(alpha, tokens.USDC.address, depository)) - before).toBe(7n);
    expect(parseEventLogs({ abi: abi.depository, logs: receipt.logs }).map(({ args }) => args)).toEqual([
      { from: dev0.address, token: tokens.USDC.address, amount: 7n, id: orderId },
    ]);
    for (const holder of [router, alpha.approvalProxy])
      expect(await balance(alpha, tokens.USDC.address, holder)).toBe(0n);
    expect(await revert(alpha, relayer, call)).toMatch(/^AuthorizationUsedOrCanceled/);
  });

  test('error: anything else than was signed', async () => {
    const call = await authorized({ metadata: '0x02' });
    const [permits, tokens, calls, ...rest] = call.args ?? [];
    const [permit] = permits as [Record<string, unknown>];
    // Every part of the witness is in the hash, or the one of the signer would never be the same.
    for (const args of [
      [permits, tokens, [], ...rest],
      [[{ ...permit, value: 6n }], tokens, calls, ...rest],
    ])
      expect(await revert(alpha, relayer, { ...call, args })).toBe('InvalidSignature()');
    expect(await revert(alpha, dev1, call)).toBe('InvalidSignature()');
    expect(await revert(alpha, relayer, call)).toBe(undefined);
  });

  test('error: lists of different lengths, or no refund address', async () => {
    const call = await authorized({ metadata: '0x05' });
    const [permits, tokens, ...rest] = call.args ?? [];
    expect(await revert(alpha, relayer, { ...call, args: [permits, [], ...rest] })).toBe('ArrayLengthsMismatch()');
    const nowhere = [permits, tokens, rest[0], zero, rest[2], rest[3]];
    expect(await revert(alpha, relayer, { ...call, args: nowhere })).toBe('RefundToCannotBeZeroAddress()');
    expect(await revert(alpha, dev0, proxied([alpha.tokens.USDC.address], [], [], {}))).toBe('ArrayLengthsMismatch()');
    expect(await revert(alpha, dev0, proxied([], [], [], { refundTo: zero }))).toBe('RefundToCannotBeZeroAddress()');
  });
});

const orderId = `0x${'0d'.repeat(32)}` as const;
const forever = 2n ** 256n - 1n;

/** The router's one call: it hands its whole balance of USDC to the depository. */
function deposit() {
  const { router, depository, tokens } = alpha;
  const args = [dev0.address, tokens.USDC.address, orderId] as const;
  const callData = encodeFunctionData({
    abi: abi.router,
    functionName: 'cleanupErc20sViaCall',
    args: [
      [tokens.USDC.address],
      [depository],
      [encodeFunctionData({ abi: abi.depository, functionName: 'depositErc20', args })],
      [0n],
    ],
  });
  return { target: router, allowFailure: false, value: 0n, callData };
}

/** A relayer's call with an authorization of dev0, its nonce as EIP-712 hashes the witness. */
async function authorized({ metadata = '0x01' }: { metadata?: `0x${string}` }): Promise<Call> {
  const verifyingContract = alpha.tokens.USDC.address;
  const calls = [deposit()];
  const witness = {
    relayer: relayer.address,
    refundTo: dev0.address,
    nftRecipient: zero,
    metadata,
    call3Values: calls,
  };
  const nonce = hashStruct({ types: witnessTypes, primaryType: 'RelayerWitness', data: witness } as never);
  const message = {
    from: dev0.address,
    to: alpha.approvalProxy,
    value: 7n,
    validAfter: 0n,
    validBefore: forever,
    nonce,
  } as const;
  const domain = { name: 'USD Coin', version: '2', chainId: alpha.id, verifyingContract };
  const typed = { domain, types, primaryType: 'ReceiveWithAuthorization', message } as never;
  const { r, s, yParity } = parseSignature(await privateKeyToAccount(dev0.privateKey).signTypedData(typed));
  const { from, value, validAfter, validBefore } = message;
  const permit = { from, value, validAfter, validBefore, v: 27 + yParity, r, s };
  return {
    address: alpha.approvalProxy,
    abi: [...abi.approvalProxy, ...abi.usdCoin],
    functionName: 'permit3009TransferAndMulticall',
    args: [[permit], [verifyingContract], calls, dev0.address, zero, metadata],
  };
}

const types = {
  ReceiveWithAuthorization: parseAbiParameters(
    'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
  ),
};

const witnessTypes = {
  RelayerWitness: [
    ...parseAbiParameters('address relayer, address refundTo, address nftRecipient, bytes metadata'),
    { type: 'Call3Value[]', name: 'call3Values' },
  ],
  Call3Value: parseAbiParameters('address target, bool allowFailure, uint256 value, bytes callData'),
};

function proxied(
  tokens: readonly `0x${string}`[],
  amounts: readonly bigint[],
  calls: readonly unknown[],
  { refundTo = dev0.address, value = 0n }: { refundTo?: `0x${string}`; value?: bigint },
): Call {
  const address = alpha.approvalProxy;
  const args = [tokens, amounts, calls, refundTo, zero, '0x'];
  return { address, abi: abi.approvalProxy, functionName: 'transferAndMulticall', args, value };
}
