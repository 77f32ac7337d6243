import { describe, expect, test } from 'vitest';
import * as Expectation from '../../../src/core/proof/Expectation.js';
import * as Sponsorship from '../../../src/core/proof/Sponsorship.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import type * as QuoteAnswer from '../../../src/sandbox/quote/QuoteAnswer.js';
import * as market from '../../support/market.js';
import { altered, intent, quote } from '../../support/quoted.js';
import * as recorded from '../../support/recorded.js';

async function quoted(sponsor: string, more: { to?: string; maxSponsoredUsd?: string } = {}): Promise<Quote.Quote> {
  const { to = 'beta/usdc', maxSponsoredUsd } = more;
  return await quote(intent('100', 'alpha/usdc', to, { sponsor, maxSponsoredUsd, appFee: [`${market.other}:10`] }));
}

function verdicts(found: Quote.Quote): Record<string, string> {
  const findings = Sponsorship.check(found, Expectation.from(found.intent));
  return Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]));
}

const quotedAt = 'feeSponsorship.quoted';
const verified = {
  'sponsored-components': 'verified',
  'sponsored-amounts': 'verified',
  'sponsored-charge': 'verified',
};

describe('check', () => {
  test.each(['all', 'execution', 'platform,swap', 'app', 'execution,rent'])('default: %s', async (sponsor) => {
    expect(verdicts(await quoted(sponsor))).toEqual(verified);
  });

  test('behavior: up to a maximum', async () => {
    const found = await quoted('all', { maxSponsoredUsd: '0.05' });
    expect(verdicts(found)).toEqual({ ...verified, 'sponsored-maximum': 'verified' });
    expect(found.fees?.sponsored).toBe(50_000n);
  });

  test('behavior: the charge of a swap cannot be separated from its fees', async () => {
    expect(verdicts(await quoted('all', { to: 'beta/weth' }))).toEqual({
      ...verified,
      'sponsored-charge': 'not checked',
    });
  });

  test('behavior: no sponsorship is expected', async () => {
    const found = await quoted('all');
    expect(Sponsorship.check(found, {})).toEqual([]);
    const plain = { ...Expectation.from(found.intent), sponsorship: undefined };
    expect(Sponsorship.check(found, plain)).toEqual([]);
  });

  test('error: the answer has no sponsorship', async () => {
    expect(verdicts(altered(await quoted('all'), 'feeSponsorship', null))).toEqual({
      'sponsored-components': 'mismatch',
    });
  });

  test.each([
    ['other components are selected', `${quotedAt}.selectedComponents`, ['swap'], 'sponsored-components'],
    [
      'an extra component is selected',
      `${quotedAt}.selectedComponents`,
      ['execution', 'relay', 'swap'],
      'sponsored-components',
    ],
    ['a part is charged', `${quotedAt}.components.execution.sponsored.amount`, '0', 'sponsored-amounts'],
    [
      'a component that was not requested is sponsored',
      `${quotedAt}.components.swap.sponsored.amount`,
      '10000',
      'sponsored-amounts',
    ],
    ['a different total', `${quotedAt}.sponsoredTotal.amount`, '1', 'sponsored-amounts'],
    ['not a number', `${quotedAt}.userPaysTotal.amount`, 'none', 'sponsored-amounts'],
    ['the fees state a different sum', 'details.expandedPriceImpact.sponsored.usd', '0.500000', 'sponsored-amounts'],
    ['more than the maximum', 'details.expandedPriceImpact.sponsored.usd', '1.000001', 'sponsored-maximum'],
    ['the user is charged anyway', 'details.currencyOut.amount', '99800000', 'sponsored-charge'],
  ])('error: %s', async (_, path, value, check) => {
    const found = altered(await quoted('execution,platform', { maxSponsoredUsd: '1' }), path, value);
    expect(verdicts(found)[check]).toBe('mismatch');
  });

  test('behavior: an answer of the published shape', () => {
    const found = Quote.read(recorded.read('quote-sponsored') as QuoteAnswer.Response);
    const findings = Sponsorship.check(found, { sponsorship: { components: 'all', maxUsd: undefined } });
    expect(findings.map(({ check, verdict }) => [check, verdict])).toEqual([
      ['sponsored-components', 'verified'],
      ['sponsored-amounts', 'verified'],
      ['sponsored-charge', 'not checked'],
    ]);
  });
});
