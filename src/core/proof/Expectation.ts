/** What a quote must do, as far as somebody said so. */
import type * as Currency from '../quote/Currency.js';
import type { AppFee, Intent, TradeType } from '../quote/TransferIntent.js';

/** What an answer is held to. What is left out is not checked. */
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
  appFees?: readonly AppFee[] | undefined;
  /** What a sponsor is to pay, and up to how many millionths of a dollar; undefined: nobody was asked to. */
  sponsorship?: { components: 'all' | readonly string[]; maxUsd: bigint | undefined } | undefined;
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
  appFees,
  sponsor,
  maxSponsoredUsd,
}: Intent): Expectation {
  const sponsorship = sponsor === undefined ? undefined : { components: sponsor, maxUsd: maxSponsoredUsd };
  return { user, recipient, refundTo, origin, destination, tradeType, amount, slippageBps, appFees, sponsorship };
}
