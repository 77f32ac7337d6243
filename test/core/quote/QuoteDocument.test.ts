import { describe, expect, test } from 'vitest';
import * as QuoteDocument from '../../../src/core/quote/QuoteDocument.js';
import * as market from '../../support/market.js';
import { intent, network, prove, quote } from '../../support/quoted.js';
import { recording } from '../../support/specimens.js';
import * as withdrawal from '../../support/withdrawal.js';

test('from: fits its schema and survives JSON', async () => {
  const read = await quote(intent('100', 'alpha/usdc', 'beta/gull', { slippageBps: 30 }));
  const document = QuoteDocument.from(read, await prove(read));
  expect(QuoteDocument.schema.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
  expect(document.send).toEqual({ amount: '100000000', formatted: '100', currency: 'alpha/usdc', usd: '100.000000' });
  expect(document.intent.slippageBps).toBe(30);
});

test('from, of the venue: names who charges the origin cost, and round-trips', async () => {
  for (const [kind, takenBy, formatted] of [
    ['withdrawal', 'venue', '2.5'],
    ['deposit', 'network', '0.0000003305'],
  ] as const) {
    const read = withdrawal.quote(kind);
    const document = QuoteDocument.from(read, await withdrawal.prove(read));
    expect(QuoteDocument.schema.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
    expect(document.originGas).toMatchObject({ takenBy, formatted });
    expect(QuoteDocument.toQuote(JSON.parse(JSON.stringify(document)), recording)).toEqual(read);
  }
});

describe('toQuote', () => {
  const unreadable = expect.objectContaining({ code: 'quote.unreadable' });

  test('default: the same quote again', async () => {
    const asked = intent('1', 'alpha/eth', 'alpha/usdc', {
      recipient: market.other,
      appFee: [`${market.other}:10`],
      slippageBps: 100,
    });
    const read = await quote(asked);
    const document = JSON.parse(JSON.stringify(QuoteDocument.from(read, [])));
    expect(QuoteDocument.toQuote(document, network)).toEqual(read);
  });
  test.each([{}, null, [], 'quote', { requestId: '0x01' }])('error: %j is not a quote', (value) => {
    expect(() => QuoteDocument.toQuote(value, network)).toThrow(unreadable);
  });
  test('error: a time that no date can show, decimals that no token can have', async () => {
    const document = QuoteDocument.from(await quote(intent('1', 'alpha/eth', 'beta/eth')), []);
    const origin = { ...document.intent.origin, decimals: 1e9 };
    for (const own of [{ quotedAt: 9e15 }, { quotedAt: -1 }, { intent: { ...document.intent, origin } }])
      expect(() => QuoteDocument.toQuote({ ...document, ...own }, network)).toThrow(unreadable);
  });
  test('error: a truncated answer', async () => {
    const document = QuoteDocument.from(await quote(intent('1', 'alpha/eth', 'beta/eth')), []);
    const { details: _, ...rest } = document.response;
    expect(() => QuoteDocument.toQuote({ ...document, response: rest }, network)).toThrow(unreadable);
  });
});

test('isIntact: error: changed content, or another network', async () => {
  const document = QuoteDocument.from(await quote(intent('1', 'alpha/eth', 'beta/eth')), []);
  expect(QuoteDocument.isIntact(document, 'mainnet')).toBe(false);
  expect(QuoteDocument.isIntact({ ...document, quotedAt: document.quotedAt + 1 }, 'sandbox')).toBe(false);
  expect(QuoteDocument.isIntact({ ...document, response: { ...document.response, more: 1 } }, 'sandbox')).toBe(false);
});
