/** The calls that the router makes, read one by one: what each does with the money that rests on the router. */

import { parseAbi } from 'viem/utils';
import * as Address from '../../base/Address.js';
import type { Hex } from '../../base/Hex.js';
import type { Contracts } from '../../network/Network.js';
import * as KnownCalls from '../../quote/KnownCalls.js';
import * as AggregatorSwap from './AggregatorSwap.js';

/** One thing that a call does. Amounts are in base units, and the zero address is the native asset. */
export type RouterStep =
  | { kind: 'approve'; token: Address.Address; spender: Address.Address; amount: bigint }
  | ({ kind: 'swap' } & AggregatorSwap.Swap)
  | { kind: 'wrap' | 'unwrap'; amount: bigint }
  /** A transfer away from the router. */
  | { kind: 'transfer'; token: Address.Address; to: Address.Address; amount: Amount }
  | {
      kind: 'deposit';
      token: Address.Address;
      depository: Address.Address;
      depositor: Address.Address;
      id: Hex;
      amount: Amount;
    }
  /** Nothing leaves the router. */
  | { kind: 'idle' }
  | { kind: 'unknown'; target: Address.Address; selector: string };

/** An amount, or the router's whole balance. */
export type Amount = bigint | 'balance';

/** The deposit of a whole allowance, which only the router makes. */
const wholeDepositAbi = parseAbi(['function depositErc20(address depositor, address token, bytes32 id)']);

/** The router's own functions that send what rests on it; an amount of zero is the whole balance. */
const cleanupAbi = parseAbi([
  'function cleanupNativeViaCall(uint256 amount, address to, bytes data)',
  'function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)',
  'function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)',
  'function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts)',
  'function cleanupNative(uint256 amount, address recipient, bytes metadata)',
  'function cleanupNative(uint256 amount, address recipient)',
]);

/**
 * What a call does; a call of a function or of a contract that ferry does not know is `unknown`. Whatever its calldata
 * says, an unknown contract may do anything with what rests on the router, which serves every caller.
 *
 * @param tokens the tokens that are known: the input and what the calls are for
 */
export function from(
  call: KnownCalls.RouterCall,
  contracts: Contracts & { router: Address.Address },
  tokens: readonly string[],
): RouterStep[] {
  const { target, value, callData } = call;
  const { router, wrapped } = contracts;
  if (Address.isEqual(target, router)) return callData === '0x' ? [{ kind: 'idle' }] : cleanup(call);
  if (callData === '0x') return [{ kind: 'transfer', token: Address.native, to: target, amount: value }];
  const swap = AggregatorSwap.from(call, contracts);
  if (swap) {
    const paid = Address.isEqual(swap.from, Address.native) ? swap.amount : 0n;
    return [value === paid ? { kind: 'swap', ...swap } : unknown(call)];
  }
  const deposit = depositOf(target, callData, { token: Address.native, amount: value });
  if (deposit) return [deposit];
  const known = KnownCalls.decode(callData);
  const isWrapped = wrapped !== undefined && Address.isEqual(target, wrapped);
  if (known?.function === 'wrap' && isWrapped) return [{ kind: 'wrap', amount: value }];
  if (value !== 0n || !(isWrapped || tokens.some((token) => Address.isEqual(token, target)))) return [unknown(call)];
  switch (known?.function) {
    case 'approve':
      return [{ kind: 'approve', token: target, spender: known.spender, amount: known.amount }];
    case 'transfer':
      return [{ kind: 'transfer', token: target, to: known.to, amount: known.amount }];
    case 'unwrap':
      return [isWrapped ? { kind: 'unwrap', amount: known.amount } : unknown(call)];
    default:
      return [unknown(call)];
  }
}

/** A call of the router to itself. */
function cleanup(call: KnownCalls.RouterCall): RouterStep[] {
  const decoded = KnownCalls.exact(cleanupAbi, call.callData);
  if (!decoded || call.value !== 0n) return [unknown(call)];
  switch (decoded.functionName) {
    case 'cleanupNativeViaCall': {
      const [amount, to, data] = decoded.args;
      return [depositOf(to, data, { token: Address.native, amount: whole(amount) }) ?? unknown(call)];
    }
    case 'cleanupErc20sViaCall': {
      const [tokens, tos, datas, amounts] = decoded.args;
      if (!isAlike(tokens, tos, datas, amounts)) return [unknown(call)];
      // For each through an allowance of the same amount.
      return tokens.map((token, index) => {
        const given = { token, amount: whole(amounts[index] as bigint) };
        return depositOf(tos[index] as Address.Address, datas[index] as Hex, given) ?? unknown(call);
      });
    }
    case 'cleanupErc20s': {
      const [tokens, recipients, amounts] = decoded.args;
      if (!isAlike(tokens, recipients, amounts)) return [unknown(call)];
      return tokens.map((token, index) => ({
        kind: 'transfer',
        token,
        to: recipients[index] as Address.Address,
        amount: whole(amounts[index] as bigint),
      }));
    }
    case 'cleanupNative':
      return [{ kind: 'transfer', token: Address.native, to: decoded.args[1], amount: whole(decoded.args[0]) }];
  }
}

/** A deposit that spends what its contract is given; undefined for another call, or for a deposit of something else. */
function depositOf(
  depository: Address.Address,
  data: Hex,
  given: { token: Address.Address; amount: Amount },
): RouterStep | undefined {
  const isNative = Address.isEqual(given.token, Address.native);
  const known = KnownCalls.decode(data);
  if (known?.function === 'depositNative') {
    const { depositor, id } = known;
    return isNative ? { kind: 'deposit', ...given, depository, depositor, id } : undefined;
  }
  if (known?.function === 'depositErc20') {
    const { depositor, token, amount, id } = known;
    const isGiven = !isNative && Address.isEqual(token, given.token);
    return isGiven ? { kind: 'deposit', token, amount, depository, depositor, id } : undefined;
  }
  // The form without an amount takes the whole allowance, which is what the contract is given.
  const [depositor, token, id] = KnownCalls.exact(wholeDepositAbi, data)?.args ?? [];
  if (!depositor || !token || !id || isNative || !Address.isEqual(token, given.token)) return undefined;
  return { kind: 'deposit', ...given, depository, depositor, id };
}

function whole(amount: bigint): Amount {
  return amount === 0n ? 'balance' : amount;
}

function unknown({ target, callData }: KnownCalls.RouterCall): RouterStep {
  return { kind: 'unknown', target, selector: callData.slice(0, 10) };
}

function isAlike(...lists: readonly (readonly unknown[])[]): boolean {
  return lists.every(({ length }) => length === lists[0]?.length);
}
