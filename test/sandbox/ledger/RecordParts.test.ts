import { describe, expect, test } from 'vitest';
import * as FeeSponsorship from '../../../src/core/api/schema/FeeSponsorship.js';
import * as RecordParts from '../../../src/sandbox/ledger/RecordParts.js';
import type { Fees } from '../../../src/sandbox/pricing/Fees.js';
import { add, deposited, filled, ledgerAt, refunded, transaction } from '../../support/entries.js';
import * as market from '../../support/market.js';

const formatAmount = (amount: bigint) => ({ amount: amount.toString(), amountFormatted: '', amountUsd: '' });

/** A bridge of 100 USDC with an app fee; gas was cheaper than quoted. */
const fees: Fees = {
  execution: { usd: -20_200n, amount: 20_200n },
  swap: { usd: -10_000n, amount: 10_000n },
  platform: { usd: 0n, amount: 0n },
  app: { usd: -250_000n, amount: 250_000n },
  sponsored: { usd: 20_200n, amount: 20_200n },
};

async function quoted(sponsoredFeeComponents?: string[]): Promise<FeeSponsorship.Phase> {
  const asked = market.request(100_000_000n, 'alpha/usdc', 'beta/usdc', {
    subsidizeFees: true,
    ...(sponsoredFeeComponents && { sponsoredFeeComponents }),
    appFees: [{ recipient: market.other, fee: '25' }],
  });
  const { response } = await market.quote(asked, { client: { sponsorBalanceUsd: 10n ** 12n } });
  if (!response.feeSponsorship?.quoted) throw new Error('the quote is not sponsored');
  return response.feeSponsorship.quoted;
}

describe('amountOf', () => {
  test('default', () => {
    expect(RecordParts.amountOf(40_000_000_000_000_000n, market.token(market.alpha, 'WETH'))).toEqual({
      amount: '40000000000000000',
      amountFormatted: '0.04',
      amountUsd: '100.000000',
    });
  });
});

describe('rateOf', () => {
  test.each([
    ['alpha/usdc', 'beta/weth', 100_000_000n, 39_000_000_000_000_000n, '0.00039'],
    ['alpha/weth', 'beta/usdc', 10n ** 18n, 2_499_000_000n, '2499'],
    ['alpha/usdc', 'beta/usdt', 3_000_000n, 1_000_000n, '0.333333333333333333'],
  ])('default: %s to %s', async (from, to, amount, delivered, rate) => {
    const ledger = ledgerAt(0);
    const entry = await add(ledger, { from, to, amount });
    expect(RecordParts.rateOf(entry)).toBe(entry.quote.details.rate);
    const done = ledger.update(entry.order.requestId, filled(entry, delivered));
    expect(RecordParts.rateOf(done)).toBe(rate);
  });
});

describe('currencyOut', () => {
  test('default: the quoted amount until delivery', async () => {
    const ledger = ledgerAt(0);
    const entry = await add(ledger);
    expect(RecordParts.currencyOut(entry)).toEqual(entry.quote.details.currencyOut);
    const done = ledger.update(entry.order.requestId, filled(entry, 98_000_000n));
    expect(RecordParts.currencyOut(done)).toMatchObject({ amount: '98000000', amountFormatted: '98.0' });
  });
});

describe('protocol', () => {
  test('default: the payments that settled it', async () => {
    const ledger = ledgerAt(0);
    const entry = await add(ledger);
    const { requestId, protocol } = entry.order;
    ledger.update(requestId, deposited(entry));
    const done = ledger.update(requestId, filled(entry, 1n));
    expect(RecordParts.protocol(done)).toMatchObject({
      orderId: protocol?.orderId,
      hubType: 'onchain',
      solver: { address: market.solver.toLowerCase(), protocolChainId: 'alpha' },
      settlement: { destination: { fills: [{ chainId: 313372, transactionId: `0x${'b'.repeat(64)}` }] } },
    });
    const back = ledger.update(requestId, { ...refunded(entry, 1n), outTxs: [] });
    expect(RecordParts.protocol(back)?.settlement?.destination?.refunds).toHaveLength(1);
    expect(RecordParts.outTxs(back)).toEqual([transaction('c')]);
  });
});

describe('sponsorship', () => {
  test('default: the platform component under the given name', async () => {
    const entry = await add(ledgerAt(0), { request: { subsidizeFees: true }, hasKey: true });
    expect(Object.keys(RecordParts.sponsorship(entry, 'platform')?.quoted?.components ?? {})).toContain('platform');
    expect(Object.keys(RecordParts.sponsorship(entry, 'relay')?.quoted?.components ?? {})).not.toContain('platform');
    expect(RecordParts.sponsorship(entry, 'relay')).not.toHaveProperty('actual');
  });

  test('behavior: null without a sponsor', async () => {
    expect(RecordParts.sponsorship(await add(ledgerAt(0)), 'platform')).toBeNull();
  });
});

describe('actualSponsorship', () => {
  test('default: the sponsor pays the actual gas, the user the rest', async () => {
    const phase = RecordParts.actualSponsorship(await quoted(['execution']), {
      fees,
      platformName: 'relay',
      formatAmount,
    });
    expect(FeeSponsorship.phase.parse(phase)).toEqual(phase);
    expect(phase).toMatchObject({
      selectedComponents: ['execution'],
      components: {
        execution: { selected: true, total: { amount: '20200' }, sponsored: { amount: '20200' } },
        swap: { selected: false, sponsored: { amount: '0' }, userPays: { amount: '10000' } },
        app: { selected: false, userPays: { amount: '250000' } },
      },
      sponsoredTotal: { amount: '20200' },
      userPaysTotal: { amount: '260000' },
    });
  });

  test('behavior: everything sponsored', async () => {
    const all = { ...fees, sponsored: { usd: 280_200n, amount: 280_200n } };
    const phase = RecordParts.actualSponsorship(await quoted(), { fees: all, platformName: 'relay', formatAmount });
    expect(Object.values(phase.components).map(({ userPays }) => userPays.amount)).toEqual(['0', '0', '0', '0', '0']);
    expect(phase).toMatchObject({
      components: { execution: { sponsored: { amount: '20200' } } },
      ...{ sponsoredTotal: { amount: '280200' }, userPaysTotal: { amount: '0' } },
    });
  });

  test('behavior: gas sponsored outside the quote', () => {
    const call = { ...fees, sponsored: { usd: 200n, amount: 200n } };
    expect(
      RecordParts.actualSponsorship(undefined, { fees: call, platformName: 'platform', formatAmount }),
    ).toMatchObject({
      selectedComponents: ['execution'],
      components: { execution: { sponsored: { amount: '200' }, userPays: { amount: '20000' } } },
      userPaysTotal: { amount: '280000' },
    });
  });

  test('behavior: a gain in the pools is charged to nobody', async () => {
    const gained = { ...fees, swap: { usd: 5n, amount: 5n } };
    const phase = RecordParts.actualSponsorship(await quoted(['execution']), {
      fees: gained,
      platformName: 'relay',
      formatAmount,
    });
    expect(phase.components.swap).toMatchObject({ total: { amount: '0' }, userPays: { amount: '0' } });
  });
});
