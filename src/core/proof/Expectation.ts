/** Expectations: what a quote must do. */
import type * as Currency from '../quote/Currency.js';
import type { DestinationCall } from '../quote/DestinationCall.js';
import type { AppFee, Intent, TradeType } from '../quote/TransferIntent.js';

/** The requirements that a quote is checked against. A field that is left out is not checked. */
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
  /** Whether it must be paid at a strict deposit address. */
  byAddress?: boolean | undefined;
  appFees?: readonly AppFee[] | undefined;
  /** The calls on arrival; none if left out of an expectation with a trade type. */
  calls?: readonly DestinationCall[] | undefined;
  /** The components that a sponsor must pay, up to `maxUsd` millionths of a dollar; undefined if none. */
  sponsorship?: { components: 'all' | readonly string[]; maxUsd: bigint | undefined } | undefined;
  /** What is to be topped up in the native asset, in millionths of a dollar; undefined if nothing. */
  gasTopupUsd?: bigint | undefined;
  /** Maximum fee of the venue for a transfer, in millionths of USDC. */
  maxVenueFee?: bigint | undefined;
};

/** The expectation that an intent implies. */
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
  calls,
  gasTopupUsd,
  sponsor,
  maxSponsoredUsd,
  byAddress,
}: Intent): Expectation {
  const sponsorship = sponsor === undefined ? undefined : { components: sponsor, maxUsd: maxSponsoredUsd };
  return {
    user,
    recipient,
    refundTo,
    origin,
    destination,
    tradeType,
    amount,
    slippageBps,
    appFees,
    calls,
    byAddress,
    gasTopupUsd,
    sponsorship,
  };
}
