import { describe, expect, test } from 'vitest';
import * as Price from '../../../../src/core/api/foreign/Price.js';
import type * as QuoteV2 from '../../../../src/core/api/QuoteV2.js';
import { decode, problems } from '../../../support/problems.js';
import * as published from '../../../support/published.js';
import { read } from '../../../support/recorded.js';

const request = {
  user: '0x1',
  originChainId: 1,
  destinationChainId: 2,
  originCurrency: '0x2',
  destinationCurrency: '0x3',
  amount: '5',
  tradeType: 'EXACT_INPUT',
};

describe('request', () => {
  test('default', () => {
    expect(decode(Price.request, request)).toEqual(request);
  });

  test('error: a parameter that only quotes have', () => {
    expect(problems(Price.request, { ...request, subsidizeFees: true })).toEqual(['subsidizeFees: unknown field']);
    expect(problems(Price.request, { ...request, amount: '5.5' })).toHaveLength(1);
  });
});

describe('response', () => {
  test.each(['quote-bridge', 'quote-swap', 'quote-venue-deposit'])('default: the fees and details of %s', (name) => {
    const { fees, details } = read(name) as QuoteV2.Response;
    expect(decode(Price.response, { fees, details })).toEqual({ fees, details });
  });

  test('error: no details', () => {
    expect(problems(Price.response, { fees: {} })).toEqual(['details: missing, expected an object']);
  });
});

published.describePublished('the published quotes', () => {
  test.each(['quote-sponsored.json', 'quote-venue-deposit.json'])('behavior: the fees and details of %s', (name) => {
    const { fees, details } = published.withoutElisions(published.read(name)) as QuoteV2.Response;
    expect(problems(Price.response, { fees, details })).toEqual([]);
  });
});
