import { describe, expect, test } from 'vitest';
import * as RequestsV2 from '../../../src/core/api/RequestsV2.js';
import type { Entry } from '../../../src/sandbox/ledger/ledger.js';
import * as RecordV2 from '../../../src/sandbox/ledger/RecordV2.js';
import { add, deposited, filled, ledgerAt } from '../../support/entries.js';
import * as market from '../../support/market.js';
import * as published from '../../support/published.js';
import * as recorded from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

const startMs = Date.UTC(2026, 8, 21, 12);

async function finished(): Promise<Entry> {
  const ledger = ledgerAt(startMs);
  const entry = await add(ledger, {
    request: { subsidizeFees: true, appFees: [{ recipient: market.other, fee: '30' }], referrer: 'sandbox-referrer' },
    hasKey: true,
  });
  ledger.update(entry.order.requestId, deposited(entry));
  return ledger.update(entry.order.requestId, filled(entry, 99_000_000n));
}

describe('from', () => {
  test("default: a filled request, with the service's name of the platform component", async () => {
    const entry = await finished();
    const record = RecordV2.from(entry);
    expect(RequestsV2.record.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      id: entry.order.requestId,
      status: 'success',
      moonpayId: null,
      data: {
        failReason: 'N/A',
        refundFailReason: 'N/A',
        subsidizedRequest: true,
        price: '99000000',
        currency: 'usdc',
        fees: { fixed: '0', gateway: '0' },
        inTxs: [{ hash: `0x${'a'.repeat(64)}` }],
        outTxs: [{ hash: `0x${'b'.repeat(64)}` }],
        paidAppFees: [{ amount: '300000', amountUsd: '0.300000', amountUsdCurrent: '0.300000' }],
        subsidizedFee: { amountUsd: expect.stringMatching(/^0\.\d{6}$/) },
        expandedPriceImpact: { quoted: { relay: { usd: '0.000000' } }, actual: { app: { usd: '-0.300000' } } },
        metadata: { rate: '0.99', currencyOut: { amount: '99000000', amountUsdCurrent: '99.000000' } },
      },
    });
    expect(record.data?.expandedPriceImpact?.quoted).not.toHaveProperty('platform');
    expect(record.data?.feeSponsorship?.quoted?.selectedComponents).toContain('relay');
  });

  test('behavior: a gas top-up is in the metadata', async () => {
    const ledger = ledgerAt(startMs);
    const entry = await add(ledger, { request: { topupGas: true } });
    const { currencyGasTopup } = entry.quote.details;
    expect(currencyGasTopup).toMatchObject({ amountUsd: '2.000000' });
    ledger.update(entry.order.requestId, deposited(entry));
    const record = RecordV2.from(ledger.update(entry.order.requestId, filled(entry, 97_000_000n)));
    expect(RequestsV2.record.parse(record)).toEqual(record);
    expect(record.data?.metadata).toMatchObject({ currencyGasTopup });
    expect(record.data?.metadata?.route?.destination).not.toHaveProperty('currencyGasTopup');
  });

  test('behavior: before the deposit', async () => {
    const entry = await add(ledgerAt(startMs));
    const record = RecordV2.from(entry);
    expect(record).toMatchObject({
      status: 'waiting',
      data: { subsidizedRequest: false, price: entry.quote.details.currencyOut.amount, paidAppFees: [] },
    });
    expect(record.data).not.toHaveProperty('subsidizedFee');
    expect(record.data?.expandedPriceImpact).not.toHaveProperty('actual');
  });
});

describe('the shape', () => {
  test('behavior: all fields of the recorded one', async () => {
    const { requests } = recorded.read('requests-v2') as { requests: unknown[] };
    expect(Shape.differences(Shape.from(RecordV2.from(await finished())), Shape.from(requests[0]))).toEqual([]);
  });

  published.describePublished('against the published record', () => {
    test('behavior: all fields of the live one', async () => {
      const wanted = Shape.from(published.withoutElisions(published.read('request-v2-record.json')));
      expect(Shape.differences(Shape.from(RecordV2.from(await finished())), wanted)).toEqual([]);
    });
  });
});
