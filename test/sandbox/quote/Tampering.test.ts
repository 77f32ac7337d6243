import { describe, expect, test } from 'vitest';
import * as SignatureItem from '../../../src/core/api/schema/SignatureItem.js';
import * as Step from '../../../src/core/api/schema/Step.js';
import type { Address } from '../../../src/core/base/Address.js';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as ProxyNonce from '../../../src/core/proof/signature/ProxyNonce.js';
import type * as QuoteAnswer from '../../../src/sandbox/quote/QuoteAnswer.js';
import * as Tampering from '../../../src/sandbox/quote/Tampering.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
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
const permit = read('quote-permit-eip3009') as QuoteAnswer.Response;
const { response: proxied } = await market.quote(
  market.request(100_000_000n, 'alpha/usdc', 'beta/usdc', { usePermit: true }),
);
const answers = { bridge, native, swap, swapped, permit, proxied, deposit, withdrawal };

/** Recipes for the venue only. */
const ofTransfer = ['larger-fee', 'other-asset', 'other-route', 'request-id-memo'] as const;

/** Recipes for the router's calls, with an order and without. */
const ofRouter = [
  'extra-router-call',
  'swap-receiver',
  'swap-minimum',
  'dust-order',
  'router-refund',
  'router-metadata',
  'router-suffix',
] as const;
const ofOrder = ['wrong-depositor', 'router-depository', 'wrong-signature'] as const;

/** Recipes for signatures only. */
const ofSignature = [
  'other-typed-data',
  'opaque-digest',
  'router-payee',
  'any-submitter',
  'other-nonce',
  'longer-validity',
  'later-validity',
  'other-post',
  'foreign-post',
] as const;

/** Recipes for transactions only. */
const ofTransaction = [
  'unlimited-approval',
  'another-spender',
  'router-theft',
  'trailing-bytes',
  'deposit-address',
] as const;

/** For swaps of tokens, which none of these quotes begins with. */
const ofTokens = ['simulation-aware'] as const;

/** Recipes without effect on a plain deposit. */
const ofSwaps = ['router-theft', 'router-depository', 'wrong-signature', ...ofRouter] as const;

/** Recipes without effect on a kind of quote. */
const idle: Readonly<Record<keyof typeof answers, readonly Tampering.Recipe[]>> = {
  bridge: [...ofTokens, ...ofSwaps, ...ofSignature, ...ofTransfer],
  swapped: [...ofTokens, 'router-theft', ...ofSignature, ...ofTransfer],
  native: [...ofTokens, 'unlimited-approval', 'another-spender', ...ofSwaps, ...ofSignature, ...ofTransfer],
  deposit: [...ofTokens, ...ofSwaps, ...ofSignature, ...ofTransfer],
  withdrawal: [...ofTokens, ...ofTransaction, ...ofSignature, ...ofRouter, ...ofOrder],
  swap: [
    ...ofTokens,
    'wrong-refund',
    'wrong-deposit-id',
    'order-calls',
    'other-solver',
    'expired-order',
    ...ofOrder,
    ...ofSignature,
    ...ofTransfer,
  ],
  permit: [
    ...ofTokens,
    'wrong-depository',
    'wrong-deposit-id',
    'any-submitter',
    ...ofTransaction,
    ...ofRouter,
    ...ofOrder,
    ...ofTransfer,
  ],
  proxied: [...ofTokens, ...ofTransaction, ...ofRouter, ...ofOrder, ...ofTransfer],
};

describe('from', () => {
  const all = Object.entries(answers).flatMap(([name, answer]) =>
    Tampering.recipes.flatMap((recipe) => [false, true].map((consistent) => ({ name, answer, recipe, consistent }))),
  );

  test.each(all)(
    'default: $recipe on the $name quote, consistent: $consistent',
    ({ name, answer, recipe, consistent }) => {
      const before = structuredClone(answer);
      const tampered = Tampering.from(answer, recipe, { consistent }) as QuoteAnswer.Response;
      expect(answer).toEqual(before);
      // Without payment details there is nothing to adjust.
      const isIdle = idle[name as keyof typeof answers].includes(recipe);
      // The price of a transfer without an order is in the stated amounts alone.
      const isStated = recipe === 'low-output' && !answer.protocol?.v2?.orderData;
      if (isIdle || (isStated && !consistent)) expect(tampered).toEqual(answer);
      else expect(tampered).not.toEqual(answer);
    },
  );

  test.each(Tampering.recipes)(
    'behavior: a consistent %s has the id of its own order, including in its deposit or memo',
    (recipe) => {
      for (const answer of [bridge, withdrawal]) {
        const { protocol, steps } = Tampering.from(answer, recipe, { consistent: true }) as QuoteAnswer.Response;
        const own = orderId(protocol?.v2?.orderData) ?? '';
        if (recipe === 'wrong-deposit-id') expect(protocol?.v2?.orderId).not.toBe(own);
        else expect(protocol?.v2?.orderId).toBe(own);
        if (answer === bridge && recipe === 'deposit-address') continue;
        const isOther = answer === withdrawal && recipe === 'request-id-memo';
        const named = isOther ? withdrawal.steps[0]?.requestId : protocol?.v2?.orderId;
        const data = steps.find((step) => step.id === 'deposit')?.items[0]?.data;
        expect(JSON.stringify(data)).toContain(named?.slice(2) ?? '-');
      }
    },
  );

  test.each(Tampering.recipes)('behavior: a consistent %s binds its authorization to its own deposit', (recipe) => {
    const { protocol, steps, details } = Tampering.from(proxied, recipe, { consistent: true }) as QuoteAnswer.Response;
    const { sign } = SignatureItem.schema.parse(steps[0]?.items[0]?.data);
    if (sign.signatureKind !== 'eip712') return expect(recipe).toBe('opaque-digest');
    const { contracts } = market.alpha;
    const facts = {
      contracts: { ...contracts, depository: protocol?.v2?.paymentDetails.depository as Address },
      user: market.user,
      recipient: market.user,
      chainId: market.alpha.id,
      token: market.token(market.alpha, 'USDC').address,
      input: BigInt(details.currencyIn.amount),
      orderId: protocol?.v2?.orderId,
      requestId: String(proxied.requestId),
      solvers: [accounts.solver.address, accounts.relayer.address],
    };
    const commitment = ProxyNonce.commitmentOf(sign.value.nonce as Hex, facts);
    if (recipe === 'other-nonce') expect(commitment).toBeUndefined();
    else expect(commitment).toEqual({ relayer: accounts.relayer.address.toLowerCase() });
  });

  test('behavior: a wrong signature is another one, whatever bytes the right one has', () => {
    for (const byte of ['00', '01', 'ff']) {
      const orderSignature = `0x${'11'.repeat(4)}${byte}${'22'.repeat(60)}`;
      const answer = { ...swapped, protocol: { v2: { ...swapped.protocol?.v2, orderSignature } } };
      const { protocol } = Tampering.from(answer, 'wrong-signature', { consistent: false }) as QuoteAnswer.Response;
      expect(protocol?.v2?.orderSignature).toHaveLength(orderSignature.length);
      expect(protocol?.v2?.orderSignature).not.toBe(orderSignature);
    }
  });

  test('behavior: each field of a venue transfer', () => {
    const changed = (recipe: Tampering.Recipe) => {
      const tampered = Tampering.from(withdrawal, recipe, { consistent: false }) as QuoteAnswer.Response;
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
