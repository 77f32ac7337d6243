/** What a request came to cost, by component, once it is known what arrived and what the gas was. */
import * as Charges from '../pricing/Charges.js';
import * as Fees from '../pricing/Fees.js';
import type * as Order from '../quote/Order.js';
import type { Token } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';

/** What came in and went out, in base units, and what the gas was, in millionths of a dollar. */
export type Outcome = {
  paid: bigint;
  delivered: bigint;
  /** Gas that the execution fee is for. */
  gasUsd: bigint;
  /** Gas on the origin that a sponsor paid beside the quote. */
  sponsoredGasUsd?: bigint;
};

/**
 * The fees of a filled order. The execution is the flat fee and the real gas; the swap is what the other components
 * leave unexplained, so that all of them add up to output less input. The sponsor pays for the gas that it took, and
 * never more than was quoted.
 */
export function ofFill(order: Order.Order, { gasUsd, sponsoredGasUsd = 0n, ...outcome }: Outcome): Fees.Fees {
  const { origin, destination, sponsorship } = order;
  const execution = Valuation.fromUsd(Charges.flatUsd + gasUsd, origin.token);
  const spared = sponsorship && sponsorship.execution > execution ? sponsorship.execution - execution : 0n;
  const sponsored = (sponsorship?.amount ?? 0n) - spared;
  const fees = {
    ...order.fees,
    execution: { usd: -(Charges.flatUsd + gasUsd), amount: execution },
    sponsored: { usd: Valuation.toUsd(sponsored, origin.token), amount: sponsored },
  };
  const transfer = transferOf(origin.token, destination.token, outcome);
  return Fees.withOutput(withSponsoredGas(fees, sponsoredGasUsd, origin.token), transfer);
}

/**
 * The fees of a transaction of the user's own: those that were quoted, with the swap as it came out, and with the gas
 * where the relayer sent it for a fee.
 */
export function ofOwn(order: Order.Order, outcome: Outcome): Fees.Fees {
  if (order.execution === 'swap') return ofFill(order, outcome);
  const { origin, destination } = order;
  const transfer = transferOf(origin.token, destination.token, outcome);
  return Fees.withOutput(withSponsoredGas(order.fees, outcome.sponsoredGasUsd ?? 0n, origin.token), transfer);
}

/** The fees of a call without a quote: the flat fee and the real gas, which the sponsor pays. */
export function ofCall(order: Order.Order, gasUsd: bigint): Fees.Fees {
  const usd = Charges.flatUsd + gasUsd;
  const amount = Valuation.fromUsd(usd, order.origin.token);
  return { ...order.fees, execution: { usd: -usd, amount }, sponsored: { usd, amount } };
}

/** The fees of a transaction that reverted: the gas, which the sponsor has paid. */
export function ofRevert(order: Order.Order, sponsoredGasUsd: bigint): Fees.Fees {
  const none = { usd: 0n, amount: 0n };
  const nothing = { execution: none, swap: none, platform: none, app: none, sponsored: none };
  return withSponsoredGas(nothing, sponsoredGasUsd, order.origin.token);
}

/** The fees of a refund: the gas that was kept back. */
export function ofRefund(order: Order.Order, keptBack: bigint): Fees.Fees {
  const none = { usd: 0n, amount: 0n };
  const execution = { usd: -Valuation.toUsd(keptBack, order.origin.token), amount: keptBack };
  return { execution, swap: none, platform: none, app: none, sponsored: none };
}

/** The same fees with gas that the sponsor paid: what is in the execution is given back as sponsored. */
function withSponsoredGas(fees: Fees.Fees, usd: bigint, token: Token): Fees.Fees {
  const amount = Valuation.fromUsd(usd, token);
  const { execution, sponsored } = fees;
  return {
    ...fees,
    execution: { usd: execution.usd - usd, amount: execution.amount + amount },
    sponsored: { usd: sponsored.usd + usd, amount: sponsored.amount + amount },
  };
}

function transferOf(from: Token, to: Token, amounts: { paid: bigint; delivered: bigint }): Fees.Transfer {
  return { input: { token: from, amount: amounts.paid }, output: { token: to, amount: amounts.delivered } };
}
