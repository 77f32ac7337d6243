/**
 * What a payer is told: which address to pay, what, and until when. Only a proved quote yields terms that may be shown; a
 * journal yields those that were.
 */
import type { Address } from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import type { Hex } from '../base/Hex.js';
import type { Of } from '../event/Event.js';
import type * as Plan from '../execution/Plan.js';
import type * as Network from '../network/Network.js';
import * as Currency from '../quote/Currency.js';
import type * as Quote from '../quote/Quote.js';

export type AddressTerms = {
  address: Address;
  chain: Network.Chain;
  /** The address of the token; the zero address for the native asset. */
  token: Address;
  /** Base units. */
  amount: bigint;
  orderId: Hex;
  /** Unix time in milliseconds: what arrives later is sent back. */
  untilMs: number;
};

/** Those of a quote that was proved. */
export function from({ quote }: Plan.Plan): AddressTerms {
  return restored(quote);
}

/** Those of a quote from a journal, which proved it. @throws TypeError if it is not paid at an address */
export function restored({ intent, response, items, input }: Quote.Quote): AddressTerms {
  const order = response.protocol?.v2;
  const address = items.find(({ depositAddress }) => depositAddress !== undefined)?.depositAddress;
  if (!order || address === undefined) throw new TypeError('the quote is not paid at an address');
  const { output, inputs } = order.orderData;
  const deadlines = [output.deadline, ...inputs.flatMap(({ refunds }) => refunds.map(({ deadline }) => deadline))];
  return {
    address: address as Address,
    chain: intent.origin.chain,
    token: intent.origin.token.address as Address,
    amount: input,
    orderId: order.orderId as Hex,
    untilMs: Math.min(...deadlines) * 1000,
  };
}

/** The event that shows the address. */
export function toEvent(terms: AddressTerms, { intent, requestId, minimum }: Quote.Quote): Of<'address'> {
  const { address, chain, amount, untilMs } = terms;
  const { origin, destination, recipient, refundTo } = intent;
  return {
    type: 'address',
    requestId,
    address,
    chain: chain.name,
    chainId: chain.id,
    token: origin.token.address,
    send: { ...Amount.toDocument(amount, origin.token.decimals), currency: Currency.format(origin) },
    minimum: { ...Amount.toDocument(minimum, destination.token.decimals), currency: Currency.format(destination) },
    recipient,
    refundTo,
    untilMs,
  };
}
