import { describe, expect, test } from 'vitest';
import type * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import * as Step from '../../../src/core/api/schema/Step.js';
import * as Tampering from '../../../src/sandbox/quote/Tampering.js';
import { orderId } from '../../support/liar.js';
import * as market from '../../support/market.js';
import { read } from '../../support/recorded.js';

const { response: bridge } = await market.quote(market.request(100_000_000n, 'alpha/usdc', 'beta/usdc'));
const { response: native } = await market.quote(market.request(10n ** 18n, 'alpha/eth', 'beta/eth'));
const { response: swap } = await market.quote(market.request(100_000_000n, 'alpha/usdc', 'alpha/gull'));
const { response: swapped } = await market.quote(
  market.request(10n ** 21n, 'alpha/gull', 'beta/usdc', { includeProtocolData: true }),
);
const { response: deposit } = await market.quote(market.request(100_000_000n, 'alpha/usdc', 'lighter/usdc'));
const { response: withdrawal } = await market.quote(market.request(100_000_000n, 'lighter/usdc', 'beta/usdc'));
const permit = read('quote-permit-eip3009') as QuoteV2.Response;
const answers = { bridge, native, swap, swapped, permit, deposit, withdrawal };

/** Recipes for the venue only. */
const ofTransfer = ['larger-fee', 'other-asset', 'other-route', 'request-id-memo'] as const;

/** Recipes for the router's calls, with an order and without. */
const ofRouter = [
  'extra-router-call',
  'swap-receiver',
  'swap-minimum',
  'router-refund',
  'router-metadata',
  'router-suffix',
] as const;
const ofOrder = ['wrong-depositor', 'router-depository', 'wrong-signature'] as const;

/** Recipes without effect on a kind of quote. */
const idle: Readonly<Record<keyof typeof answers, readonly Tampering.Recipe[]>> = {
  bridge: ['router-theft', 'other-typed-data', 'router-depository', 'wrong-signature', ...ofRouter, ...ofTransfer],
  swapped: ['router-theft', 'other-typed-data', ...ofTransfer],
  native: [
    'unlimited-approval',
    'another-spender',
    'router-theft',
    'other-typed-data',
    'router-depository',
    'wrong-signature',
    ...ofRouter,
    ...ofTransfer,
  ],
  deposit: ['router-theft', 'other-typed-data', 'router-depository', 'wrong-signature', ...ofRouter, ...ofTransfer],
  withdrawal: [
    'unlimited-approval',
    'another-spender',
    'router-theft',
    'trailing-bytes',
    'deposit-address',
    'other-typed-data',
    ...ofRouter,
    ...ofOrder,
  ],
  swap: [
    'other-typed-data',
    'wrong-refund',
    'wrong-deposit-id',
    'order-calls',
    'other-solver',
    'expired-order',
    ...ofOrder,
    ...ofTransfer,
  ],
  permit: [
    'wrong-depository',
    'unlimited-approval',
    'another-spender',
    'router-theft',
    'trailing-bytes',
    'deposit-address',
    'wrong-deposit-id',
    ...ofRouter,
    ...ofOrder,
    ...ofTransfer,
  ],
};

describe('from', () => {
  const all = Object.entries(answers).flatMap(([name, answer]) =>
    Tampering.recipes.flatMap((recipe) => [false, true].map((consistent) => ({ name, answer, recipe, consistent }))),
  );

  test.each(all)(
    'default: $recipe on the $name quote, consistent: $consistent',
    ({ name, answer, recipe, consistent }) => {
      const before = structuredClone(answer);
      const tampered = Tampering.from(answer, recipe, { consistent }) as QuoteV2.Response;
      expect(answer).toEqual(before);
      // Without payment details there is nothing to adjust.
      const isIdle = idle[name as keyof typeof answers].includes(recipe);
      if (isIdle) expect(tampered).toEqual(answer);
      else expect(tampered).not.toEqual(answer);
    },
  );

  test.each(Tampering.recipes)(
    'behavior: a consistent %s has the id of its own order, including in its deposit',
    (recipe) => {
      const { protocol, steps } = Tampering.from(bridge, recipe, { consistent: true }) as QuoteV2.Response;
      const own = orderId(protocol?.v2?.orderData) ?? '';
      if (recipe === 'wrong-deposit-id') expect(protocol?.v2?.orderId).not.toBe(own);
      else expect(protocol?.v2?.orderId).toBe(own);
      if (recipe === 'deposit-address') return;
      const id = protocol?.v2?.orderId.slice(2) ?? '';
      expect(steps.find((step) => step.id === 'deposit')?.items[0]?.data?.data).toContain(id);
    },
  );

  test.each(Tampering.recipes)(
    'behavior: a consistent %s has the id of its own order, including in its memo',
    (recipe) => {
      const { protocol, steps } = Tampering.from(withdrawal, recipe, { consistent: true }) as QuoteV2.Response;
      const own = orderId(protocol?.v2?.orderData) ?? '';
      if (recipe === 'wrong-deposit-id') expect(protocol?.v2?.orderId).not.toBe(own);
      else expect(protocol?.v2?.orderId).toBe(own);
      const named = recipe === 'request-id-memo' ? withdrawal.steps[0]?.requestId : protocol?.v2?.orderId;
      expect(JSON.stringify(steps[0]?.items[0]?.data)).toContain(named ?? '-');
    },
  );

  test('behavior: each field of a venue transfer', () => {
    const changed = (recipe: Tampering.Recipe) => {
      const tampered = Tampering.from(withdrawal, recipe, { consistent: false }) as QuoteV2.Response;
      return tampered.steps.map(({ items }) => Step.venueTransfer.parse(items[0]?.data).action.parameters);
    };
    expect(changed('wrong-depository')[0]?.toAccountIndex).toBe(666_666);
    expect(changed('larger-amount')[0]?.amount).toBe(200_000_000);
    expect(changed('larger-fee')[0]?.usdcFee).toBe(30_000_000);
    expect(changed('other-asset')[0]?.assetIndex).toBe(1);
    expect(changed('other-route')[0]?.fromRouteType).toBe(1);
    expect(changed('request-id-memo')[0]?.memo).toBe(withdrawal.steps[0]?.requestId);
    expect(changed('wrong-deposit-id')[0]?.memo).toBe(`0x${'0d'.repeat(32)}`);
    expect(changed('extra-step')[1]).toMatchObject({ toAccountIndex: 666_666, amount: 100_000_000 });
  });

  test('behavior: leaves non-quotes unchanged', () => {
    for (const answer of [null, 'hello', [1], { status: 'pending' }])
      expect(Tampering.from(answer, 'wrong-recipient', { consistent: true })).toEqual(answer);
  });
});
