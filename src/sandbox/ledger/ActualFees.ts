/** Computes the actual fees of a request, by component, from its transactions. */
import * as Charges from '../pricing/Charges.js';
import * as Fees from '../pricing/Fees.js';
import type * as Order from '../quote/Order.js';
import type { Token } from '../values/Market.js';
import * as Valuation from '../values/Valuation.js';

/** Amounts in base units, gas costs in millionths of a US dollar. */
export type Outcome = {
  paid: bigint;
  delivered: bigint;
  /** Gas covered by the execution fee. */
  gasUsd: bigint;
  /** Origin gas that a sponsor paid outside the quote. */
  sponsoredGasUsd?: bigint;
};

/**
 * Fees of a filled order. The execution fee is the flat fee plus actual gas. The swap fee is the remainder, so that all
 * components sum to output minus input. The sponsor pays for the actual gas, and never more than quoted.
 */
export function ofFill(order: Order.Order, { gasUsd, sponsoredGasUsd = 0n, ...outcome }: Outcome): Fees.Fees {
  const { payment, sponsorship } = order;
  const execution = Valuation.fromUsd(Charges.flatUsd + gasUsd, payment.token);
  const unused = sponsorship && sponsorship.execution > execution ? sponsorship.execution - execution : 0n;
  const sponsored = (sponsorship?.amount ?? 0n) - unused;
  const fees = {
    ...order.fees,
    execution: { usd: -(Charges.flatUsd + gasUsd), amount: execution },
    sponsored: { usd: Valuation.toUsd(sponsored, payment.token), amount: sponsored },
  };
  return Fees.withOutput(withSponsoredGas(fees, sponsoredGasUsd, payment.token), transferOf(order, outcome));
}

/**
 * Fees of a same-chain transaction: the quoted ones, with the actual swap result, and with actual gas if the relayer
 * sent it for a fee.
 */
export function ofSameChain(order: Order.Order, outcome: Outcome): Fees.Fees {
  if (order.execution === 'swap') return ofFill(order, outcome);
  const fees = withSponsoredGas(order.fees, outcome.sponsoredGasUsd ?? 0n, order.payment.token);
  return Fees.withOutput(fees, transferOf(order, outcome));
}

/** Fees of a call without a quote: the flat fee plus actual gas, all paid by the sponsor. */
export function ofCall(order: Order.Order, gasUsd: bigint): Fees.Fees {
  const usd = Charges.flatUsd + gasUsd;
  const amount = Valuation.fromUsd(usd, order.payment.token);
  return { ...order.fees, execution: { usd: -usd, amount }, sponsored: { usd, amount } };
}

const none = { usd: 0n, amount: 0n };
const nothing = { execution: none, swap: none, platform: none, app: none, sponsored: none };

/** Fees of a reverted transaction: the gas, paid by the sponsor. */
export function ofRevert(order: Order.Order, sponsoredGasUsd: bigint): Fees.Fees {
  return withSponsoredGas(nothing, sponsoredGasUsd, order.payment.token);
}

export function ofRefund(order: Order.Order, withheld: bigint): Fees.Fees {
  return { ...nothing, execution: { usd: -Valuation.toUsd(withheld, order.payment.token), amount: withheld } };
}

/** Adds gas paid by the sponsor: the execution fee rises, and the sponsored amount offsets it. */
function withSponsoredGas(fees: Fees.Fees, usd: bigint, token: Token): Fees.Fees {
  const amount = Valuation.fromUsd(usd, token);
  const { execution, sponsored } = fees;
  return {
    ...fees,
    execution: { usd: execution.usd - usd, amount: execution.amount + amount },
    sponsored: { usd: sponsored.usd + usd, amount: sponsored.amount + amount },
  };
}

function transferOf(
  { origin, payment, destination }: Order.Order,
  { paid, delivered }: Pick<Outcome, 'paid' | 'delivered'>,
): Fees.Transfer {
  return {
    currency: payment.token,
    input: { token: origin.token, amount: paid },
    output: { token: destination.token, amount: delivered },
  };
}
