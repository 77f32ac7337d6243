import { describe, expect, test } from 'vitest';
import * as Expectation from '../../../../src/core/proof/Expectation.js';
import * as QuoteDetails from '../../../../src/core/proof/QuoteDetails.js';
import * as market from '../../../support/market.js';
import { altered, intent, quote } from '../../../support/quoted.js';

const app = 'details.expandedPriceImpact.app.usd';

async function quoted(...appFee: string[]) {
  return await quote(intent('100', 'alpha/usdc', 'beta/weth', { appFee }));
}

describe('appFees', () => {
  test('default: the sum of the requested fees', async () => {
    const found = await quoted(`${market.other}:30`, `${market.solver}:7`);
    expect(QuoteDetails.appFees(found, Expectation.from(found.intent))).toEqual([
      {
        check: 'app-fees',
        subject: undefined,
        verdict: 'verified',
        expected: 'at most 37 basis points of $100.00',
        found: '$0.3700',
      },
    ]);
  });

  test('behavior: no finding if none is requested and none is taken', async () => {
    const found = await quoted();
    expect(QuoteDetails.appFees(found, Expectation.from(found.intent))).toEqual([]);
    expect(QuoteDetails.appFees(await quoted(`${market.other}:30`), {})).toEqual([]);
  });

  test.each([
    [[`${'0x70997970C51812dc3A010C7d01b50e0d17dc79C8'}:30`], '-0.300003'],
    [[], '-0.000001'],
  ])('error: with %o, %s is taken', async (appFee, usd) => {
    const found = altered(await quoted(...appFee), app, usd);
    expect(QuoteDetails.appFees(found, Expectation.from(found.intent))).toMatchObject([{ verdict: 'mismatch' }]);
  });
});
