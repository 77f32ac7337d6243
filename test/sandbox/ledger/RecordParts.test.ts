import { describe, expect, test } from 'vitest';
import * as RecordParts from '../../../src/sandbox/ledger/RecordParts.js';
import { add, deposited, filled, ledgerAt, refunded, transaction } from '../../support/entries.js';
import * as market from '../../support/market.js';

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
