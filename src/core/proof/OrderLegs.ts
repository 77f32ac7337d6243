/**
 * The two legs of an order. Where the router swaps the input on the origin chain, the order is paid in what the swap
 * yields; where the solver swaps on the destination chain, a refund there is in what it starts from.
 *
 * The specification has the input deposited. The live service has the router swap, then deposit its whole balance, with
 * leftovers for the solver. So payment and refunds are held to the currencies of the route, which must be known ones.
 */

import type * as QuoteV2 from '../api/QuoteV2.js';
import type * as CurrencyAmount from '../api/schema/CurrencyAmount.js';
import * as Address from '../base/Address.js';
import * as Network from '../network/Network.js';
import type { Answer } from '../quote/Quote.js';

/** An amount of a leg, and the least that it may be. */
export type Amount = Pick<CurrencyAmount.Received, 'currency' | 'amount' | 'minimumAmount'>;

/** The origin leg. */
export type Origin = {
  /** What the order is paid in: the yield of the swap, else the input. */
  paid: Amount;
  /** The yield of the swap on the origin chain; undefined if there is none. */
  swap: Amount | undefined;
};

/**
 * The origin leg, as the answer states it. A swap there yields a currency of the origin chain: another chain may have one
 * of another worth at the same address, the zero address above all.
 */
export function origin({ response: { details } }: Pick<Answer, 'response'>): Origin {
  const { currencyIn, route } = details;
  const yielded = route?.origin?.outputCurrency;
  const isHere = yielded?.currency.chainId === currencyIn.currency.chainId;
  const swap = yielded && isHere && !isSame(yielded, currencyIn) ? yielded : undefined;
  return { paid: swap ?? currencyIn, swap };
}

/** The currencies in which the order may refund on the destination chain. */
export function refundable({ response: { details } }: Pick<Answer, 'response'>): readonly Amount[] {
  const { currencyOut, route } = details;
  const from = route?.destination?.inputCurrency;
  return from && from.currency.chainId === currencyOut.currency.chainId && !isSame(from, currencyOut)
    ? [currencyOut, from]
    : [currencyOut];
}

/** Whether ferry knows the currency, or the user chose it. A refund in any other could be worth nothing. */
export function isKnown(
  { currency }: Amount,
  { currencyIn, currencyOut }: Pick<QuoteV2.Details, 'currencyIn' | 'currencyOut'>,
  chain: Network.Chain,
): boolean {
  const { address } = currency;
  if ([currencyIn, currencyOut].some((chosen) => isSame(chosen, { currency }))) return true;
  return Address.isEqual(address, chain.contracts.wrapped ?? '') || Network.token(chain, address) !== undefined;
}

function isSame(one: Pick<Amount, 'currency'>, other: Pick<Amount, 'currency'>): boolean {
  return (
    one.currency.chainId === other.currency.chainId && Address.isEqual(one.currency.address, other.currency.address)
  );
}
