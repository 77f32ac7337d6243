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
  if (isEqual(token.address, to.address)) return directFill(order, to, output);
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
    metadata: Calldata.metadataOf(order.requestId),
  });
  const call = Calldata.multicall({
    chain,
    input: { token, amount },
    calls,
    refundTo: solver,
    requestId: order.requestId,
    orderId: order.protocol?.orderId,
  });
  return { ...call, gas: GasLimits.multicall({ from: token, to, hops: route.length }) };
}
