/** Builds the response of `POST /price`: the part of a quote that says what it costs and yields. */
import type * as Price from '../../core/api/foreign/Price.js';
import type * as QuoteV2 from '../../core/api/QuoteV2.js';

export function from({ fees, details }: QuoteV2.Response): Price.Response {
  const { operation, sender, recipient, currencyIn, currencyOut, totalImpact, swapImpact } = details;
  const { rate, slippageTolerance, timeEstimate, userBalance } = details;
  return {
    fees: fees ?? {},
    details: {
      operation,
      sender,
      recipient,
      currencyIn,
      currencyOut,
      totalImpact,
      swapImpact,
      rate,
      slippageTolerance,
      timeEstimate,
      userBalance,
    },
  };
}
