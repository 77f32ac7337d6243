import { describe, expect, test } from 'vitest';
import * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import type { Entry } from '../../../src/sandbox/ledger/ledger.js';
import * as RecordV3 from '../../../src/sandbox/ledger/RecordV3.js';
import { add, deposited, filled, ledgerAt, refunded } from '../../support/entries.js';
import * as market from '../../support/market.js';
import * as published from '../../support/published.js';
import * as recorded from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

const startMs = Date.UTC(2026, 8, 21, 12, 0, 0, 5);

const sponsored = {
  request: { subsidizeFees: true, appFees: [{ recipient: market.other, fee: '30' }], referrer: 'sandbox-referrer' },
  hasKey: true,
};

async function finished(
  change: (entry: Entry) => Parameters<ReturnType<typeof ledgerAt>['update']>[1],
): Promise<Entry> {
  const ledger = ledgerAt(startMs);
  const entry = await add(ledger, sponsored);
  ledger.update(entry.order.requestId, deposited(entry));
  ledger.setClock(startMs + 80);
  return ledger.update(entry.order.requestId, change(entry));
}

describe('from', () => {
  test('default: a filled request', async () => {
    const entry = await finished((waiting) => filled(waiting, 99_000_000n));
    const record = RecordV3.from(entry, { isAuthenticated: false });
    expect(RequestsV3.record.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      id: entry.order.requestId,
      status: 'success',
      user: market.user,
      refundTo: market.user,
      requestType: 'Bridge',
      features: ['app_fees'],
      createdAt: '2026-09-21T12:00:00.005Z',
      updatedAt: '2026-09-21T12:00:00.085Z',
      data: {
        failReason: null,
        referrer: 'sandbox-referrer',
        inTxs: [{ txHash: `0x${'a'.repeat(64)}`, fee: '1000000000000', feeUsd: '0.002500', type: 'onchain' }],
        outTxs: [{ txHash: `0x${'b'.repeat(64)}`, chainId: 313372 }],
        appFees: { actual: [{ recipient: market.other, bps: '30', amount: '300000', amountFormatted: '0.3' }] },
        route: { actual: { rate: '0.99', destination: { outputCurrency: { amount: '99000000' } } } },
      },
      protocol: {
        orderId: entry.order.protocol?.orderId,
        deposit: { origin: { amount: '100000000', depositor: market.user, transactionId: `0x${'a'.repeat(64)}` } },
        settlement: { destination: { fills: [{ chainId: 313372 }], refunds: [] } },
      },
    });
    expect(record.data).not.toHaveProperty('apiKeyName');
    expect(record.data?.feeSponsorship?.quoted?.selectedComponents).toEqual(['execution', 'swap', 'platform', 'app']);
    expect(record.data?.feeSponsorship?.actual?.sponsorPayment?.amount).toBe(String(entry.order.sponsorship?.amount));
  });

  test('behavior: before the deposit', async () => {
    const entry = await add(ledgerAt(startMs));
    const record = RecordV3.from(entry, { isAuthenticated: true });
    expect(RequestsV3.record.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      status: 'waiting',
      data: { inTxs: [], outTxs: [], apiKeyName: null, feeSponsorship: null },
      protocol: { deposit: {} },
    });
    expect(record.data?.fees).not.toHaveProperty('actual');
    expect(record.data?.route?.actual).toMatchObject(record.data?.route?.quoted ?? {});
  });

  test('behavior: a refund', async () => {
    const entry = await finished((waiting) => refunded(waiting, 99_999_000n));
    expect(RecordV3.from(entry, { isAuthenticated: true })).toMatchObject({
      status: 'refund',
      data: {
        apiKeyName: 'sandbox',
        failReason: 'SLIPPAGE',
        outTxs: [{ txHash: `0x${'c'.repeat(64)}`, chainId: 313371 }],
        refundCurrencyData: { amount: '99999000', amountFormatted: '99.999' },
        fees: { actual: { execution: { usd: '-0.001000', amount: '1000' }, platform: { usd: '0.000000' } } },
      },
    });
  });

  test('behavior: a gas top-up is in the actual route once it is paid', async () => {
    const ledger = ledgerAt(startMs);
    const entry = await add(ledger, { request: { topupGas: true } });
    const { currencyGasTopup } = entry.quote.details;
    expect(currencyGasTopup).toMatchObject({ amountUsd: '2.000000', currency: { chainId: 313372, symbol: 'ETH' } });
    const waiting = RecordV3.from(entry, { isAuthenticated: false });
    expect(waiting.features).toEqual(['gas_top_up']);
    expect(waiting.data?.route?.actual?.destination).not.toHaveProperty('currencyGasTopup');
    ledger.update(entry.order.requestId, deposited(entry));
    const record = RecordV3.from(ledger.update(entry.order.requestId, filled(entry, 97_000_000n)), {
      isAuthenticated: false,
    });
    expect(RequestsV3.record.parse(record)).toEqual(record);
    expect(record.data?.route?.actual?.destination).toMatchObject({ currencyGasTopup });
    expect(record.data?.route?.quoted?.destination).not.toHaveProperty('currencyGasTopup');
  });

  test("behavior: a refund in a currency other than the order's", async () => {
    const other = market.token(market.alpha, 'DAI').address;
    const entry = await finished((waiting) => ({
      ...refunded(waiting, 5n),
      refunded: { currency: other, amount: 5n },
      actualFees: undefined,
    }));
    const { refundCurrencyData, fees } = RecordV3.from(entry, { isAuthenticated: false }).data ?? {};
    expect(refundCurrencyData).toEqual({ currency: { chainId: 313371, address: other }, amount: '5' });
    expect(fees).not.toHaveProperty('actual');
  });

  test('behavior: a same-chain transaction has no order', async () => {
    const entry = await add(ledgerAt(startMs), { from: 'alpha/usdc', to: 'alpha/weth' });
    expect(RecordV3.from(entry, { isAuthenticated: false })).toMatchObject({
      requestType: 'Same-chain Swap',
      protocol: null,
    });
  });

  test('behavior: a reverted fill', async () => {
    const call = { from: market.solver, to: market.other, data: '0x12', value: 3n } as const;
    const entry = await finished((waiting) => ({
      ...refunded(waiting, 1n),
      failedTx: { hash: `0x${'d'.repeat(64)}`, block: 9, call },
    }));
    expect(RecordV3.from(entry, { isAuthenticated: false }).data).toMatchObject({
      failedTxHash: `0x${'d'.repeat(64)}`,
      failedTxBlockNumber: 9,
      failedCallData: { ...call, value: '3' },
    });
  });
});

describe('the shape', () => {
  test('behavior: all fields of the recorded one', async () => {
    const record = RecordV3.from(await finished((waiting) => filled(waiting, 99_000_000n)), { isAuthenticated: false });
    const { requests } = recorded.read('requests-v3') as { requests: unknown[] };
    expect(Shape.differences(Shape.from(record), Shape.from(requests[0]))).toEqual([]);
  });

  published.describePublished('against the published record', () => {
    test('behavior: all fields of the live one', async () => {
      const entry = await finished((waiting) => filled(waiting, 99_000_000n));
      const record = RecordV3.from(entry, { isAuthenticated: false });
      const wanted = Shape.from(published.withoutElisions(published.read('request-v3-record.json')));
      expect(Shape.differences(Shape.from(record), wanted)).toEqual([]);
    });
  });
});
