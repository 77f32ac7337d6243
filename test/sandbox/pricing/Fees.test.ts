import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as Fees from '../../../src/sandbox/pricing/Fees.js';
import * as Pricing from '../../../src/sandbox/pricing/Pricing.js';
import * as QuoteTerms from '../../../src/sandbox/pricing/QuoteTerms.js';
import * as fixture from '../../support/market.js';

const eth = 10n ** 18n;
const usd = 10n ** 6n;

function priced(request: QuoteV2.Request): { fees: Fees.Fees; transfer: Fees.Transfer } {
  const terms = QuoteTerms.from(request, fixture.market, { sponsorBalanceUsd: 10n ** 12n });
  const pricing = Pricing.from(terms);
  const transfer = {
    currency: terms.payment.token,
    input: { token: terms.origin.token, amount: pricing.input },
    output: { token: terms.destination.token, amount: pricing.output },
  };
  return { fees: Fees.from(terms, pricing), transfer };
}

function sum(fees: Fees.Fees): bigint {
  return Object.values(fees).reduce((total, fee) => total + fee.usd, 0n);
}

describe('from', () => {
  test('default', () => {
    const { fees } = priced(fixture.request(eth, 'alpha/eth', 'beta/usdc'));
    expect(fees).toEqual({
      execution: { usd: -21_800n, amount: 8_720_000_000_000n },
      // One basis point for rebalancing, five for the pool, plus price impact.
      swap: { usd: -2_745_473n, amount: 1_098_189_200_000_000n },
      platform: { usd: -1_500_000n, amount: 600_000_000_000_000n },
      app: { usd: 0n, amount: 0n },
      sponsored: { usd: 0n, amount: 0n },
    });
  });

  test('behavior: none for a wrap', () => {
    const { fees } = priced(fixture.request(eth, 'alpha/eth', 'alpha/weth'));
    expect(Object.values(fees)).toEqual(Array.from({ length: 5 }, () => ({ usd: 0n, amount: 0n })));
  });

  test('behavior: the components sum to the loss of the transfer', () => {
    const route = fc.constantFrom(
      ['alpha/usdc', 'beta/usdc', usd] as const,
      ['alpha/usdt', 'beta/gull', usd] as const,
      ['alpha/eth', 'alpha/dai', eth / 2_500n] as const,
      ['alpha/gull', 'beta/eth', 4n * eth] as const,
    );
    const options = fc.constantFrom<Partial<QuoteV2.Request>>(
      {},
      { appFees: [{ recipient: fixture.other, fee: '25' }] },
      { subsidizeFees: true },
      { subsidizeFees: true, sponsoredFeeComponents: ['execution', 'relay'], maxSubsidizationAmount: '30000' },
    );
    fc.assert(
      fc.property(route, options, fc.integer({ min: 1, max: 100_000 }), ([from, to, unit], rest, size) => {
        const { fees, transfer } = priced(fixture.request(unit * BigInt(size), from, to, rest));
        expect(sum(fees)).toBe(Fees.totalUsd(transfer));
      }),
    );
  });

  test('behavior: with full sponsorship the user loses nothing', () => {
    const { fees, transfer } = priced(fixture.request(100n * usd, 'alpha/usdc', 'beta/usdt', { subsidizeFees: true }));
    expect(fees.sponsored.usd).toBe(52_595n);
    expect(Fees.totalUsd(transfer)).toBe(-7n);
  });
});

describe('withOutput', () => {
  test('default', () => {
    const { fees, transfer } = priced(fixture.request(eth, 'alpha/eth', 'beta/usdc'));
    const more = { ...transfer, output: { ...transfer.output, amount: transfer.output.amount + 3n * usd } };
    const actual = Fees.withOutput(fees, more);
    expect(actual.swap).toEqual({ usd: 254_527n, amount: 101_810_800_000_000n });
    expect(sum(actual)).toBe(Fees.totalUsd(more));
  });
});
