/** A quote: its order, and the answer that states it. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import type * as OrderData from '../../../src/core/api/schema/OrderData.js';
import * as Usd from '../../../src/core/base/Usd.js';
import * as Sponsorship from '../../../src/sandbox/pricing/Sponsorship.js';
import * as OrderId from '../../../src/sandbox/quote/OrderId.js';
import * as Quote from '../../../src/sandbox/quote/Quote.js';
import type * as QuoteAnswer from '../../../src/sandbox/quote/QuoteAnswer.js';
import { sponsorshipOf } from '../../../src/sandbox/quote/QuoteAnswer.js';
import recorded from '../../core/order/order-ids.json' with { type: 'json' };
import * as fixture from '../../support/market.js';
import * as published from '../../support/published.js';
import * as Shape from '../../support/shape.js';

const bridge = fixture.request(100_000_000n, 'alpha/usdc', 'beta/usdc');

describe('Quote: from', () => {
  test('behavior: a permit is bound to its order', async () => {
    const { response, order } = await Quote.from({ ...bridge, usePermit: true }, fixture.input);
    expect(response.steps).toHaveLength(1);
    expect(response.fees?.gas?.amount).toBe('0');
    expect(order.permit).toEqual({
      from: fixture.user,
      to: fixture.alpha.contracts.approvalProxy,
      value: order.origin.amount,
      validBefore: 1_790_000_600n,
      nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const identity = { ...fixture.input.identity, salt: `0x${'ce'.repeat(32)}` as const };
    const other = await Quote.from({ ...bridge, usePermit: true }, { ...fixture.input, identity });
    expect(other.order.permit?.nonce).not.toBe(order.permit?.nonce);
  });

  test("behavior: the sponsor of a same-chain swap pays the fees, not the pool's loss", async () => {
    const asked = fixture.request(100_000_000n, 'alpha/usdc', 'alpha/usdt', { subsidizeFees: true });
    const { response, order } = await fixture.quote(asked, { client: { sponsorBalanceUsd: 1_000_000n } });
    expect(order.solverAmount).toBe(100_000_000n);
    expect(response.feeSponsorship?.quoted?.components.swap).toMatchObject({
      total: { amount: '11000' },
      sponsored: { amount: '0' },
      userPays: { amount: '11000' },
    });
  });
});

/** Random orders, with ids from an independent implementation; those between chains that the sandbox can have. */
const known = ['base', 'arbitrum', 'ethereum', 'lighter'];
const vectors = (recorded.orders as { name: string; orderData: OrderData.OrderData; orderId: string }[]).filter(
  ({ orderData: { inputs, output, fees } }) =>
    [
      ...inputs.flatMap(({ payment, refunds }) => [payment, ...refunds].map(({ chainId }) => chainId)),
      ...fees.flatMap(({ recipientChainId, currencyChainId }) => [recipientChainId, currencyChainId]),
      output.chainId,
    ].every((slug) => known.includes(slug)),
);

describe('OrderId: from', () => {
  test.each(vectors)('behavior: $name', ({ orderData, orderId }) => {
    expect(OrderId.from(orderData)).toBe(orderId);
  });
});

const eth = 10n ** 18n;
const usd = 10n ** 6n;
const client = { sponsorBalanceUsd: 10n ** 12n };

async function answer(
  amount: bigint,
  from: string,
  to: string,
  rest: Partial<QuoteV2.Request> = {},
): Promise<QuoteAnswer.Response> {
  return (await fixture.quote(fixture.request(amount, from, to, rest), { client })).response;
}

function feesOf(response: QuoteAnswer.Response): {
  amount(name: FeeName): bigint;
  usd(name: FeeName): bigint;
} {
  const fee = (name: FeeName) => {
    const found = response.fees?.[name];
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  return { amount: (name) => BigInt(fee(name).amount), usd: (name) => worth(fee(name).amountUsd) };
}

type FeeName = 'relayer' | 'relayerGas' | 'relayerService' | 'app';

function worth(text: string): bigint {
  const usd = Usd.from(text);
  if (usd === undefined) throw new Error(`${text} is not an amount`);
  return usd;
}

function impactOf(response: QuoteAnswer.Response): Record<string, bigint> {
  const impact = response.details.expandedPriceImpact as Record<string, { usd: string }>;
  return Object.fromEntries(Object.entries(impact).map(([word, { usd: text }]) => [word, worth(text)]));
}

describe('QuoteAnswer: from', () => {
  test('behavior: printed amounts add up exactly', async () => {
    const route = fc.constantFrom(
      ['alpha/usdc', 'beta/usdc', usd] as const,
      ['alpha/eth', 'beta/weth', eth / 2_500n] as const,
      ['alpha/gull', 'beta/usdt', 4n * eth] as const,
      ['alpha/dai', 'alpha/eth', eth] as const,
      ['alpha/eth', 'lighter/usdc', eth / 500n] as const,
      ['lighter/usdc', 'beta/eth', 5n * usd] as const,
    );
    const options = fc.constantFrom<Partial<QuoteV2.Request>>(
      {},
      { appFees: [{ recipient: fixture.other, fee: '17' }] },
      { subsidizeFees: true },
      { tradeType: 'EXACT_OUTPUT' },
    );
    await fc.assert(
      fc.asyncProperty(route, options, fc.integer({ min: 1, max: 50_000 }), async ([from, to, unit], rest, size) => {
        const exact = rest.tradeType === 'EXACT_OUTPUT';
        const wanted = fixture.side(to).token.decimals === 6 ? usd : eth / 2_500n;
        const response = await answer((exact ? wanted : unit) * BigInt(size), from, to, rest);
        const { details } = response;
        const { amount, usd: feeUsd } = feesOf(response);
        expect(amount('relayer')).toBe(amount('relayerGas') + amount('relayerService'));
        expect(feeUsd('relayer')).toBe(feeUsd('relayerGas') + feeUsd('relayerService'));
        const total = worth(details.totalImpact.usd);
        expect(total).toBe(worth(details.currencyOut.amountUsd) - worth(details.currencyIn.amountUsd));
        expect(Object.values(impactOf(response)).reduce((sum, part) => sum + part, 0n)).toBe(total);
        expect(worth(details.swapImpact?.usd ?? '')).toBe(total + feeUsd('relayer') + feeUsd('app'));
        expect(impactOf(response).execution).toBe(-(20_000n + feeUsd('relayerGas')));
      }),
      { numRuns: 60 },
    );
  });
});

published.describePublished('QuoteAnswer: from, beside what is published', () => {
  test.each([
    ['quote-sponsored.json', { subsidizeFees: true }],
    ['quote-deposit-address.json', {}],
  ])('behavior: every key and type of %s', async (name, rest) => {
    const response = await answer(100n * usd, 'alpha/usdc', 'beta/usdt', rest);
    expect(Shape.differences(Shape.from(response), Shape.from(published.read(name)))).toEqual([]);
  });

  test.each([
    ['quote-venue-deposit.json', eth, 'alpha/eth', 'lighter/usdc'],
    ['quote-venue-withdrawal.json', 10n * usd, 'lighter/usdc', 'beta/eth'],
  ])('behavior: every key and type of %s, both ways', async (name, amount, from, to) => {
    const response = await answer(amount, from, to);
    const [ours, theirs] = [Shape.from(response), Shape.from(published.read(name))];
    expect(Shape.differences(ours, theirs)).toEqual([]);
    // Additional documented fields: request id, hub type, total slippage.
    const more = Shape.differences(theirs, ours).map(({ path }) => path.replace(/^.*\./, ''));
    expect([...new Set(more)].sort()).toEqual(['hubType', 'isNative', 'requestId', 'total']);
  });
});

const side = fixture.evmSide('alpha/usdc');
const totals: Sponsorship.Totals = {
  execution: { total: 22_944n, payable: 22_944n },
  swap: { total: 39_502n, payable: 39_502n },
  platform: { total: 9_999n, payable: 9_999n },
  app: { total: 0n, payable: 0n },
};

describe('sponsorshipOf', () => {
  test('behavior: what the swap costs more by the amount of the sponsor is left to the user', () => {
    const terms = Sponsorship.terms(fixture.request(1n, 'alpha/usdc', 'beta/usdt', { subsidizeFees: true }), {
      hasKey: true,
      isBridge: false,
    });
    if (!terms) throw new Error('nothing is asked');
    const sponsored = Sponsorship.from(terms, totals, side.token);
    const phase = sponsorshipOf(side, sponsored, { swap: { usd: -40_000n, amount: 40_000n } });
    expect(phase.components.swap).toMatchObject({
      total: { amount: '40000' },
      sponsored: { amount: '39502' },
      userPays: { amount: '498' },
    });
    expect(phase.userPaysTotal).toMatchObject({ amount: '498' });
  });
});
