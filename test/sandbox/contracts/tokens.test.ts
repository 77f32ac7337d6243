/** The tokens: UsdCoin with what is signed for it, and of the others what is odd. */
import {
  encodeFunctionData,
  parseAbiParameters,
  parseEventLogs,
  parseSignature,
  type TypedDataDefinition,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as abi from '../../../src/sandbox/values/abi.js';
import { type Account, accounts } from '../../../src/sandbox/values/devAccounts.js';
import { balance, type Call, revert, send, useChains } from '../../support/chains.js';
import { connect } from '../../support/nodeClients.js';

const { alpha } = useChains();
const { dev0, dev1, dev2, alphaTokens, relayer } = accounts;
const usdc = alpha.tokens.USDC.address;
const forever = 2n ** 256n - 1n;

const types = {
  Permit: parseAbiParameters('address owner, address spender, uint256 value, uint256 nonce, uint256 deadline'),
  TransferWithAuthorization: parseAbiParameters(
    'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce',
  ),
  CancelAuthorization: parseAbiParameters('address authorizer, bytes32 nonce'),
};

test('UsdCoin: permit, past its deadline', async () => {
  const message = { owner: dev0.address, spender: dev1.address, value: 5n, nonce: 0n, deadline: 1n };
  const { v, r, s } = await sign('Permit', message);
  const args = [message.owner, message.spender, message.value, message.deadline, v, r, s];
  const call = { address: usdc, abi: abi.usdCoin, functionName: 'permit', args };
  expect(await revert(alpha, relayer, call)).toBe('PermitExpired(1)');
});

describe('UsdCoin: transferWithAuthorization', () => {
  test('default', async () => {
    const call = await authorized({ nonce: nonce(1) });
    const before = await balance(alpha, call.address, dev1.address);
    await send(alpha, relayer, call);
    expect(await balance(alpha, call.address, dev1.address)).toBe(before + 7n);
    expect(await revert(alpha, relayer, call)).toBe(`AuthorizationUsedOrCanceled(${dev0.address}, ${nonce(1)})`);
  });

  test('error: too early or too late', async () => {
    const early = await authorized({ nonce: nonce(2), validAfter: forever - 1n });
    expect(await revert(alpha, relayer, early)).toBe(`AuthorizationNotYetValid(${forever - 1n})`);
    const late = await authorized({ nonce: nonce(2), validBefore: 1n });
    expect(await revert(alpha, relayer, late)).toBe('AuthorizationExpired(1)');
  });

  test('error: more than signed', async () => {
    const call = await authorized({ nonce: nonce(3) });
    const args = call.args?.with(2, 8n) ?? [];
    expect(await revert(alpha, relayer, { ...call, args })).toBe('InvalidSignature()');
  });
});

test('UsdCoin: cancelAuthorization voids what was signed', async () => {
  const message = { authorizer: dev0.address, nonce: nonce(6) };
  const { v, r, s } = await sign('CancelAuthorization', message);
  const args = [...Object.values(message), v, r, s];
  await send(alpha, relayer, { address: usdc, abi: abi.usdCoin, functionName: 'cancelAuthorization', args });
  expect(await revert(alpha, relayer, await authorized({ nonce: nonce(6) }))).toBe(
    `AuthorizationUsedOrCanceled(${dev0.address}, ${nonce(6)})`,
  );
});

type Authorized = { nonce: `0x${string}`; validAfter?: bigint; validBefore?: bigint };

async function authorized({ nonce, validAfter = 0n, validBefore = forever }: Authorized): Promise<Call> {
  const message = { from: dev0.address, to: dev1.address, value: 7n, validAfter, validBefore, nonce };
  const { v, r, s } = await sign('TransferWithAuthorization', message);
  const args = [...Object.values(message), v, r, s];
  return { address: usdc, abi: abi.usdCoin, functionName: 'transferWithAuthorization', args };
}

async function sign(primaryType: keyof typeof types, message: Record<string, unknown>) {
  const domain = { name: 'USD Coin', version: '2', chainId: alpha.id, verifyingContract: usdc };
  const typed = { domain, types, primaryType, message } as unknown as TypedDataDefinition;
  const { r, s, yParity } = parseSignature(await privateKeyToAccount(dev0.privateKey).signTypedData(typed));
  return { v: yParity + 27, r, s };
}

function nonce(number: number) {
  return toHex(number, { size: 32 });
}

const abis = { GULL: abi.token, USDC: abi.token, USDT: abi.tether } as const;

type Symbol = keyof typeof abis;

const addressOf = (symbol: Symbol) => alpha.tokens[symbol].address;
const held = (symbol: Symbol, { address }: Account) => balance(alpha, addressOf(symbol), address);

function call(symbol: Symbol, functionName: string, ...args: readonly unknown[]): Call {
  return { address: addressOf(symbol), abi: abis[symbol], functionName, args };
}

const sends = (from: Account, ...of: Parameters<typeof call>) => send(alpha, from, call(...of));
const reverts = (from: Account, ...of: Parameters<typeof call>) => revert(alpha, from, call(...of));

const allowance = (owner: Account, spender: Account) =>
  connect(alpha).readContract({
    address: addressOf('USDT'),
    abi: abi.tether,
    functionName: 'allowance',
    args: [owner.address, spender.address],
  });

test('mint: by the deployer alone', async () => {
  for (const symbol of ['GULL', 'USDC', 'USDT'] as const) {
    const before = await held(symbol, dev1);
    await sends(alphaTokens, symbol, 'mint', dev1.address, 3n);
    expect(await held(symbol, dev1)).toBe(before + 3n);
  }
  const refusal = `OwnableUnauthorizedAccount(${dev0.address})`;
  expect(await reverts(dev0, 'GULL', 'mint', dev1.address, 3n)).toBe(refusal);
  expect(await reverts(dev0, 'USDT', 'mint', dev0.address, 1n)).toBe('0x');
});

describe('Tether', () => {
  test('approve: no other amount until it is none', async () => {
    await sends(dev0, 'USDT', 'approve', dev1.address, 5n);
    expect(await reverts(dev0, 'USDT', 'approve', dev1.address, 6n)).toBe('0x');
    expect(await allowance(dev0, dev1)).toBe(5n);
    await sends(dev0, 'USDT', 'approve', dev1.address, 0n);
    await sends(dev0, 'USDT', 'approve', dev1.address, 6n);
    expect(await allowance(dev0, dev1)).toBe(6n);
  });

  test('transfer: returns nothing, and fails without a reason', async () => {
    const before = await held('USDT', dev2);
    const receipt = await sends(dev0, 'USDT', 'transfer', dev2.address, 9n);
    expect(await held('USDT', dev2)).toBe(before + 9n);
    expect(parseEventLogs({ abi: abi.token, logs: receipt.logs })).toMatchObject([
      { eventName: 'Transfer', args: { from: dev0.address, to: dev2.address, value: 9n } },
    ]);
    const data = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [dev2.address, 5n] });
    const answer = connect(alpha).call({ account: dev0.address, to: addressOf('USDT'), data });
    expect(await answer).toEqual({ data: undefined });
    expect(await reverts(dev0, 'USDT', 'transfer', dev2.address, (await held('USDT', dev0)) + 1n)).toBe('0x');
  });

  test('transferFrom: an unlimited allowance is not reduced', async () => {
    await sends(dev2, 'USDT', 'approve', dev0.address, 2n ** 256n - 1n);
    await sends(dev0, 'USDT', 'transferFrom', dev2.address, dev0.address, 4n);
    expect(await allowance(dev2, dev0)).toBe(2n ** 256n - 1n);
  });
});
