import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as FeeSponsorship from '../../../src/core/api/schema/FeeSponsorship.js';
import * as Usd from '../../../src/core/base/Usd.js';
import * as Sponsorship from '../../../src/sandbox/pricing/Sponsorship.js';
import { sponsorshipOf } from '../../../src/sandbox/quote/QuoteAnswer.js';
import * as fixture from '../../support/market.js';
import * as published from '../../support/published.js';
import * as Shape from '../../support/shape.js';

const eth = 10n ** 18n;
const usd = 10n ** 6n;
const client = { sponsorBalanceUsd: 10n ** 12n };

async function answer(
  amount: bigint,
  from: string,
  to: string,
  rest: Partial<QuoteV2.Request> = {},
): Promise<QuoteV2.Response> {
  return (await fixture.quote(fixture.request(amount, from, to, rest), { client })).response;
}

function feesOf(response: QuoteV2.Response): {
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

function impactOf(response: QuoteV2.Response): Record<string, bigint> {
  const impact = response.details.expandedPriceImpact as Record<string, { usd: string }>;
  return Object.fromEntries(Object.entries(impact).map(([word, { usd: text }]) => [word, worth(text)]));
}

describe('from', () => {
  test('default', async () => {
    const response = await answer(25n * usd, 'alpha/usdc', 'beta/usdc', {
      appFees: [{ recipient: fixture.other, fee: '30' }],
    });
    expect(QuoteV2.response.parse(response)).toEqual(response);
    const { fees, details, protocol } = response;
    expect(fees).toMatchObject({
      gas: { currency: { symbol: 'ETH', chainId: 313371 }, amount: '217500000000', amountUsd: '0.000544' },
      relayer: { currency: { symbol: 'USDC' }, amount: '22825', amountFormatted: '0.022825', amountUsd: '0.022825' },
      relayerGas: { amount: '325', amountUsd: '0.000325' },
      relayerService: { amount: '22500', amountUsd: '0.022500' },
      app: { amount: '75000', amountUsd: '0.075000' },
      subsidized: { amount: '0', amountFormatted: '0.0', amountUsd: '0' },
    });
    expect(details).toMatchObject({
      operation: 'swap',
      sender: fixture.user,
      recipient: fixture.user,
      currencyIn: { amount: '25000000', amountFormatted: '25.0', amountUsd: '25.000000', minimumAmount: '25000000' },
      currencyOut: { amount: '24902175', amountFormatted: '24.902175', minimumAmount: '24404132' },
      refundCurrency: { currency: { chainId: 313371 }, amount: '25000000' },
      totalImpact: { usd: '-0.097825', percent: '-0.39' },
      swapImpact: { usd: '0.000000', percent: '0.00' },
      expandedPriceImpact: {
        swap: { usd: '-0.002500' },
        execution: { usd: '-0.020325' },
        relay: { usd: '0' },
        app: { usd: '-0.075000' },
        sponsored: { usd: '0' },
      },
      rate: '0.996087',
      slippageTolerance: {
        total: '200',
        origin: { usd: '0.000000', value: '0', percent: '0.00' },
        destination: { usd: '0.498043', value: '498043', percent: '2.00' },
      },
      timeEstimate: 2,
      userBalance: '0',
      isFixedRate: false,
    });
    expect(response).not.toHaveProperty('feeSponsorship');
    expect(protocol?.v2).toMatchObject({
      hubType: 'onchain',
      paymentDetails: { chainId: 'alpha', depository: fixture.alpha.contracts.depository, amount: '25000000' },
    });
  });

  test('behavior: the route shows on which chain the currency changes', async () => {
    const symbols = (leg: { inputCurrency: unknown; outputCurrency: unknown } | null | undefined) =>
      [leg?.inputCurrency, leg?.outputCurrency].map((side) => {
        const { currency } = side as QuoteV2.Details['currencyIn'];
        return `${currency.chainId}/${currency.symbol}`;
      });
    const across = (await answer(eth, 'alpha/eth', 'beta/usdc')).details.route;
    expect(symbols(across?.origin)).toEqual(['313371/ETH', '313371/ETH']);
    expect(symbols(across?.destination)).toEqual(['313372/ETH', '313372/USDC']);
    const within = (await answer(eth, 'alpha/eth', 'alpha/usdc')).details.route;
    expect(symbols(within?.origin)).toEqual(['313371/ETH', '313371/USDC']);
    expect(symbols(within?.destination)).toEqual(['313371/USDC', '313371/USDC']);
  });

  test('behavior: an exact output has no slippage', async () => {
    const { details } = await answer(100n * usd, 'alpha/eth', 'beta/usdc', { tradeType: 'EXACT_OUTPUT' });
    expect(details.currencyOut).toMatchObject({ amount: '100000000', minimumAmount: '100000000' });
    expect(details.slippageTolerance?.destination).toEqual({ usd: '0.000000', value: '0', percent: '0.00' });
  });

  test('behavior: the venue', async () => {
    const withdrawal = await answer(10n * usd, 'lighter/usdc', 'beta/eth', { refundTo: '100' });
    expect(QuoteV2.response.parse(withdrawal)).toEqual(withdrawal);
    expect(withdrawal.fees?.gas).toMatchObject({ currency: { chainId: 3586256, address: '0' }, amount: '3000000' });
    const deposit = await answer(eth, 'alpha/eth', 'lighter/usdc', { recipient: '106' });
    expect(QuoteV2.response.parse(deposit)).toEqual(deposit);
    const inOut = {
      inputCurrency: { currency: { chainId: 3586256 } },
      outputCurrency: { currency: { chainId: 3586256 } },
    };
    expect(deposit.details).toMatchObject({ recipient: '106', route: { destination: inOut } });
    expect(deposit.fees?.relayerGas?.amount).toBe('0');
    expect(impactOf(deposit).execution).toBe(-20_000n);
    expect(impactOf(deposit).swap).toBeLessThan(-1_000_000n);
  });

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

published.describePublished('from, beside what is published', () => {
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

function sponsorship(options: Parameters<typeof fixture.request>[3]): FeeSponsorship.Phase {
  const request = fixture.request(1n, 'alpha/usdc', 'beta/usdt', { subsidizeFees: true, ...options });
  const terms = Sponsorship.terms(request, { hasKey: true, isBridge: false });
  if (!terms) throw new Error('nothing is asked');
  const swap = { usd: -39_502n, amount: 39_502n };
  return sponsorshipOf(side, Sponsorship.from(terms, totals, side.token), { swap });
}

describe('sponsorshipOf', () => {
  test('default', () => {
    const phase = sponsorship({});
    expect(FeeSponsorship.phase.parse(phase)).toEqual(phase);
    expect(phase.selectedComponents).toEqual(['execution', 'swap', 'relay', 'app']);
    expect(phase.capHit).toBe(false);
    expect(phase.sponsoredTotal).toMatchObject({ amount: '72445', amountFormatted: '0.072445', amountUsd: '0.072445' });
    expect(phase.userPaysTotal).toMatchObject({ amount: '0', amountFormatted: '0.0', amountUsd: '0.000000' });
    expect(phase.components.relay).toMatchObject({
      selected: true,
      total: { amount: '9999' },
      sponsored: { amount: '9999' },
      userPays: { amount: '0' },
    });
    expect(phase.components.rent).toMatchObject({ selected: false, total: { amount: '0' } });
    expect(phase).not.toHaveProperty('maxSubsidizationAmount');
    expect(phase).not.toHaveProperty('subsidizationBps');
  });

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

  test('behavior: echoes the request', () => {
    const phase = sponsorship({
      sponsoredFeeComponents: ['execution', 'rent'],
      subsidizationBps: 5_000,
      maxSubsidizationAmount: '10000',
    });
    expect(phase).toMatchObject({
      selectedComponents: ['execution', 'rent'],
      maxSubsidizationAmount: '10000',
      subsidizationBps: 5_000,
      capHit: true,
      sponsoredTotal: { amount: '10000' },
      userPaysTotal: { amount: '62445' },
    });
    expect(phase.components.swap?.selected).toBe(false);
  });
});
