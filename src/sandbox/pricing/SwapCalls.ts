/** Encodes the router calls of a swap. */
import { type Hex, maxUint256 } from 'viem';
import { encodeFunctionData } from 'viem/utils';
import { type Address, isEqual } from '../../core/base/Address.js';
import * as abi from '../values/abi.js';
import { type EvmChain, type EvmToken, isNative } from '../values/Market.js';
import * as Calldata from './Calldata.js';
import type * as PoolRoute from './PoolRoute.js';

export type Swap = {
  chain: EvmChain;
  from: EvmToken;
  to: EvmToken;
  route: PoolRoute.Route;
  /** Base units of the input that enter the route. */
  amount: bigint;
  /** `exact` pays out exactly that amount; `atLeast` pays out the whole output. */
  output: { exact: bigint } | { atLeast: bigint };
  recipient: Address;
  /** Receives the remainder of an exact output. */
  changeTo: Address;
};

/** The calls of a swap; of a wrap or unwrap if the route is empty. */
export function calls(swap: Swap): readonly Calldata.RouterCall[] {
  const { chain, from, to, amount, recipient } = swap;
  const { wrapped } = chain.contracts;
  const entering = isNative(from) ? [routerCall(Calldata.wrap(wrapped, amount))] : [];
  if (isNative(to)) return [...entering, ...hops(swap, chain.contracts.router), ...payNative(chain, recipient)];
  if (swap.route.length > 0) return [...entering, ...hops(swap, recipient)];
  return [...entering, routerCall(Calldata.transfer(to, recipient, amount))];
}

/** A plain call in the form of a router call. */
export function routerCall({ to, data, value }: Calldata.Call): Calldata.RouterCall {
  return { target: to, allowFailure: false, value, callData: data };
}

function hops(swap: Swap, recipient: Address): readonly Calldata.RouterCall[] {
  const { chain, route, output } = swap;
  return route.flatMap((hop, index) => {
    const isLast = index === route.length - 1;
    // Only the first hop's input is known in advance; later hops spend the output of the previous one.
    const amount = index === 0 ? swap.amount : undefined;
    if (!isLast) return [paidByRouter(chain, hop, exactIn(hop, amount, 0n, chain.contracts.router), amount)];
    if ('atLeast' in output) return [paidByRouter(chain, hop, exactIn(hop, amount, output.atLeast, recipient), amount)];
    return [paidByRouter(chain, hop, exactOut(hop, output.exact, recipient), amount), ...change(swap, hop)];
  });
}

/** Lets the router approve the pool and call it. 0 means its whole balance. */
function paidByRouter(chain: EvmChain, hop: PoolRoute.Hop, data: Hex, amount: bigint | undefined): Calldata.RouterCall {
  return ownCall(
    chain,
    encodeFunctionData({
      abi: abi.router,
      functionName: 'cleanupErc20sViaCall',
      args: [[hop.tokenIn], [hop.pool.address], [data], [amount ?? 0n]],
    }),
  );
}

/** The pool interprets the maximum as the payer's whole balance. */
function exactIn(hop: PoolRoute.Hop, amount: bigint | undefined, minimum: bigint, to: Address): Hex {
  const args = [hop.tokenIn, amount ?? maxUint256, minimum, to] as const;
  return encodeFunctionData({ abi: abi.pool, functionName: 'swapExactIn', args });
}

/** Needs no input bound: the router cannot spend more than its balance. */
function exactOut(hop: PoolRoute.Hop, amount: bigint, to: Address): Hex {
  const args = [hop.tokenOut, amount, maxUint256, to] as const;
  return encodeFunctionData({ abi: abi.pool, functionName: 'swapExactOut', args });
}

/** Returns the unspent input of the last hop. The router itself refunds leftover native currency. */
function change({ chain, from, changeTo }: Swap, { tokenIn }: PoolRoute.Hop): readonly Calldata.RouterCall[] {
  if (isNative(from) && isEqual(tokenIn, chain.contracts.wrapped)) return [unwrapAll(chain)];
  const args = [[tokenIn], [changeTo], [0n]] as const;
  return [ownCall(chain, encodeFunctionData({ abi: abi.router, functionName: 'cleanupErc20s', args }))];
}

function payNative(chain: EvmChain, recipient: Address): readonly Calldata.RouterCall[] {
  const args = [0n, recipient] as const;
  return [
    unwrapAll(chain),
    ownCall(chain, encodeFunctionData({ abi: abi.router, functionName: 'cleanupNative', args })),
  ];
}

function unwrapAll(chain: EvmChain): Calldata.RouterCall {
  const args = [chain.contracts.wrapped] as const;
  return ownCall(chain, encodeFunctionData({ abi: abi.router, functionName: 'unwrap', args }));
}

/** A call from the router to itself. */
function ownCall(chain: EvmChain, data: Hex): Calldata.RouterCall {
  return { target: chain.contracts.router, allowFailure: false, value: 0n, callData: data };
}
