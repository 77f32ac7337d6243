import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as PriceCheck from '../../../../src/core/proof/price/PriceCheck.js';
import type { Valuation } from '../../../../src/core/proof/price/QuoteValue.js';
import { altered, intent, quote } from '../../../support/quoted.js';

const asked = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
const whole: Valuation = { input: 100_000_000n, output: 99_000_000n, isUsd: true, source: 'a feed' };

function check(facts: Partial<PriceCheck.Facts>, answer = asked) {
  return PriceCheck.check(answer, {
    tradeType: 'EXACT_INPUT',
    caps: { maxImpactBps: 500 },
    valuation: whole,
    ...facts,
  })[0];
}

describe('check', () => {
  test('default: what another witness shows, with the evidence in basis points', () => {
    expect(check({})).toEqual({
      check: 'price',
      subject: undefined,
      verdict: 'verified',
      expected: 'at most 500 bps lost',
      found: '$100.00 in, $99.00 out: 100 bps lost, by a feed',
      witnesses: ['the service', 'a feed'],
    });
  });

  test('error: a loss that the service hides', () => {
    const robbed = { ...whole, output: 100n };
    expect(check({ valuation: robbed })).toMatchObject({
      verdict: 'mismatch',
      found: '$100.00 in, $0.0001 out: 10000 bps lost, by a feed',
    });
  });

  test('behavior: a loss beyond the limit that the service states is for the limit to refuse', () => {
    const honest = altered(asked, 'details.totalImpact.usd', '-10.000000');
    expect(check({ valuation: { ...whole, output: 90_000_000n } }, honest)).toMatchObject({ verdict: 'verified' });
  });

  const unknown = { why: 'ferry knows no price of KELP' };

  test('behavior: the service alone is one witness', () => {
    expect(check({ valuation: unknown })).toMatchObject({ verdict: 'cannot verify', witnesses: ['the service'] });
  });

  test.each([
    ['EXACT_INPUT', { minOut: asked.minimum }, 'verified'],
    // The expected output is more than the least that is bound.
    ['EXACT_INPUT', { minOut: asked.minimum + 1n }, 'cannot verify'],
    ['EXACT_INPUT', { maxIn: 10n ** 9n }, 'cannot verify'],
    ['EXACT_OUTPUT', { maxIn: 10n ** 9n }, 'verified'],
    ['EXPECTED_OUTPUT', { maxIn: 10n ** 9n }, 'verified'],
    ['EXACT_OUTPUT', { minOut: 1n }, 'cannot verify'],
    ['EXACT_OUTPUT', { maxIn: 1n }, 'cannot verify'],
  ] as const)('behavior: the user’s own limit is a witness: %s, case %#', (tradeType, limits, verdict) => {
    const found = check({ valuation: unknown, tradeType, caps: { maxImpactBps: 500, ...limits } });
    expect(found).toMatchObject({ verdict });
  });

  test('error: a feed is believed before a limit of the user that is too low', () => {
    const caps = { maxImpactBps: 500, minOut: 1n };
    expect(check({ valuation: { ...whole, output: 1n }, caps })).toMatchObject({ verdict: 'mismatch' });
  });

  test('error: a quote without any price has no witness', () => {
    const mute = { ...asked, inputUsd: undefined };
    expect(check({ valuation: unknown }, mute)).not.toHaveProperty('witnesses');
  });
});

describe('offline', () => {
  test('default: what needs a feed is not checked yet', () => {
    const facts = { caps: { maxImpactBps: 500 }, valuation: { why: 'no price feed was read' } };
    expect(PriceCheck.offline(asked, facts)).toMatchObject([{ check: 'price', verdict: 'not checked' }]);
  });

  test('behavior: the amounts alone can show it', () => {
    const facts = { caps: { maxImpactBps: 500 }, valuation: whole };
    expect(PriceCheck.offline(asked, facts)).toMatchObject([{ check: 'price', verdict: 'verified' }]);
  });
});

test('lossBps: never less than what is lost, never a whole basis point more', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.bigInt({ min: 0n, max: 10n ** 30n }), (input, output) => {
      const lost = PriceCheck.lossBps({ input, output, isUsd: true, source: '' });
      expect(lost * input >= (input - output) * 10_000n).toBe(true);
      expect((lost - 1n) * input < (input - output) * 10_000n).toBe(true);
    }),
  );
});
