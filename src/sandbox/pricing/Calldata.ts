/** The calls that the sandbox's transactions are made of. */
import type { Hex } from 'viem';
import { encodeFunctionData } from 'viem/utils';
import type { Address } from '../../core/base/Address.js';
import * as abi from '../values/abi.js';
import { type EvmChain, type EvmToken, isNative } from '../values/Market.js';

/** A transaction without its sender. */
export type Call = { to: Address; data: Hex; value: bigint };

/** One of the calls that the router makes in a transaction. */
export type RouterCall = { target: Address; allowFailure: boolean; value: bigint; callData: Hex };

export type Multicall = {
  chain: EvmChain;
  /** Comes with the transaction if it is the chain's own currency, else by way of the approval proxy. */
  input: { token: EvmToken; amount: bigint };
  calls: readonly RouterCall[];
  /** Gets what is left of the chain's own currency. */
  refundTo: Address;
  metadata: Hex;
};

export type Deposit = { depository: Address; depositor: Address; token: EvmToken; amount: bigint; orderId: Hex };

/** Lets a contract take exactly so much. */
export function approve(token: EvmToken, spender: Address, amount: bigint): Call {
  return call(token.address, encodeFunctionData({ abi: abi.token, functionName: 'approve', args: [spender, amount] }));
}

export function transfer(token: EvmToken, recipient: Address, amount: bigint): Call {
  if (isNative(token)) return { to: recipient, data: '0x', value: amount };
  return call(
    token.address,
    encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [recipient, amount] }),
  );
}

/** Pays for an order in its depositor's name. */
export function deposit({ depository, depositor, token, amount, orderId }: Deposit): Call {
  if (isNative(token)) {
    const args = [depositor, orderId] as const;
    return call(depository, encodeFunctionData({ abi: abi.depository, functionName: 'depositNative', args }), amount);
  }
  const args = [depositor, token.address, amount, orderId] as const;
  return call(depository, encodeFunctionData({ abi: abi.depository, functionName: 'depositErc20', args }));
}

export function wrap(wrapped: Address, amount: bigint): Call {
  return call(wrapped, encodeFunctionData({ abi: abi.weth, functionName: 'deposit' }), amount);
}

export function unwrap(wrapped: Address, amount: bigint): Call {
  return call(wrapped, encodeFunctionData({ abi: abi.weth, functionName: 'withdraw', args: [amount] }));
}

/** Several calls of the router in one transaction. */
export function multicall({ chain, input, calls, refundTo, metadata }: Multicall): Call {
  const { router, approvalProxy } = chain.contracts;
  // Of NFTs the sandbox has none, but the contract wants somebody who would get them.
  if (isNative(input.token)) {
    const args = [calls, refundTo, refundTo, metadata] as const;
    return call(router, encodeFunctionData({ abi: abi.router, functionName: 'multicall', args }), input.amount);
  }
  const args = [[input.token.address], [input.amount], calls, refundTo, refundTo, metadata] as const;
  return call(
    approvalProxy,
    encodeFunctionData({ abi: abi.approvalProxy, functionName: 'transferAndMulticall', args }),
  );
}

/** Several calls in one transaction that anybody may send, together or not at all. */
export function aggregate(multicall3: Address, calls: readonly Call[]): Call {
  const args = [
    calls.map(({ to, data, value }) => ({ target: to, allowFailure: false, value, callData: data })),
  ] as const;
  const value = calls.reduce((sum, each) => sum + each.value, 0n);
  return call(multicall3, encodeFunctionData({ abi: abi.multicall3, functionName: 'aggregate3Value', args }), value);
}

/** Several calls of an account that is delegated to the batch executor, which the account itself sends; all or none. */
export function batch(account: Address, calls: readonly Call[]): Call {
  // viem tells overloads apart by the place of the fields, so they stand as the interface has them.
  const inOrder = calls.map(({ to, value, data }) => ({ to, value, data }));
  const args = [{ calls: inOrder, revertOnFailure: true }] as const;
  return call(account, encodeFunctionData({ abi: abi.batchExecutor, functionName: 'execute', args }));
}

function call(to: Address, data: Hex, value = 0n): Call {
  return { to, data, value };
}
