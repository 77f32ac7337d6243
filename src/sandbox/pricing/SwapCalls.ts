/**
 * Encodes the router's calls of a swap, each through the aggregator.
 *
 * The specification does not show these calls. As live, swaps before a deposit and on one chain go through an
 * aggregator, at the address of KyberSwap's router and with its interface; fills do so too. A wrap or unwrap is made
 * without it.
 */
import type { Hex } from 'viem';
import { encodeFunctionData } from 'viem/utils';
import { type Address, native } from '../../core/base/Address.js';
import * as abi from '../values/abi.js';
import { type EvmChain, type EvmToken, isNative } from '../values/Market.js';
import * as Calldata from './Calldata.js';
import type * as PoolRoute from './PoolRoute.js';

type Input = {
  chain: EvmChain;
  from: EvmToken;
  to: EvmToken;
  route: PoolRoute.Route;
  /** Base units of the input that enter the route. */
  amount: bigint;
};

export type Swap = Input & {
  /** `exact` pays out exactly that amount; `atLeast` pays out the whole output. */
  output: { exact: bigint } | { atLeast: bigint };
  recipient: Address;
  /** Receives the remainder of an exact output, except in the native asset, which the router itself refunds. */
  changeTo: Address;
  metadata: Hex;
  /** Calls that the router makes with the output; the recipient then gets nothing itself. */
  calls?: readonly Calldata.Call[] | undefined;
};

export type OriginSwap = Input & {
  /** The least that is demanded of the aggregator. */
  minimum: bigint;
  depositor: Address;
  orderId: Hex;
};

/** The calls of a swap; of a wrap or unwrap if the route is empty. */
export function calls(swap: Swap): readonly Calldata.RouterCall[] {
  const { route, output, recipient, to, chain, metadata, changeTo } = swap;
  if (swap.calls?.length) return spent(swap, swap.calls);
  if (route.length === 0) return converted(swap);
  if ('atLeast' in output) return aggregated(swap, output.atLeast, recipient);
  const bought = aggregated(swap, output.exact, chain.contracts.router);
  if (isNative(to)) return [...bought, payNative(chain, output.exact, recipient, metadata)];
  const args = [[to.address, to.address], [recipient, changeTo], [output.exact, 0n], metadata] as const;
  return [...bought, ownCall(chain, encodeFunctionData({ abi: abi.router, functionName: 'cleanupErc20s', args }))];
}

/** The calls that swap for the router, which spends the output; what an exact output leaves goes back. */
function spent(swap: Swap, own: readonly Calldata.Call[]): readonly Calldata.RouterCall[] {
  const { route, output, to, chain, metadata, changeTo } = swap;
  const { router, wrapped } = chain.contracts;
  const least = 'exact' in output ? output.exact : output.atLeast;
  const unwrap = Calldata.unwrap(wrapped, swap.amount);
  const wrap = isNative(swap.from) ? [Calldata.toRouterCall(Calldata.wrap(wrapped, swap.amount))] : [];
  const converting = isNative(to) ? [Calldata.toRouterCall(unwrap)] : wrap;
  const bought = route.length === 0 ? converting : aggregated(swap, least, router);
  const made = [...bought, ...own.map(Calldata.toRouterCall)];
  // The router itself refunds the native asset.
  if (isNative(to) || !('exact' in output)) return made;
  const args = [[to.address], [changeTo], [0n], metadata] as const;
  return [...made, ownCall(chain, encodeFunctionData({ abi: abi.router, functionName: 'cleanupErc20s', args }))];
}

/** The calls that swap the input and deposit whatever that yields for an order. */
export function deposits(swap: OriginSwap): readonly Calldata.RouterCall[] {
  const { chain, to, route, amount, minimum, depositor, orderId } = swap;
  const { router, wrapped, depository } = chain.contracts;
  if (isNative(to)) {
    const data = Calldata.deposit({ depository, depositor, token: to, amount: 0n, orderId }).data;
    const args = [0n, depository, data] as const;
    const deposit = ownCall(chain, encodeFunctionData({ abi: abi.router, functionName: 'cleanupNativeViaCall', args }));
    if (route.length > 0) return [...aggregated(swap, minimum, router), deposit];
    return [
      Calldata.toRouterCall(Calldata.approve(swap.from, router, amount)),
      Calldata.toRouterCall(Calldata.unwrap(wrapped, amount)),
      // Does nothing; the service's own calls have it.
      { target: router, allowFailure: false, value: amount, callData: '0x' },
      deposit,
    ];
  }
  const deposit = Calldata.depositAll(chain.contracts, { depositor, token: to.address, orderId });
  return [...aggregated(swap, minimum, router), deposit];
}

/** The calls that pay a fee from the input. The native asset is wrapped: paid as it is, its receiver would get control. */
export function fee(chain: EvmChain, token: EvmToken, to: Address, amount: bigint): readonly Calldata.RouterCall[] {
  const { wrapped } = chain.contracts;
  if (!isNative(token)) return [Calldata.toRouterCall(Calldata.transfer(token, to, amount))];
  const paid = { ...token, address: wrapped };
  return [
    Calldata.toRouterCall(Calldata.wrap(wrapped, amount)),
    Calldata.toRouterCall(Calldata.transfer(paid, to, amount)),
  ];
}

/** Wraps or unwraps for the recipient. */
function converted({ chain, from, to, amount, recipient, metadata }: Swap): readonly Calldata.RouterCall[] {
  const { wrapped } = chain.contracts;
  if (isNative(to))
    return [Calldata.toRouterCall(Calldata.unwrap(wrapped, amount)), payNative(chain, amount, recipient, metadata)];
  const wrap = isNative(from) ? [Calldata.toRouterCall(Calldata.wrap(wrapped, amount))] : [];
  return [...wrap, Calldata.toRouterCall(Calldata.transfer(to, recipient, amount))];
}

/** Lets the aggregator take the input, and calls it. It reverts if the receiver gets less than the minimum. */
function aggregated(swap: Input, minimum: bigint, receiver: Address): readonly Calldata.RouterCall[] {
  const { chain, from, to, amount, route } = swap;
  const { aggregator, swapExecutor, wrapped } = chain.contracts;
  const hops = route.map(({ pool, tokenIn, tokenOut }) => ({ pool: pool.address, tokenIn, tokenOut }));
  const targetData = encodeFunctionData({
    abi: abi.swapExecutor,
    functionName: 'execute',
    args: [wrapped, hops, isNative(to), receiver],
  });
  const desc = {
    srcToken: named(from),
    dstToken: named(to),
    srcReceivers: isNative(from) ? [] : [swapExecutor],
    srcAmounts: isNative(from) ? [] : [amount],
    feeReceivers: [],
    feeAmounts: [],
    dstReceiver: receiver,
    amount,
    minReturnAmount: minimum > 0n ? minimum : 1n,
    flags: simpleMode,
    permit: '0x' as const,
  };
  const execution = {
    callTarget: swapExecutor,
    approveTarget: native,
    targetData,
    desc,
    clientData: clientData,
  };
  const data = encodeFunctionData({ abi: abi.aggregationRouter, functionName: 'swap', args: [execution] });
  const value = isNative(from) ? amount : 0n;
  const call = Calldata.toRouterCall({ to: aggregator, data, value });
  return isNative(from) ? [call] : [Calldata.toRouterCall(Calldata.approve(from, aggregator, amount)), call];
}

/** The flag that the service's swaps have. */
const simpleMode = 0x200n;

/** `{"Source":"relay"}`, as the service names itself to the aggregator. */
const clientData: Hex = '0x7b22536f75726365223a2272656c6179227d';

/** Aggregators write the native asset as this address. */
const nativeAlias: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

function named(token: EvmToken): Address {
  return isNative(token) ? nativeAlias : token.address;
}

function payNative(chain: EvmChain, amount: bigint, recipient: Address, metadata: Hex): Calldata.RouterCall {
  const args = [amount, recipient, metadata] as const;
  return ownCall(chain, encodeFunctionData({ abi: abi.router, functionName: 'cleanupNative', args }));
}

/** A call from the router to itself. */
function ownCall(chain: EvmChain, data: Hex): Calldata.RouterCall {
  return { target: chain.contracts.router, allowFailure: false, value: 0n, callData: data };
}
