import { describe, expect, test } from 'vitest';
import * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as Decode from '../../../src/core/api/schema/Decode.js';
import * as FeeBreakdown from '../../../src/core/api/schema/FeeBreakdown.js';
import * as OrderData from '../../../src/core/api/schema/OrderData.js';
import * as Usd from '../../../src/core/base/Usd.js';
import { decode, problems, withUnknownFields } from '../../support/problems.js';
import { describePublished, read as readPublished } from '../../support/published.js';
import { read } from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

const recorded = [
  'quote-bridge',
  'quote-swap',
  'quote-swap-one-chain',
  'quote-sponsored',
  'quote-deposit-address',
  'quote-venue-deposit',
  'quote-venue-withdrawal',
  'quote-permit-eip3009',
  'quote-permit-permit2',
];

const quote = (name: string) => decode(QuoteV2.response, read(name));
const bridge = () => read('quote-bridge') as QuoteV2.Response;

/** Millionths of a dollar. */
function usd(text: string | undefined): bigint {
  const value = Usd.from(text ?? '');
  if (value === undefined) throw new Error(`${text} is no decimal`);
  return value;
}

describe('endpoint', () => {
  test('default', () => {
    expect(QuoteV2.endpoint).toEqual({ method: 'POST', path: '/quote/v2' });
  });
});

describe('response', () => {
  test.each(recorded)('default: %s', (name) => {
    expect(quote(name)).toEqual(read(name));
  });

  test.each(recorded)('behavior: keeps unknown fields at every level: %s', (name) => {
    const later = withUnknownFields(read(name), ['components']);
    expect(decode(QuoteV2.response, later)).toEqual(later);
  });

  test('behavior: keeps an unknown field of the order', () => {
    const later = decode(QuoteV2.response, withUnknownFields(bridge()));
    expect(Decode.unknownFields(OrderData.schema, later.protocol?.v2?.orderData)).toContain('aFieldOfTomorrow');
  });

  test.each<[string, (quote: QuoteV2.Response) => object]>([
    ['no deprecated fees', (q) => ({ ...q, fees: undefined })],
    ['no protocol', (q) => ({ ...q, protocol: undefined })],
    ['an empty protocol', (q) => ({ ...q, protocol: {} })],
    ['no steps yet', (q) => ({ ...q, steps: [] })],
    ['no deposit address', (q) => ({ ...q, steps: q.steps.map((s) => ({ ...s, depositAddress: null })) })],
    ['no metadata', (q) => ({ ...q, details: { ...q.details, currencyIn: withoutMetadata(q.details.currencyIn) } })],
    ['a gas top-up', (q) => ({ ...q, details: { ...q.details, currencyGasTopup: { amount: '1', amountUsd: '2' } } })],
    ['a fixed rate', (q) => ({ ...q, details: { ...q.details, fixedRateFee: { usd: '0.01' } } })],
    ['only what decides', (q) => ({ steps: q.steps, details: essentials(q.details) })],
  ])('behavior: %s', (_, change) => {
    expect(problems(QuoteV2.response, json(change(bridge())))).toEqual([]);
  });

  test.each(['sender', 'recipient', 'currencyIn', 'currencyOut', 'totalImpact', 'expandedPriceImpact'] as const)(
    'error: details without %s',
    (key) => {
      const { details, ...rest } = bridge();
      expect(problems(QuoteV2.response, json({ ...rest, details: { ...details, [key]: undefined } }))).toEqual([
        expect.stringMatching(`^details.${key}: missing`),
      ]);
    },
  );

  test('error: no steps, no details', () => {
    expect(problems(QuoteV2.response, {})).toEqual([
      'steps: missing, expected an array',
      'details: missing, expected an object',
    ]);
  });

  test.each([1.5, '1.5', '-1', '', '0x1'])('error: an amount of %s', (amount) => {
    const { details, ...rest } = bridge();
    const odd = { ...rest, details: { ...details, currencyOut: { ...details.currencyOut, minimumAmount: amount } } };
    expect(problems(QuoteV2.response, odd)).toHaveLength(1);
  });
});

describe('requestIdOf', () => {
  test('default', () => {
    expect(QuoteV2.requestIdOf(quote('quote-bridge'))).toBe(bridge().requestId);
  });

  test('behavior: taken from the steps if there is none at the top', () => {
    const swap = quote('quote-swap');
    expect(swap.requestId).toBeUndefined();
    expect(QuoteV2.requestIdOf(swap)).toBe(swap.steps[0]?.requestId);
  });

  test('behavior: undefined if the quote has none', () => {
    expect(QuoteV2.requestIdOf({ ...bridge(), requestId: undefined, steps: [] })).toBeUndefined();
    expect(QuoteV2.requestIdOf({ requestId: null, steps: [{ requestId: null }, { requestId: '0x2' }] })).toBe('0x2');
  });
});

describe('recorded quotes', () => {
  test.each(recorded)('behavior: the parts of the impact add up: %s', (name) => {
    const { totalImpact, expandedPriceImpact, currencyIn, currencyOut } = quote(name).details;
    const { swap, execution, app } = expandedPriceImpact;
    const platform = FeeBreakdown.platform(expandedPriceImpact);
    const sum = usd(swap.usd) + usd(execution.usd) + usd(app?.usd) + usd(platform?.component.usd);
    expect(sum).toBe(usd(totalImpact.usd));
    expect(usd(totalImpact.usd)).toBe(usd(currencyOut.amountUsd) - usd(currencyIn.amountUsd));
  });

  test.each(recorded)('behavior: the relayer fee is gas and service, the minimum is 2%% below: %s', (name) => {
    const { fees, details } = quote(name);
    const amount = (part: { amount: string } | undefined) => BigInt(part?.amount ?? -1);
    expect(amount(fees?.relayer)).toBe(amount(fees?.relayerGas) + amount(fees?.relayerService));
    const out = amount(details.currencyOut);
    expect(BigInt(details.currencyOut.minimumAmount)).toBe((out * 98n + 99n) / 100n);
    expect(usd(details.swapImpact?.usd)).toBe(
      usd(details.totalImpact.usd) + usd(fees?.relayer?.amountUsd) + usd(fees?.app?.amountUsd),
    );
  });

  test('behavior: a bridge delivers the input less the relayer fee', () => {
    const { fees, details } = quote('quote-bridge');
    expect(BigInt(details.currencyOut.amount)).toBe(
      BigInt(details.currencyIn.amount) - BigInt(fees?.relayer?.amount ?? 0),
    );
  });

  test('behavior: the order matches the details', () => {
    for (const name of recorded) {
      const { details, protocol } = quote(name);
      const order = protocol?.v2?.orderData;
      if (!order) continue;
      expect(order.inputs[0]?.payment.amount).toBe(details.currencyIn.amount);
      expect(order.output.payments[0]?.minimumAmount).toBe(details.currencyOut.minimumAmount);
      expect(order.output.payments[0]?.recipient).toBe(details.recipient);
    }
  });

  test('behavior: a withdrawal’s memo is the order id', () => {
    const { steps, protocol } = quote('quote-venue-withdrawal');
    expect(steps[0]?.items[0]?.data).toMatchObject({ action: { parameters: { memo: protocol?.v2?.orderId } } });
  });
});

describePublished('published quotes', () => {
  test.each([
    'quote-deposit-address.json',
    'quote-sponsored.json',
    'quote-venue-deposit.json',
    'quote-venue-withdrawal.json',
  ])('default: %s', (name) => {
    const published = readPublished(name);
    const decoded = decode(QuoteV2.response, published);
    expect(decoded).toEqual(published);
    expect(FeeBreakdown.platform(decoded.details.expandedPriceImpact)).toBeDefined();
    expect(Decode.unknownFields(OrderData.schema, decoded.protocol?.v2?.orderData)).toEqual([]);
  });

  test.each(['quote-deposit-address', 'quote-sponsored', 'quote-venue-deposit', 'quote-venue-withdrawal'])(
    'behavior: the recorded quote has the shape of the published one: %s',
    (name) => {
      const published = Shape.from(readPublished(`${name}.json`));
      expect(Shape.differences(Shape.from(read(name)), published)).toEqual([]);
    },
  );
});

/** As sent over the wire: without undefined members. */
function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function withoutMetadata(amount: QuoteV2.Details['currencyIn']): object {
  return { ...amount, currency: { ...amount.currency, metadata: undefined } };
}

function essentials(details: QuoteV2.Details): object {
  const { sender, recipient, currencyIn, currencyOut, totalImpact, expandedPriceImpact } = details;
  return { sender, recipient, currencyIn, currencyOut, totalImpact, expandedPriceImpact };
}
