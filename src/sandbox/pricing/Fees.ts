/** The fees of a quote by component, in US dollars (bigint millionths) and in what the order is paid in. */

import type { Token } from '../values/Market.js';
import * as TransactionType from '../values/TransactionType.js';
import * as Valuation from '../values/Valuation.js';
import * as Charges from './Charges.js';
import type { Pricing } from './Pricing.js';
import type { PricedRequest } from './QuoteTerms.js';

/** In `usd`, a cost to the user is negative and a sponsored amount positive; `amount` is unsigned. */
export type Fee = { usd: bigint; amount: bigint };

/** The `usd` of all five add up to the value of the output minus that of the input. */
export type Fees = Record<'execution' | 'swap' | 'platform' | 'app' | 'sponsored', Fee>;

/** Input and output of a quote or a fill, and the currency of the fees. */
export type Transfer = {
  currency: Token;
  input: { token: Token; amount: bigint };
  output: { token: Token; amount: bigint };
};

export function from(terms: PricedRequest, pricing: Pricing): Fees {
  const { token } = terms.payment;
  const { charges, input, output } = pricing;
  const totals = Charges.components(charges);
  const sponsored = pricing.sponsored?.amount ?? 0n;
  const flatUsd = charges.flat > 0n ? Charges.flatUsd : 0n;
  const platformBps = charges.flat > 0n ? TransactionType.platformBps[terms.transactionType] : 0n;
  return withOutput(
    {
      execution: { usd: -(flatUsd + Valuation.toUsd(charges.gas, token)), amount: totals.execution },
      swap: { usd: 0n, amount: 0n },
      platform: {
        usd: -Valuation.share(Valuation.toUsd(input, terms.origin.token), platformBps),
        amount: totals.platform,
      },
      app: { usd: -Valuation.toUsd(totals.app, token), amount: totals.app },
      sponsored: { usd: Valuation.toUsd(sponsored, token), amount: sponsored },
    },
    {
      currency: token,
      input: { token: terms.origin.token, amount: input },
      output: { token: terms.destination.token, amount: output },
    },
  );
}

/** Recomputes the fees for an actual output: the swap fee is the remainder after the other components. */
export function withOutput(fees: Fees, transfer: Transfer): Fees {
  const { execution, platform, app, sponsored } = fees;
  const { currency, input, output } = transfer;
  const usd = totalUsd(transfer) - execution.usd - platform.usd - app.usd - sponsored.usd;
  // Computed in base units, because rounded dollars would lose precision.
  const received = Valuation.convert(output.amount, output.token, currency);
  const paid = Valuation.convert(input.amount, input.token, currency);
  const cost = paid - received - execution.amount - platform.amount - app.amount + sponsored.amount;
  return { ...fees, swap: { usd, amount: cost < 0n ? -cost : cost } };
}

/** The value of the output minus the value of the input. */
export function totalUsd({ input, output }: Pick<Transfer, 'input' | 'output'>): bigint {
  return Valuation.toUsd(output.amount, output.token) - Valuation.toUsd(input.amount, input.token);
}
