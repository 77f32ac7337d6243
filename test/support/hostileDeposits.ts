/** Transactions in place of an honest deposit on the sandbox's alpha. */
import { encodeFunctionData, type Hex, maxUint256, toHex } from 'viem';
import type { Address } from '../../src/core/base/Address.js';
import type { Call } from '../../src/core/ports/Ports.js';
import type { Deposit } from '../../src/core/proof/SimulatedEffect.js';
import * as abi from '../../src/sandbox/values/abi.js';
import { deployments } from '../../src/sandbox/values/deployment.js';
import { accounts } from '../../src/sandbox/values/devAccounts.js';

const { alpha } = deployments;
const { WETH, USDC, DAI, GULL } = alpha.tokens;
const user = accounts.dev0.address;
export const thief = accounts.dev5.address;
const whole = 10n ** 18n;
const otherId = toHex(7, { size: 32 });

/** A call of dev0. */
export function call(to: Address, data: Hex, value = 0n): Call {
  return { from: user, to, data, value };
}

export function token(name: 'approve' | 'transfer', on: { address: Address }, to: Address, amount: bigint): Call {
  return call(on.address, encodeFunctionData({ abi: abi.token, functionName: name, args: [to, amount] }));
}

const erc20 = (depositor: Address, of: { address: Address }, amount: bigint, orderId: Hex): Call =>
  call(
    alpha.depository,
    encodeFunctionData({
      abi: abi.depository,
      functionName: 'depositErc20',
      args: [depositor, of.address, amount, orderId],
    }),
  );
const native = (depositor: Address, value: bigint, orderId: Hex): Call =>
  call(
    alpha.depository,
    encodeFunctionData({ abi: abi.depository, functionName: 'depositNative', args: [depositor, orderId] }),
    value,
  );
const amount = 100_000_000n;
const approve = (spent = amount): Call => token('approve', USDC, alpha.depository, spent);

/** A description, the transactions in place of the honest ones, and the checks that must fail. */
export type HostileDeposit = readonly [what: string, calls: (asked: Deposit) => Call[], mismatches: string[]];

/** In place of a deposit of 100 USDC. */
export const hostileDeposits: readonly HostileDeposit[] = [
  ['it is for another order', () => [approve(), erc20(user, USDC, amount, otherId)], ['effect-deposit']],
  [
    "it is in somebody else's name",
    ({ orderId: id }) => [approve(), erc20(thief, USDC, amount, id)],
    ['effect-deposit'],
  ],
  [
    'it takes more',
    ({ orderId: id }) => [approve(amount + 1n), erc20(user, USDC, amount + 1n, id)],
    ['effect-deposit', 'effect-input'],
  ],
  [
    'it takes less',
    ({ orderId: id }) => [approve(amount - 1n), erc20(user, USDC, amount - 1n, id)],
    ['effect-deposit', 'effect-input'],
  ],
  [
    'it is of another token',
    ({ orderId: id }) => [token('approve', DAI, alpha.depository, amount), erc20(user, DAI, amount, id)],
    ['effect-deposit', 'effect-input', 'effect-balances'],
  ],
  [
    'it is of the native asset',
    ({ orderId: id }) => [native(user, amount, id)],
    ['effect-deposit', 'effect-input', 'effect-balances'],
  ],
  [
    'there are two of them',
    ({ orderId: id }) => [approve(2n * amount), erc20(user, USDC, amount, id), erc20(user, USDC, amount, otherId)],
    ['effect-deposit', 'effect-input'],
  ],
  [
    'it is cut in two',
    ({ orderId: id }) => [approve(), erc20(user, USDC, amount / 2n, id), erc20(user, USDC, amount / 2n, id)],
    ['effect-deposit'],
  ],
  ['there is none', () => [token('transfer', USDC, alpha.depository, amount)], ['effect-deposit']],
  ['the money goes elsewhere', () => [token('transfer', USDC, thief, amount)], ['effect-deposit']],
  ['nothing happens', () => [], ['effect-deposit', 'effect-input']],
  [
    'the allowance is without limit',
    ({ orderId: id }) => [approve(maxUint256), erc20(user, USDC, amount, id)],
    ['effect-allowances'],
  ],
  [
    'the allowance is one unit too large',
    ({ orderId: id }) => [approve(amount + 1n), erc20(user, USDC, amount, id)],
    ['effect-allowances'],
  ],
  [
    'somebody else gets an allowance as well',
    ({ orderId: id }) => [token('approve', USDC, thief, amount), approve(), erc20(user, USDC, amount, id)],
    ['effect-allowances'],
  ],
  [
    'the other known spender gets one that it does not use up',
    ({ orderId: id }) => [approve(), token('approve', USDC, alpha.approvalProxy, 1n), erc20(user, USDC, amount, id)],
    ['effect-allowances'],
  ],
  [
    'a known spender gets an allowance for another token',
    ({ orderId: id }) => [approve(), token('approve', GULL, alpha.depository, 1n), erc20(user, USDC, amount, id)],
    ['effect-allowances'],
  ],
  [
    'another token is sent away as well',
    ({ orderId: id }) => [approve(), token('transfer', DAI, thief, whole), erc20(user, USDC, amount, id)],
    ['effect-balances'],
  ],
  [
    'the native asset is sent away as well',
    ({ orderId: id }) => [approve(), call(thief, '0x', 1n), erc20(user, USDC, amount, id)],
    ['effect-balances'],
  ],
  [
    'more of the input is sent away as well',
    ({ orderId: id }) => [approve(), token('transfer', USDC, thief, 1n), erc20(user, USDC, amount, id)],
    ['effect-input'],
  ],
  [
    'wrapped ether goes, of which no transfer is logged',
    ({ orderId: id }) => [
      approve(),
      call(WETH.address, encodeFunctionData({ abi: abi.weth, functionName: 'deposit' }), 5n),
      call(WETH.address, encodeFunctionData({ abi: abi.weth, functionName: 'withdraw', args: [7n] })),
      erc20(user, USDC, amount, id),
    ],
    ['effect-balances'],
  ],
];

const wei = 10n ** 18n;

/** In place of a deposit of one ether. */
export const hostileNativeDeposits: readonly HostileDeposit[] = [
  ['ether is deposited for another order', () => [native(user, wei, otherId)], ['effect-deposit']],
  ["ether is deposited in somebody else's name", ({ orderId }) => [native(thief, wei, orderId)], ['effect-deposit']],
  ['more ether is deposited', ({ orderId }) => [native(user, wei + 1n, orderId)], ['effect-deposit', 'effect-input']],
  [
    'ether is deposited twice',
    ({ orderId }) => [native(user, wei, orderId), native(user, wei, orderId)],
    ['effect-deposit', 'effect-input'],
  ],
  ['ether goes elsewhere', () => [call(thief, '0x', wei)], ['effect-deposit']],
  [
    'a token goes along with the ether',
    ({ orderId }) => [native(user, wei, orderId), token('transfer', USDC, thief, 1n)],
    ['effect-balances'],
  ],
];
