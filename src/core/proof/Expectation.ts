/** What a quote must do, as far as somebody said so. */
import type * as Currency from '../Currency.js';
import type { Intent, TradeType } from '../Intent.js';

export type Expectation = {
  user?: string | undefined;
  recipient?: string | undefined;
  refundTo?: string | undefined;
  origin?: Currency.Currency | undefined;
  destination?: Currency.Currency | undefined;
  tradeType?: TradeType | undefined;
  /** Base units: of the input under EXACT_INPUT, else of the output. */
  amount?: bigint | undefined;
  slippageBps?: number | undefined;
  /** Millionths of USDC that the venue may take for a transfer. */
  maxVenueFee?: bigint | undefined;
};

/** Everything that an intent says. */
export function from({
  user,
  recipient,
  refundTo,
  origin,
  destination,
  tradeType,
  amount,
  slippageBps,
}: Intent): Expectation {
  return { user, recipient, refundTo, origin, destination, tradeType, amount, slippageBps };
}
