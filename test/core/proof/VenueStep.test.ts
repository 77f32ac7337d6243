import { describe, expect, test } from 'vitest';
import * as QuoteV2 from '../../../src/core/api/QuoteV2.js';
import { network as mainnet } from '../../../src/core/network/mainnet.js';
import * as VenueStep from '../../../src/core/proof/VenueStep.js';
import * as Finding from '../../../src/core/quote/Finding.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import type * as TransferIntent from '../../../src/core/quote/TransferIntent.js';
import { describePublished, read } from '../../support/published.js';
import { parameters, prove, quote, verify } from '../../support/withdrawal.js';
import { failure } from '../../support/workbench.js';

const honest = quote('withdrawal');

/** The checks of a withdrawal with one value replaced, by verdict. */
async function found(changes: Record<string, unknown>, verdict: string, caps: Partial<TransferIntent.Caps> = {}) {
  const findings = await prove(quote('withdrawal', changes), caps);
  return findings.filter((each) => each.verdict === verdict).map(({ check }) => check);
}

describe('check', () => {
  test('default: an honest withdrawal passes every check', async () => {
    const findings = await prove(honest);
    const open = findings.filter(({ verdict }) => verdict === 'mismatch' || verdict === 'cannot verify');
    // The recording has no signature.
    expect(open).toMatchObject([{ check: 'solver-signature', witnesses: ['the service'] }]);
    const own = findings.filter(({ subject }) => subject === 'deposit').map(({ check, verdict }) => [check, verdict]);
    for (const check of [
      'depository',
      'contract',
      'amount-paid',
      'deposit-id',
      'venue-fee',
      'venue-asset',
      'venue-routes',
    ])
      expect(own).toContainEqual([check, 'verified']);
  });

  test.each([
    ['toAccountIndex', 700_002, ['depository', 'contract']],
    ['toAccountIndex', 0, ['depository', 'contract']],
    ['assetIndex', 1, ['venue-asset']],
    ['fromRouteType', 1, ['venue-routes']],
    ['toRouteType', 1, ['venue-routes']],
    ['amount', 40_000_001, ['amount-paid']],
    ['amount', 39_999_999, ['amount-paid']],
    ['memo', `0x${'11'.repeat(32)}`, ['deposit-id']],
    ['memo', '', ['deposit-id']],
    ['memo', 'a memo of thirty-two characters.', ['deposit-id']],
  ])('error: %s %j is refused', async (field, value, checks) => {
    const changes = { [`${parameters}.${field}`]: value };
    expect(await found(changes, 'mismatch')).toEqual(checks);
    await failure('verify.mismatch', () => verify(quote('withdrawal', changes)));
  });

  test.each([
    ['a sender', { fromAccountIndex: 5 }],
    ['a fraction', { amount: 1.5 }],
    ['a negative fee', { usdcFee: -1 }],
    ['digits', { amount: '40000000' }],
  ])('error: %s makes the step unreadable, so nothing is signed', async (_, more) => {
    const [step] = honest.response.steps;
    const [item] = step?.items ?? [];
    const { action } = (item?.data ?? {}) as { action: { parameters: object } };
    const changed = { ...action, parameters: { ...action.parameters, ...more } };
    expect(await found({ 'steps.0.items.0.data.action': changed }, 'mismatch')).toContain('step');
  });

  test('error: two transfers', async () => {
    const [step] = honest.response.steps;
    expect(await found({ steps: [step, step] }, 'mismatch')).toContain('one-payment');
  });

  test('error: another depository in both the order and the step', async () => {
    const changes = { 'protocol.v2.paymentDetails.depository': '7', [`${parameters}.toAccountIndex`]: 7 };
    expect(await found(changes, 'mismatch')).toContain('contract');
  });

  test('behavior: without real money the request id is accepted too, with a note', async () => {
    const changes = { [`${parameters}.memo`]: honest.requestId };
    expect(await found(changes, 'mismatch')).toEqual([]);
    expect(await found(changes, 'not checked')).toContain('memo-binding');
    expect(await found({}, 'not checked')).not.toContain('memo-binding');
  });

  test('error: on real money the request id is refused by name, in any spelling', async () => {
    const { requestId } = honest;
    const orderId = honest.response.protocol?.v2?.orderId ?? '';
    for (const memo of [requestId, requestId.slice(2), requestId.toUpperCase().replace('0X', '0x')]) {
      const findings = await prove(quote('withdrawal', { [`${parameters}.memo`]: memo }), {}, { realMoney: true });
      expect(findings.filter(({ verdict }) => verdict === 'mismatch')).toEqual([
        expect.objectContaining({ check: 'deposit-id', expected: orderId, found: `the request id ${memo}` }),
      ]);
      expect(findings.map(({ check }) => check)).not.toContain('memo-binding');
    }
  });

  test('behavior: on real money the order id passes, in any spelling', async () => {
    const orderId = honest.response.protocol?.v2?.orderId ?? '';
    for (const memo of [orderId, orderId.toUpperCase().replace('0X', '0x'), orderId.slice(2)]) {
      const findings = await prove(quote('withdrawal', { [`${parameters}.memo`]: memo }), {}, { realMoney: true });
      expect(findings.filter(({ verdict }) => verdict === 'mismatch')).toEqual([]);
    }
  });

  test('error: on real money a quote without an order has no id that would do', async () => {
    const changes = { 'protocol.v2': undefined, [`${parameters}.memo`]: honest.requestId };
    const findings = await prove(quote('withdrawal', changes), {}, { realMoney: true });
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'deposit-id', verdict: 'mismatch', expected: 'an order id' }),
    );
  });

  test('error: a fee above the cap is the user’s limit, and beside a lie it is one of its facts', async () => {
    const fee = { [`${parameters}.usdcFee`]: 10_000_001 };
    expect(await found(fee, 'mismatch')).toEqual(['venue-fee']);
    const error = await failure('verify.cap', () => verify(quote('withdrawal', fee)));
    expect(error.message).toContain('--max-venue-fee');
    await failure('verify.mismatch', () => verify(quote('withdrawal', { ...fee, [`${parameters}.assetIndex`]: 1 })));
  });

  test('behavior: the fee is limited by the cap, ten dollars by default', async () => {
    const fee = (usdcFee: number, caps: Partial<TransferIntent.Caps>) =>
      found({ [`${parameters}.usdcFee`]: usdcFee }, 'mismatch', caps);
    expect(await fee(10_000_000, {})).toEqual([]);
    expect(await fee(2_500_000, { maxVenueFee: 2_500_000n })).toEqual([]);
    expect(await fee(2_500_001, { maxVenueFee: 2_500_000n })).toEqual(['venue-fee']);
    expect(await fee(50_000_000, { maxVenueFee: 50_000_000n })).toEqual([]);
    expect(await fee(1, { maxVenueFee: 0n })).toEqual(['venue-fee']);
  });
});

describePublished('check of the published withdrawal', () => {
  test.each([
    ['as it is', 'order', []],
    ['with the request id as memo', 'request', ['deposit-id']],
  ] as const)('default: on mainnet, %s', (_, named, mismatches) => {
    const answer = Quote.read(QuoteV2.response.parse(read('quote-venue-withdrawal.json')));
    const [item] = answer.items;
    if (item?.kind !== 'venue') throw new Error('no transfer');
    expect(item.parameters.memo).toBe(answer.response.protocol?.v2?.orderId);
    const memo = named === 'order' ? item.parameters.memo : answer.requestId;
    const findings = Finding.collect();
    const transfer = { ...item, parameters: { ...item.parameters, memo } };
    VenueStep.check(findings, transfer, { answer, expected: {}, network: mainnet });
    const wrong = findings.list.filter(({ verdict }) => verdict === 'mismatch').map(({ check }) => check);
    expect(wrong).toEqual(mismatches);
  });
});
