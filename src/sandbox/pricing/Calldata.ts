/** Encodes the contract calls that the sandbox's transactions consist of. */
import type { Hex } from 'viem';
import { encodeAbiParameters, encodeFunctionData } from 'viem/utils';
import type { Address } from '../../core/base/Address.js';
import * as abi from '../values/abi.js';
import { type Contracts, type EvmChain, type EvmToken, isNative } from '../values/Market.js';

/** A transaction without its sender. */
export type Call = { to: Address; data: Hex; value: bigint };

/** A call that the router makes within a multicall. */
export type RouterCall = { target: Address; allowFailure: boolean; value: bigint; callData: Hex };

export type Multicall = {
  chain: EvmChain;
  /** Sent as value if it is the native token, else transferred by the approval proxy. */
  input: { token: EvmToken; amount: bigint };
  calls: readonly RouterCall[];
  /** Receives the leftover native balance. */
  refundTo: Address;
  requestId: Hex;
  /** The order that the calls pay for or fill; its id is appended to the calldata. */
  orderId: Hex | undefined;
};

export type Deposit = { depository: Address; depositor: Address; token: EvmToken; amount: bigint; orderId: Hex };

export function approve(token: EvmToken, spender: Address, amount: bigint): Call {
  return call(token.address, encodeFunctionData({ abi: abi.token, functionName: 'approve', args: [spender, amount] }));
}

export function transfer(token: Pick<EvmToken, 'address'>, recipient: Address, amount: bigint): Call {
  if (isNative(token)) return { to: recipient, data: '0x', value: amount };
  return call(
    token.address,
    encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [recipient, amount] }),
  );
}

/** Pays an order's deposit on behalf of `depositor`. */
export function deposit({ depository, depositor, token, amount, orderId }: Deposit): Call {
  if (isNative(token)) {
    const args = [depositor, orderId] as const;
    return call(depository, encodeFunctionData({ abi: abi.depository, functionName: 'depositNative', args }), amount);
  }
  const args = [depositor, token.address, amount, orderId] as const;
  return call(depository, encodeFunctionData({ abi: abi.depository, functionName: 'depositErc20', args }));
}

/** The router's call to itself that deposits all it holds of a token for an order. */
export function depositAll(
  { router, depository }: Pick<Contracts, 'router' | 'depository'>,
  { depositor, token, orderId }: { depositor: Address; token: Address; orderId: Hex },
): RouterCall {
  const args = [depositor, token, orderId] as const;
  const deposit = encodeFunctionData({ abi: abi.depository, functionName: 'depositErc20', args });
  const callData = encodeFunctionData({
    abi: abi.router,
    functionName: 'cleanupErc20sViaCall',
    args: [[token], [depository], [deposit], [0n]],
  });
  return { target: router, allowFailure: false, value: 0n, callData };
}

export function wrap(wrapped: Address, amount: bigint): Call {
  return call(wrapped, encodeFunctionData({ abi: abi.weth, functionName: 'deposit' }), amount);
}

export function unwrap(wrapped: Address, amount: bigint): Call {
  return call(wrapped, encodeFunctionData({ abi: abi.weth, functionName: 'withdraw', args: [amount] }));
}

/** Bundles router calls into one transaction. */
export function multicall({ chain, input, calls, refundTo, requestId, orderId = '0x' }: Multicall): Call {
  const { router, approvalProxy } = chain.contracts;
  const appended = (data: Hex): Hex => `${data}${orderId.slice(2)}`;
  const metadata = metadataOf(requestId);
  // The sandbox has no NFTs, but the contract requires an NFT recipient.
  if (isNative(input.token)) {
    const args = [calls, refundTo, refundTo, metadata] as const;
    const data = encodeFunctionData({ abi: abi.router, functionName: 'multicall', args });
    return call(router, appended(data), input.amount);
  }
  const args = [[input.token.address], [input.amount], calls, refundTo, refundTo, metadata] as const;
  const data = encodeFunctionData({ abi: abi.approvalProxy, functionName: 'transferAndMulticall', args });
  return call(approvalProxy, appended(data));
}

/** How a router call names its request in the contracts' events: the digits of the id backwards, and a byte. */
export function metadataOf(requestId: Hex): Hex {
  return `0x${[...requestId.slice(2)].reverse().join('')}00`;
}

/** The request id in such metadata; undefined if it has another form. */
export function requestIdOf(metadata: Hex): Hex | undefined {
  return /^0x[0-9a-f]{64}00$/i.test(metadata) ? `0x${[...metadata.slice(2, 66)].reverse().join('')}` : undefined;
}

/** A call as an order binds it: three tuples of one field. */
export function bound({ to, data, value }: Call): Hex {
  return encodeAbiParameters(
    [
      { type: 'tuple', components: [{ name: 'to', type: 'address' }] },
      { type: 'tuple', components: [{ name: 'data', type: 'bytes' }] },
      { type: 'tuple', components: [{ name: 'value', type: 'uint256' }] },
    ],
    [{ to }, { data }, { value }],
  );
}

/** A plain call in the form of a router call, which the whole transaction depends on. */
export function toRouterCall({ to, data, value }: Call): RouterCall {
  return { target: to, allowFailure: false, value, callData: data };
}

/** Bundles calls into one atomic transaction that anyone may send. */
export function aggregate(multicall3: Address, calls: readonly Call[]): Call {
  const args = [calls.map(toRouterCall)] as const;
  const value = calls.reduce((sum, each) => sum + each.value, 0n);
  return call(multicall3, encodeFunctionData({ abi: abi.multicall3, functionName: 'aggregate3Value', args }), value);
}

/** The fields of an EIP-712 type, as its encoding lists them. */
export function fields(encoding: string): { type: string; name: string }[] {
  return encoding.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ');
    return { type, name };
  });
}

function call(to: Address, data: Hex, value = 0n): Call {
  return { to, data, value };
}
