/** Expectations: what a quote must do. */
import type { Intent } from '../quote/TransferIntent.js';

/** What an intent says that a quote is held to. */
type Held =
  | 'user'
  | 'recipient'
  | 'refundTo'
  | 'origin'
  | 'destination'
  | 'tradeType'
  | 'amount'
  | 'slippageBps'
  | 'appFees'
  /** None if left out of an expectation with a trade type. */
  | 'calls'
  | 'gasless'
  | 'gasTopupUsd';

/** The requirements that a quote is checked against. A field that is left out is not checked. */
export type Expectation = { [Field in Held]?: Intent[Field] | undefined } & {
  /** Whether it must be paid at a strict deposit address. */
  byAddress?: boolean | undefined;
  /** The components that a sponsor must pay, up to `maxUsd` millionths of a dollar; undefined if none. */
  sponsorship?: { components: 'all' | readonly string[]; maxUsd: bigint | undefined } | undefined;
  /** Maximum fee of the venue for a transfer, in millionths of USDC. */
  maxVenueFee?: bigint | undefined;
};

/** The expectation that an intent implies. */
export function from({ sponsor, maxSponsoredUsd, ...held }: Intent): Expectation {
  const sponsorship = sponsor === undefined ? undefined : { components: sponsor, maxUsd: maxSponsoredUsd };
  return { ...held, sponsorship };
}
