import { describe, expect, test } from 'vitest';
import * as FeeSponsorship from '../../../src/core/api/schema/FeeSponsorship.js';
import * as ActualSponsorship from '../../../src/sandbox/ledger/ActualSponsorship.js';
import type { Fees } from '../../../src/sandbox/pricing/Fees.js';
import * as fixture from '../../support/market.js';

const token = fixture.token(fixture.alpha, 'USDC');
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
  const asked = fixture.request(100_000_000n, 'alpha/usdc', 'beta/usdc', {
    subsidizeFees: true,
    ...(sponsoredFeeComponents && { sponsoredFeeComponents }),
    appFees: [{ recipient: fixture.other, fee: '25' }],
  });
  const { response } = await fixture.quote(asked, { client: { sponsorBalanceUsd: 10n ** 12n } });
  if (!response.feeSponsorship?.quoted) throw new Error('the quote is not sponsored');
  return response.feeSponsorship.quoted;
}

describe('from', () => {
  test('default: the sponsor pays the actual gas, the user the rest', async () => {
    const phase = ActualSponsorship.from(await quoted(['execution']), {
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
    const phase = ActualSponsorship.from(await quoted(), { fees: all, platformName: 'relay', formatAmount });
    expect(Object.values(phase.components).map(({ userPays }) => userPays.amount)).toEqual(['0', '0', '0', '0', '0']);
    expect(phase).toMatchObject({ sponsoredTotal: { amount: '280200' }, userPaysTotal: { amount: '0' } });
  });

  test('behavior: gas sponsored outside the quote', () => {
    const call = { ...fees, sponsored: { usd: 200n, amount: 200n } };
    expect(ActualSponsorship.from(undefined, { fees: call, platformName: 'platform', formatAmount })).toMatchObject({
      selectedComponents: ['execution'],
      components: { execution: { sponsored: { amount: '200' }, userPays: { amount: '20000' } } },
      userPaysTotal: { amount: '280000' },
    });
  });

  test('behavior: a gain in the pools is charged to nobody', async () => {
    const gained = { ...fees, swap: { usd: 5n, amount: 5n } };
    const phase = ActualSponsorship.from(await quoted(['execution']), {
      fees: gained,
      platformName: 'relay',
      formatAmount,
    });
    expect(phase.components.swap).toMatchObject({ total: { amount: '0' }, userPays: { amount: '0' } });
  });
});

describe('payment', () => {
  test('default: its share of the fees plus the value of a call', () => {
    expect(ActualSponsorship.payment(fees, 0n, token)).toBe(20_200n);
    expect(ActualSponsorship.payment(fees, 1_000_000n, token)).toBe(1_020_200n);
  });
});
