/** What a request came to cost, by component, once it is known what arrived and what the gas was. */
import * as Charges from './Charges.js';
import * as Fees from './Fees.js';
import type { Token } from './Market.js';
import type * as Order from './Order.js';
import * as Valuation from './Valuation.js';

/**
 * The fees of a filled order. The execution is the flat fee and the fill's real gas, in millionths of a dollar; the
 * swap is what the other components leave unexplained, so that all of them add up to output less input.
 */
export function ofFill(order: Order.Order, outcome: { paid: bigint; delivered: bigint; gasUsd: bigint }): Fees.Fees {
  const { origin, destination } = order;
  const executionUsd = Charges.flatUsd + outcome.gasUsd;
  const execution = { usd: -executionUsd, amount: Valuation.fromUsd(executionUsd, origin.token) };
  return Fees.withOutput({ ...order.fees, execution }, transferOf(origin.token, destination.token, outcome));
}

/** The fees of a transaction of the user's own: those that were quoted, with the swap as it came out. */
export function ofOwn(order: Order.Order, delivered: bigint): Fees.Fees {
  const { origin, destination } = order;
  return Fees.withOutput(order.fees, transferOf(origin.token, destination.token, { paid: origin.amount, delivered }));
}

/** The fees of a call without a quote: the flat fee and the real gas, which the sponsor pays. */
export function ofCall(order: Order.Order, gasUsd: bigint): Fees.Fees {
  const usd = Charges.flatUsd + gasUsd;
  const amount = Valuation.fromUsd(usd, order.origin.token);
  return { ...order.fees, execution: { usd: -usd, amount }, sponsored: { usd, amount } };
}

/** The fees of a refund: the gas that was kept back. */
export function ofRefund(order: Order.Order, keptBack: bigint): Fees.Fees {
  const none = { usd: 0n, amount: 0n };
  const execution = { usd: -Valuation.toUsd(keptBack, order.origin.token), amount: keptBack };
  return { execution, swap: none, platform: none, app: none, sponsored: none };
}

function transferOf(from: Token, to: Token, amounts: { paid: bigint; delivered: bigint }): Fees.Transfer {
  return { input: { token: from, amount: amounts.paid }, output: { token: to, amount: amounts.delivered } };
}
