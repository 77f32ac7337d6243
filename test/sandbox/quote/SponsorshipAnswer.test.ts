import { describe, expect, test } from 'vitest';
import * as FeeSponsorship from '../../../src/core/api/schema/FeeSponsorship.js';
import * as Sponsorship from '../../../src/sandbox/pricing/Sponsorship.js';
import { sponsorshipOf } from '../../../src/sandbox/quote/QuoteAnswer.js';
import * as fixture from '../../support/market.js';

const side = fixture.evmSide('alpha/usdc');
const totals: Sponsorship.Totals = {
  execution: { total: 22_944n, payable: 22_944n },
  swap: { total: 39_502n, payable: 39_502n },
  platform: { total: 9_999n, payable: 9_999n },
  app: { total: 0n, payable: 0n },
};

function answer(options: Parameters<typeof fixture.request>[3]): FeeSponsorship.Phase {
  const request = fixture.request(1n, 'alpha/usdc', 'beta/usdt', { subsidizeFees: true, ...options });
  const terms = Sponsorship.terms(request, { hasKey: true, isBridge: false });
  if (!terms) throw new Error('nothing is asked');
  const swap = { usd: -39_502n, amount: 39_502n };
  return sponsorshipOf(side, Sponsorship.from(terms, totals, side.token), { swap });
}

describe('from', () => {
  test('default', () => {
    const phase = answer({});
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
    const phase = answer({
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
