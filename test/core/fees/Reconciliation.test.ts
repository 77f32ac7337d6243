import { describe, expect, test } from 'vitest';
import * as Usd from '../../../src/core/base/Usd.js';
import * as Reconciliation from '../../../src/core/fees/Reconciliation.js';
import * as Quote from '../../../src/core/quote/Quote.js';
import type * as QuoteAnswer from '../../../src/sandbox/quote/QuoteAnswer.js';
import * as market from '../../support/market.js';
import { describePublished, read } from '../../support/published.js';

async function response(): Promise<QuoteAnswer.Response> {
  return structuredClone((await market.quote(market.request(100_000_000n, 'alpha/usdc', 'beta/eth'))).response);
}

describe('ofAnswer', () => {
  test('default: relayer is execution, platform and rebalancing; the rest of the swap is left out', async () => {
    const answer = Quote.read(await response());
    const found = Reconciliation.ofAnswer(answer);
    const relayer = found?.fields.find(({ field }) => field === 'relayer')?.usd ?? 0n;
    expect(found).toMatchObject({ isRelayerSum: true, swapInside: -10_000n });
    const { execution = 0n, platform = 0n, swap } = answer.fees ?? {};
    expect(execution + platform + (found?.swapInside ?? 0n)).toBe(relayer);
    expect((found?.swapInside ?? 0n) + (found?.swapLeftOut ?? 0n)).toBe(swap);
  });
  test('behavior: a relayer that is not the sum of its parts', async () => {
    const changed = await response();
    if (changed.fees?.relayer) changed.fees.relayer.amount = '1';
    expect(Reconciliation.ofAnswer(Quote.read(changed))?.isRelayerSum).toBe(false);
  });
  test('behavior: compares dollars if the parts are in several currencies', async () => {
    const changed = await response();
    if (changed.fees?.relayerGas) changed.fees.relayerGas.currency.chainId = 1;
    expect(Reconciliation.ofAnswer(Quote.read(changed))?.isRelayerSum).toBe(true);
    if (changed.fees?.relayerGas) changed.fees.relayerGas.amountUsd = '1';
    expect(Reconciliation.ofAnswer(Quote.read(changed))?.isRelayerSum).toBe(false);
  });
  test('behavior: undefined without the fields', async () => {
    expect(Reconciliation.ofAnswer(Quote.read({ ...(await response()), fees: undefined }))).toBeUndefined();
  });
});

describe('ofRecord', () => {
  const usdOf = (found: ReturnType<typeof Reconciliation.ofRecord>) =>
    Object.fromEntries(found?.fields.map(({ field, usd }) => [field, usd]) ?? []);
  test('default: the field names of requests/v2', () => {
    const found = Reconciliation.ofRecord({
      feesUsd: { gas: '0.001159', fixed: '0', price: '1.999162', gateway: null },
    });
    expect(usdOf(found)).toEqual({ gas: -1_159n, fixed: -0n, price: -1_999_162n });
    expect(Reconciliation.ofRecord({})).toBeUndefined();
    // Base units alone are not dollars.
    expect(Reconciliation.ofRecord({ fees: { gas: '1160' }, feesUsd: null })).toBeUndefined();
  });

  test('behavior: amounts with their currency', () => {
    const fees = { gas: { amountUsd: '0.5' }, relayer: { amountUsd: '0.25' }, subsidized: { amountUsd: '0.1' } };
    const expected = { gas: -500_000n, relayer: -250_000n, subsidized: 100_000n };
    expect(usdOf(Reconciliation.ofRecord({ fees }))).toEqual(expected);
  });
});

describePublished('Reconciliation of published quotes', () => {
  test.each(['quote-venue-deposit.json', 'quote-venue-withdrawal.json', 'quote-sponsored.json'])(
    'default: %s, the swap impact is what relayer leaves out',
    (file) => {
      const answer = Quote.read(read(file) as QuoteAnswer.Response);
      const found = Reconciliation.ofAnswer(answer);
      expect(found?.isRelayerSum).toBe(true);
      const impact = Usd.from(answer.response.details.swapImpact?.usd ?? '') ?? 0n;
      const off = (found?.swapLeftOut ?? 0n) - impact;
      expect(off >= -5n && off <= 5n).toBe(true);
    },
  );
});
