import { expect, test } from 'vitest';
import * as Price from '../../../src/core/api/foreign/Price.js';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as PriceAnswer from '../../../src/sandbox/service/PriceAnswer.js';
import { read } from '../../support/recorded.js';

/** The keys of `details` that the service documents for a price. */
const documented = [
  'currencyIn',
  'currencyOut',
  'operation',
  'rate',
  'recipient',
  'sender',
  'slippageTolerance',
  'swapImpact',
  'timeEstimate',
  'totalImpact',
  'userBalance',
];

test.each(['quote-bridge', 'quote-swap', 'quote-sponsored'])('default: %s', (name) => {
  const quote = read(name) as QuoteV2.Response;
  const price = PriceAnswer.from(quote);
  expect(Price.response.parse(price)).toEqual(price);
  expect(Object.keys(price)).toEqual(['fees', 'details']);
  expect(Object.keys(price.details).sort()).toEqual(documented);
  expect(price.fees).toEqual(quote.fees);
  expect(quote.details).toMatchObject(price.details);
});
