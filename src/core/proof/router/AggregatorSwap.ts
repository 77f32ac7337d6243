/** Swaps by known aggregators, decoded for what they promise: who receives how much of which token. */

import type { DecodeFunctionDataReturnType } from 'viem';
import { parseAbi } from 'viem/utils';
import * as Address from '../../base/Address.js';
import type { Contracts } from '../../network/Network.js';
import * as KnownCalls from '../../quote/KnownCalls.js';

/** A swap that a known aggregator's calldata asks for; amounts are in base units. */
export type Swap = {
  aggregator: string;
  from: Address.Address;
  /** The most that it takes of `from`. */
  amount: bigint;
  to: Address.Address;
  receiver: Address.Address;
  /** The least that the receiver gets of `to`. */
  minimum: bigint;
  /**
   * The contract that reverts below the minimum: one that ships with ferry, or a Settler, whose address changes with each
   * release and which a registry on the chain must know.
   */
  enforcer: { kind: 'shipped' | 'settler'; address: Address.Address };
};

/** What is known of the chain that the calls are made on. */
export type RouterContracts = Pick<Contracts, 'kyberSwap'> & { router: Address.Address };

/** Of KyberSwap's flags, those that leave the minimum absolute. A partial fill, for one, makes it a ratio. */
const harmlessKyberFlags = 0x3a4n;

const kyberAbi = parseAbi([
  'struct Description { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }',
  'struct Execution { address callTarget; address approveTarget; bytes targetData; Description desc; bytes clientData; }',
  'function swap(Execution execution) payable returns (uint256, uint256)',
]);

/**
 * 0x's AllowanceHolder, with one address on all its chains of the Cancun hard fork (0x-settler, README): the address
 * follows from the code. It hands the tokens to a Settler, which enforces the minimum.
 */
export const allowanceHolder: Address.Address = '0x0000000000001fF3684f28c67538d4D072C22734';

const zeroExAbi = parseAbi([
  'function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes)',
  'struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function execute(Slippage slippage, bytes[] actions, bytes32 zid) payable returns (bool)',
]);

/** Aggregators write the native asset as this address. */
const nativeAlias: Address.Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

type Execution = DecodeFunctionDataReturnType<typeof kyberAbi>['args'][0];

/** The swap that a call of the router makes; undefined if ferry does not know its target or its function. */
export function from(call: KnownCalls.RouterCall, { kyberSwap, router }: RouterContracts): Swap | undefined {
  if (kyberSwap !== undefined && Address.isEqual(call.target, kyberSwap)) return viaKyberSwap(call, router);
  return Address.isEqual(call.target, allowanceHolder) ? viaZeroEx(call) : undefined;
}

/** KyberSwap's router compares the receiver's balance before and after with the minimum. */
function viaKyberSwap({ target, callData }: KnownCalls.RouterCall, router: Address.Address): Swap | undefined {
  const execution = KnownCalls.exact(kyberAbi, callData)?.args[0];
  if (!execution || (execution.desc.flags | harmlessKyberFlags) !== harmlessKyberFlags) return undefined;
  const { srcToken, dstToken, dstReceiver, amount, minReturnAmount } = execution.desc;
  if (!isNamed(srcToken) || !isNamed(dstToken) || !isPlain(execution)) return undefined;
  const receiver = Address.isEqual(dstReceiver, Address.native) ? router : dstReceiver;
  return {
    aggregator: 'KyberSwap',
    from: token(srcToken),
    amount,
    to: token(dstToken),
    receiver,
    minimum: minReturnAmount,
    enforcer: { kind: 'shipped', address: target },
  };
}

/**
 * Whether the whole amount goes to the executor that is called, and nothing else moves: no fees, no permit and no
 * allowance. The executor of the native asset is called with it.
 */
function isPlain({ callTarget, approveTarget, desc }: Execution): boolean {
  const { srcToken, srcReceivers, srcAmounts, feeReceivers, feeAmounts, amount, permit } = desc;
  const [receiver, ...others] = srcReceivers;
  const [handed, ...rest] = srcAmounts;
  const isHanded = Address.isEqual(srcToken, nativeAlias)
    ? receiver === undefined && handed === undefined
    : receiver !== undefined && Address.isEqual(receiver, callTarget) && handed === amount;
  const isAlone = [others, rest, feeReceivers, feeAmounts].every(({ length }) => length === 0);
  return isHanded && isAlone && permit === '0x' && Address.isEqual(approveTarget, Address.native);
}

function viaZeroEx({ callData }: KnownCalls.RouterCall): Swap | undefined {
  const outer = KnownCalls.exact(zeroExAbi, callData);
  if (outer?.functionName !== 'exec') return undefined;
  const [operator, sold, amount, target, data] = outer.args;
  if (!Address.isEqual(operator, target)) return undefined;
  const inner = KnownCalls.exact(zeroExAbi, data);
  if (inner?.functionName !== 'execute') return undefined;
  const [{ recipient, buyToken, minAmountOut }] = inner.args;
  if (!isNamed(sold) || !isNamed(buyToken)) return undefined;
  return {
    aggregator: '0x',
    from: token(sold),
    amount,
    to: token(buyToken),
    receiver: recipient,
    minimum: minAmountOut,
    enforcer: { kind: 'settler', address: target },
  };
}

/** The zero address is the native asset to ferry and to the service, but not to an aggregator. */
function isNamed(address: Address.Address): boolean {
  return !Address.isEqual(address, Address.native);
}

function token(address: Address.Address): Address.Address {
  return Address.isEqual(address, nativeAlias) ? Address.native : address;
}
