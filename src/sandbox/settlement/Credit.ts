/** What the solver credits to an account of the venue to pay an order out, reckoned on the market as it is then. */

import * as PoolRoute from '../pricing/PoolRoute.js';
import type { Order } from '../quote/Order.js';
import type { EvmChain, Market } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';

/** `amount` in base units of the venue's currency. */
export type Credit =
  | { ok: true; amount: bigint }
  | { ok: false; failReason: 'TOO_LITTLE_RECEIVED' | 'INSUFFICIENT_POOL_LIQUIDITY' };

/**
 * The credit of an order whose deposit has arrived. The solver takes the input into its own stock at the price of the
 * origin's pools, and pays from its account on the venue. The venue's activation fee is passed on as it is at that
 * moment: where the account was credited since the quote, what is no longer charged goes to the recipient.
 */
export function from(order: Order, market: Market<EvmChain>, activationFee: bigint): Credit {
  const { origin, destination, tradeType, solverAmount } = order;
  const chain = market.chains.find(({ id }) => id === origin.chainId);
  const path = chain && PoolRoute.pathThrough(chain, origin.token, destination.token);
  if (!path) return { ok: false, failReason: 'INSUFFICIENT_POOL_LIQUIDITY' };
  const reached = PoolRoute.outputOf(path.route, solverAmount);
  const now = Valuation.rescale(reached, path.to.decimals, destination.token.decimals) - activationFee;
  if (now < destination.minimumAmount) return { ok: false, failReason: 'TOO_LITTLE_RECEIVED' };
  if (tradeType !== 'EXACT_OUTPUT') return { ok: true, amount: now };
  return { ok: true, amount: destination.amount + order.activationFee - activationFee };
}
