/** Builds the solver's transaction that fills an order, at current market prices. */
import { concat } from 'viem/utils';
import { isEqual } from '../../core/base/Address.js';
import type { Hex } from '../../core/base/Hex.js';
import * as Calldata from '../pricing/Calldata.js';
import * as PoolRoute from '../pricing/PoolRoute.js';
import * as SwapCalls from '../pricing/SwapCalls.js';
import * as Order from '../quote/Order.js';
import * as GasLimits from '../values/GasLimits.js';
import { chainById, type EvmChain, type EvmToken, isNative, type Market } from '../values/Market.js';
import * as PartyAccount from '../values/PartyAccount.js';

export type Fill =
  | {
      ok: true;
      /** The solver's transaction. */
      transaction: Calldata.Call & { gas: bigint };
      /** Base units that the recipient receives. */
      delivered: bigint;
      /** The allowance that the solver must grant beforehand. */
      needs: { token: EvmToken; spender: Calldata.Call['to']; amount: bigint } | undefined;
    }
  | { ok: false; failReason: 'TOO_LITTLE_RECEIVED' | 'INSUFFICIENT_POOL_LIQUIDITY' };

/**
 * The fill of an order whose deposit has arrived, or the reason why the pools do not allow one. A deposit of more or less
 * than expected delivers more or less, but never less than the order's minimum.
 *
 * @param deposited base units of the payment
 */
export function from(order: Order.Order, deposited: bigint, market: Market<EvmChain>): Fill {
  const chain = chainById(market, order.destination.chainId);
  const path = chain && PoolRoute.pathThrough(chain, order.payment.token, order.destination.token);
  if (!path) return { ok: false, failReason: 'INSUFFICIENT_POOL_LIQUIDITY' };
  const { from: token, to, route } = path;
  const amount = Order.solverAmount(order, deposited, token);
  const output = PoolRoute.outputOf(route, amount);
  if (output < order.destination.minimumAmount) return { ok: false, failReason: 'TOO_LITTLE_RECEIVED' };
  if (isEqual(token.address, to.address)) {
    const paid = { chain, token: to, output };
    if (order.calls) return callingFill(order, order.calls, paid);
    return order.gasTopup ? toppingFill(order, order.gasTopup.amount, paid) : directFill(order, to, output);
  }
  return {
    ok: true,
    transaction: swapFill(order, { ...path, amount, solver: market.solver }),
    delivered: Order.isExact(order) ? order.destination.amount : output,
    needs: isNative(token) ? undefined : { token, spender: path.chain.contracts.approvalProxy, amount },
  };
}

/** Same currency: paid from the solver's balance. */
function directFill(order: Order.Order, token: EvmToken, output: bigint): Fill {
  const { destination, recipient } = order;
  const amount = Order.isExact(order) ? destination.amount : output;
  return {
    ok: true,
    transaction: {
      ...named(Calldata.transfer(token, PartyAccount.address(recipient), amount), order),
      gas: GasLimits.transfer(token),
    },
    delivered: amount,
    needs: undefined,
  };
}

/** Same currency, with a gas top-up: the router pays both, or neither. */
function toppingFill(
  order: Order.Order,
  gasTopup: bigint,
  { chain, token, output }: { chain: EvmChain; token: EvmToken; output: bigint },
): Fill {
  const { destination, requestId, protocol } = order;
  const recipient = PartyAccount.address(order.recipient);
  const amount = Order.isExact(order) ? destination.amount : output;
  const calls = [Calldata.transfer(token, recipient, amount), paying(recipient, gasTopup)].map(Calldata.toRouterCall);
  const input = { token, amount };
  const call = Calldata.multicall({ chain, input, calls, refundTo: recipient, requestId, orderId: protocol?.orderId });
  return {
    ok: true,
    transaction: { ...call, value: gasTopup, gas: GasLimits.multicall({ from: token, to: token, hops: 0 }) + topupGas },
    delivered: amount,
    needs: { token, spender: chain.contracts.approvalProxy, amount },
  };
}

/** Gas of a top-up, which a contract may spend some of. */
const topupGas = 60_000n;

function paying(to: Calldata.Call['to'], value: bigint): Calldata.Call {
  return { to, data: '0x', value };
}

/** Same currency, with calls: the router is paid and makes them. */
function callingFill(
  order: Order.Order,
  own: readonly Calldata.Call[],
  { chain, token, output }: { chain: EvmChain; token: EvmToken; output: bigint },
): Fill {
  const amount = Order.isExact(order) ? order.destination.amount : output;
  const { requestId, protocol } = order;
  const calls = own.map(Calldata.toRouterCall);
  const input = { token, amount };
  const orderId = protocol?.orderId;
  return {
    ok: true,
    // The gas is that of a simulation.
    transaction: {
      ...Calldata.multicall({ chain, input, calls, refundTo: PartyAccount.address(order.user), requestId, orderId }),
      gas: 0n,
    },
    delivered: amount,
    needs: isNative(token) ? undefined : { token, spender: chain.contracts.approvalProxy, amount },
  };
}

/** The transfer of a token with the order id behind its arguments, as the live solver sends it. */
function named(call: Calldata.Call, { protocol }: Order.Order): Calldata.Call {
  return call.data === '0x' || !protocol ? call : { ...call, data: concat([call.data, protocol.orderId as Hex]) };
}

type SwapInput = PoolRoute.Path & { amount: bigint; solver: Calldata.Call['to'] };

function swapFill(order: Order.Order, { solver, ...path }: SwapInput): Calldata.Call & { gas: bigint } {
  const { chain, from: token, to, route, amount } = path;
  const { amount: promised, minimumAmount } = order.destination;
  const calls = SwapCalls.calls({
    ...path,
    output: Order.isExact(order) ? { exact: promised } : { atLeast: minimumAmount },
    recipient: PartyAccount.address(order.recipient),
    changeTo: solver,
    calls: order.calls,
    metadata: Calldata.metadataOf(order.requestId),
  });
  const gasTopup = order.gasTopup?.amount ?? 0n;
  const topup = gasTopup > 0n ? [Calldata.toRouterCall(paying(PartyAccount.address(order.recipient), gasTopup))] : [];
  const call = Calldata.multicall({
    chain,
    input: { token, amount },
    calls: [...calls, ...topup],
    refundTo: solver,
    requestId: order.requestId,
    orderId: order.protocol?.orderId,
  });
  const gas = GasLimits.multicall({ from: token, to, hops: route.length }) + (gasTopup > 0n ? topupGas : 0n);
  return { ...call, value: call.value + gasTopup, gas };
}
