/** What the solver sends to pay an order out, reckoned on the market as it is then. */
import { isEqual } from '../core/Address.js';
import * as Calldata from './Calldata.js';
import * as Gas from './Gas.js';
import { type Chain, chainById, counterpart, isNative, type Market, type Token } from './Market.js';
import type { Order } from './Order.js';
import * as Route from './Route.js';
import * as Swap from './Swap.js';

export type Fill =
  | {
      ok: true;
      /** The solver's one transaction. */
      transaction: Calldata.Call & { gas: bigint };
      /** Base units that reach the recipient. */
      delivered: bigint;
      /** The allowance that the solver must have given before. */
      needs: { token: Token; spender: Calldata.Call['to']; amount: bigint } | undefined;
    }
  | { ok: false; failReason: 'TOO_LITTLE_RECEIVED' | 'INSUFFICIENT_POOL_LIQUIDITY' };

/** The fill of an order whose deposit has arrived; the market's pools decide whether there is one. */
export function from(order: Order, market: Market): Fill {
  const chain = chainById(market, order.destination.chainId);
  const token = chain && counterpart(chain, order.origin.token);
  const route = token && Route.find(chain, token, order.destination.token);
  if (!route) return { ok: false, failReason: 'INSUFFICIENT_POOL_LIQUIDITY' };
  if (isEqual(token.address, order.destination.token.address)) return handedOver(order);
  const promised = order.destination.amount;
  const amount = route.length > 0 ? order.solverAmount : promised;
  const output = Route.outputOf(route, amount);
  if (output < order.destination.minimumAmount) return { ok: false, failReason: 'TOO_LITTLE_RECEIVED' };
  const isExact = order.tradeType === 'EXACT_OUTPUT';
  return {
    ok: true,
    transaction: swapped(order, { chain, token, route, amount, solver: market.solver }),
    delivered: isExact ? promised : output,
    needs: isNative(token) ? undefined : { token, spender: chain.contracts.approvalProxy, amount },
  };
}

/** The same currency: the solver pays it out of what it has. */
function handedOver({ destination, recipient }: Order): Fill {
  const { token, amount } = destination;
  return {
    ok: true,
    transaction: { ...Calldata.transfer(token, recipient, amount), gas: Gas.transfer(token) },
    delivered: amount,
    needs: undefined,
  };
}

type Path = { chain: Chain; token: Token; route: Route.Route; amount: bigint; solver: Calldata.Call['to'] };

function swapped(order: Order, { chain, token, route, amount, solver }: Path): Calldata.Call & { gas: bigint } {
  const { token: to, amount: promised, minimumAmount } = order.destination;
  const calls = Swap.calls({
    chain,
    from: token,
    to,
    route,
    amount,
    output: order.tradeType === 'EXACT_OUTPUT' ? { exact: promised } : { atLeast: minimumAmount },
    recipient: order.recipient,
    changeTo: solver,
  });
  const call = Calldata.multicall({
    chain,
    input: { token, amount },
    calls,
    refundTo: solver,
    metadata: order.requestId,
  });
  return { ...call, gas: Gas.multicall({ from: token, to, hops: route.length }) };
}
