/** Computes the amount that the solver credits on the venue to fill an order, at current market prices. */

import * as PoolRoute from '../pricing/PoolRoute.js';
import * as Order from '../quote/Order.js';
import type { EvmChain, Market } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';

/** `amount` in base units of the venue's currency. */
export type Credit =
  | { ok: true; amount: bigint }
  | { ok: false; failReason: 'TOO_LITTLE_RECEIVED' | 'INSUFFICIENT_POOL_LIQUIDITY' };

/**
 * The credit for an order whose deposit has arrived. The solver keeps the input, values it at the price of the origin
 * chain's pools, and pays from its own account on the venue. The activation fee is the current one: if the account was
 * activated since the quote, the recipient gets the difference.
 *
 * @param deposited base units of the payment
 */
export function from(
  order: Order.Order,
  deposited: bigint,
  { market, activationFee }: { market: Market<EvmChain>; activationFee: bigint },
): Credit {
  const { origin, destination, payment } = order;
  const chain = market.chains.find(({ id }) => id === origin.chainId);
  const path = chain && PoolRoute.pathThrough(chain, payment.token, destination.token);
  if (!path) return { ok: false, failReason: 'INSUFFICIENT_POOL_LIQUIDITY' };
  const reached = PoolRoute.outputOf(path.route, Order.solverAmount(order, deposited, path.from));
  const now = Valuation.rescale(reached, path.to.decimals, destination.token.decimals) - activationFee;
  if (now < destination.minimumAmount) return { ok: false, failReason: 'TOO_LITTLE_RECEIVED' };
  if (!Order.isExact(order)) return { ok: true, amount: now };
  return { ok: true, amount: destination.amount + order.activationFee - activationFee };
}
