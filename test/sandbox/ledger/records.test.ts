/** A request as the service tells it: its status, its records of both versions, and their parts. */
import { describe, expect, test } from 'vitest';
import * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import type * as FeeSponsorship from '../../../src/core/api/schema/FeeSponsorship.js';
import type { Entry } from '../../../src/sandbox/ledger/ledger.js';
import * as RecordParts from '../../../src/sandbox/ledger/RecordParts.js';
import * as RecordV2 from '../../../src/sandbox/ledger/RecordV2.js';
import * as RecordV3 from '../../../src/sandbox/ledger/RecordV3.js';
import * as StatusAnswer from '../../../src/sandbox/ledger/StatusAnswer.js';
import type { Fees } from '../../../src/sandbox/pricing/Fees.js';
import { add, deposited, filled, ledgerAt, refunded } from '../../support/entries.js';
import * as market from '../../support/market.js';
import * as published from '../../support/published.js';
import * as recorded from '../../support/recorded.js';
import * as Shape from '../../support/shape.js';

describe('StatusAnswer: from', () => {
  test('behavior: includes the hash of a pending relayer transaction', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    const { requestId } = entry.order;
    const transaction = { to: market.user, data: '0x', value: 0n, gas: 1n, authorizations: [] } as const;
    const sent = `0x${'a'.repeat(64)}` as const;
    const relay = { by: 'call', digest: '0x', chainId: 313371, transaction, state: 'queued' } as const;
    expect(StatusAnswer.from(ledger.update(requestId, { relay })).inTxHashes).toEqual([]);
    expect(StatusAnswer.from(ledger.update(requestId, { relay: { ...relay, sent } })).inTxHashes).toEqual([sent]);
    expect(StatusAnswer.from(ledger.update(requestId, deposited(entry))).inTxHashes).toEqual([sent]);
  });

  test('behavior: a failure without a reason', async () => {
    const ledger = ledgerAt(1_000);
    const { requestId } = (await add(ledger)).order;
    expect(StatusAnswer.from(ledger.update(requestId, { status: 'failure', details: 'it broke' }))).toMatchObject({
      details: 'it broke',
      failReason: 'UNKNOWN',
    });
  });
});

published.describePublished('the published status', () => {
  test('behavior: all fields of the live one', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    const paid = ledger.update(entry.order.requestId, deposited(entry));
    expect(lacking(StatusAnswer.from(paid), published.read('status.json'))).toEqual([]);
  });
});

const startMs = Date.UTC(2026, 8, 21, 12, 0, 0, 5);

const sponsored = {
  request: { subsidizeFees: true, appFees: [{ recipient: market.other, fee: '30' }], referrer: 'sandbox-referrer' },
  hasKey: true,
};

/** A sponsored request with an app fee, by default filled. */
async function finished(
  change: (entry: Entry) => Parameters<ReturnType<typeof ledgerAt>['update']>[1] = (entry) =>
    filled(entry, 99_000_000n),
): Promise<Entry> {
  const ledger = ledgerAt(startMs);
  const entry = await add(ledger, sponsored);
  ledger.update(entry.order.requestId, deposited(entry));
  ledger.setClock(startMs + 80);
  return ledger.update(entry.order.requestId, change(entry));
}

describe('RecordV3: from', () => {
  test('default: a filled request', async () => {
    const entry = await finished();
    const record = RecordV3.from(entry, { isAuthenticated: false });
    expect(RequestsV3.record.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      id: entry.order.requestId,
      status: 'success',
      user: market.user.toLowerCase(),
      sender: market.user,
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
        deposit: { origin: { amount: '100000000', transactionId: `0x${'a'.repeat(64)}` } },
        settlement: { destination: { fills: [{ chainId: 313372 }], refunds: [] } },
      },
    });
    expect(record.data).not.toHaveProperty('apiKeyName');
    expect(record.data?.feeSponsorship?.quoted?.selectedComponents).toEqual(['execution', 'swap', 'platform', 'app']);
    expect(record.data?.feeSponsorship?.actual?.sponsorPayment?.amount).toBe(String(entry.order.sponsorship?.amount));
  });

  test("behavior: a refund in a currency other than the order's", async () => {
    const other = market.token(market.alpha, 'DAI').address;
    const entry = await finished((waiting) => ({
      ...refunded(waiting, 5n),
      refunded: { currency: other, amount: 5n },
      actualFees: undefined,
    }));
    const { refundCurrencyData, fees } = RecordV3.from(entry, { isAuthenticated: false }).data ?? {};
    const currency = { chainId: 313371, address: other.toLowerCase() };
    expect(refundCurrencyData).toEqual({ currency, amount: '5' });
    expect(fees).not.toHaveProperty('actual');
  });
});

const versions = [
  ['v3', (entry: Entry): unknown => RecordV3.from(entry, { isAuthenticated: false })],
  ['v2', (entry: Entry): unknown => RecordV2.from(entry)],
] as const;

/** As recorded: only the sender is as the client wrote it. */
test.each(versions)('behavior: addresses in lower case: %s', async (_, of) => {
  const entry = await finished();
  expect(of(entry)).toMatchObject({
    user: market.user.toLowerCase(),
    recipient: entry.order.recipient.toLowerCase(),
    protocol: {
      deposit: {
        origin: {
          currency: market.token(market.alpha, 'USDC').address.toLowerCase(),
          depositor: market.user.toLowerCase(),
          depository: market.alpha.contracts.depository.toLowerCase(),
        },
      },
    },
  });
});

/** What a record lacks of another. */
const lacking = (record: unknown, wanted: unknown) => Shape.differences(Shape.from(record), Shape.from(wanted));

describe('the shape of records', () => {
  test.each(versions)('behavior: all fields of the recorded one: %s', async (version, of) => {
    const { requests } = recorded.read(`requests-${version}`) as { requests: unknown[] };
    expect(lacking(of(await finished()), requests[0])).toEqual([]);
  });

  published.describePublished('against the published record', () => {
    test.each(versions)('behavior: all fields of the live one: %s', async (version, of) => {
      const wanted = published.withoutElisions(published.read(`request-${version}-record.json`));
      expect(lacking(of(await finished()), wanted)).toEqual([]);
    });
  });
});

const formatAmount = (amount: bigint) => ({ amount: amount.toString(), amountFormatted: '', amountUsd: '' });

/** A bridge of 100 USDC with an app fee; gas was cheaper than quoted. */
const fees: Fees = {
  execution: { usd: -20_200n, amount: 20_200n },
  swap: { usd: -10_000n, amount: 10_000n },
  platform: { usd: 0n, amount: 0n },
  app: { usd: -250_000n, amount: 250_000n },
  sponsored: { usd: 20_200n, amount: 20_200n },
};

async function quoted(sponsoredFeeComponents?: string[]): Promise<FeeSponsorship.Phase> {
  const asked = market.request(100_000_000n, 'alpha/usdc', 'beta/usdc', {
    subsidizeFees: true,
    ...(sponsoredFeeComponents && { sponsoredFeeComponents }),
    appFees: [{ recipient: market.other, fee: '25' }],
  });
  const { response } = await market.quote(asked, { client: { sponsorBalanceUsd: 10n ** 12n } });
  if (!response.feeSponsorship?.quoted) throw new Error('the quote is not sponsored');
  return response.feeSponsorship.quoted;
}

describe('RecordParts: actualSponsorship', () => {
  test('behavior: a gain in the pools is charged to nobody', async () => {
    const gained = { ...fees, swap: { usd: 5n, amount: 5n } };
    const phase = RecordParts.actualSponsorship(await quoted(['execution']), gained, formatAmount);
    expect(phase.components.swap).toMatchObject({ total: { amount: '0' }, userPays: { amount: '0' } });
  });
});
