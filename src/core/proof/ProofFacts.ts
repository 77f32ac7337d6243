/** What the checks of a quote have in common: the answer, what it must do, and what follows from both. */

import type * as QuoteV2 from '../api/QuoteV2.js';
import type * as CurrencyAmount from '../api/schema/CurrencyAmount.js';
import * as Network from '../network/Network.js';
import type { Answer } from '../quote/Quote.js';
import type { Expectation } from './Expectation.js';
import * as OrderLegs from './OrderLegs.js';

/** Where and when a quote is proved. */
export type Context = {
  network: Network.Network;
  /** The base URL that the answer came from; undefined if unknown. */
  baseUrl: string | undefined;
  /** Unix time in milliseconds; if undefined, deadlines and age are not checked. */
  nowMs: number | undefined;
  /** Whether the quote is looked at, not paid: then one that has expired cannot be verified, but is no lie. */
  isReview?: boolean | undefined;
};

export type ProofFacts = Context &
  OrderLegs.Origin & {
    answer: Answer;
    expected: Expectation;
    order: QuoteV2.Protocol | undefined;
    inputCurrency: CurrencyAmount.Received['currency'];
    outputCurrency: CurrencyAmount.Received['currency'];
    /** The currencies of the origin chain that the answer states: another chain may have the same addresses. */
    currencies: readonly CurrencyAmount.Received['currency'][];
    /** The chains of both currencies; undefined if ferry does not know them. */
    origin: Network.Chain | undefined;
    destination: Network.Chain | undefined;
    /** As expected, else as the answer states. */
    user: string;
    recipient: string;
  };

export function from(answer: Answer, expected: Expectation, context: Context): ProofFacts {
  const { details, protocol } = answer.response;
  const [inputCurrency, outputCurrency] = [details.currencyIn.currency, details.currencyOut.currency];
  const legs = OrderLegs.origin(answer);
  const stated = [inputCurrency, legs.paid.currency, outputCurrency];
  return {
    ...context,
    ...legs,
    answer,
    expected,
    order: protocol?.v2 ?? undefined,
    inputCurrency,
    outputCurrency,
    currencies: stated.filter(({ chainId }) => chainId === inputCurrency.chainId),
    origin: Network.chainById(context.network, inputCurrency.chainId),
    destination: Network.chainById(context.network, outputCurrency.chainId),
    user: expected.user ?? details.sender,
    recipient: expected.recipient ?? details.recipient,
  };
}
