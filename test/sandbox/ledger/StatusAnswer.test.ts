import { describe, expect, test } from 'vitest';
import * as StatusV2 from '../../../src/core/api/foreign/StatusV2.js';
import * as StatusV3 from '../../../src/core/api/StatusV3.js';
import * as StatusAnswer from '../../../src/sandbox/ledger/StatusAnswer.js';
import { add, deposited, filled, ledgerAt, refunded } from '../../support/entries.js';
import * as market from '../../support/market.js';
import * as published from '../../support/published.js';
import * as Shape from '../../support/shape.js';

describe('from', () => {
  test('default', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    ledger.update(entry.order.requestId, deposited(entry));
    ledger.setClock(1_080);
    const status = StatusAnswer.from(ledger.update(entry.order.requestId, filled(entry, 1n)));
    expect(StatusV3.response.parse(status)).toEqual(status);
    expect(status).toEqual({
      status: 'success',
      inTxHashes: [`0x${'a'.repeat(64)}`],
      txHashes: [`0x${'b'.repeat(64)}`],
      updatedAt: 1_080,
      originChainId: 313371,
      destinationChainId: 313372,
      quoteCreatedAt: 1_000,
      failReason: 'N/A',
      refundFailReason: 'N/A',
    });
  });

  test('behavior: of a quote that nothing was paid for, only the time', async () => {
    const entry = await add(ledgerAt(1_000));
    expect(StatusAnswer.from(entry)).toEqual({ status: 'waiting', quoteCreatedAt: 1_000 });
  });

  test('behavior: includes the hash of a pending fill', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    const sent = { hash: `0x${'e'.repeat(64)}`, chainId: 313372, amount: 1n, purpose: 'fill' } as const;
    const { requestId } = entry.order;
    expect(StatusAnswer.from(ledger.update(requestId, { status: 'submitted', sent })).txHashes).toEqual([sent.hash]);
  });

  test('behavior: includes the hash of a pending relayer transaction', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    const { requestId } = entry.order;
    const transaction = { to: market.user, data: '0x', value: 0n, gas: 1n, authorizations: [] } as const;
    const sent = `0x${'a'.repeat(64)}` as const;
    const relay = {
      by: 'call',
      digest: '0x',
      chainId: 313371,
      transaction,
      state: 'queued',
      afterFill: undefined,
    } as const;
    expect(StatusAnswer.from(ledger.update(requestId, { relay: { ...relay, sent: undefined } })).inTxHashes).toEqual(
      [],
    );
    expect(StatusAnswer.from(ledger.update(requestId, { relay: { ...relay, sent } })).inTxHashes).toEqual([sent]);
    expect(StatusAnswer.from(ledger.update(requestId, deposited(entry))).inTxHashes).toEqual([sent]);
  });

  test('behavior: a refund has its transaction and reason', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    expect(StatusAnswer.from(ledger.update(entry.order.requestId, refunded(entry, 1n)))).toMatchObject({
      status: 'refund',
      txHashes: [`0x${'c'.repeat(64)}`],
      failReason: 'SLIPPAGE',
    });
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

describe('v2', () => {
  test('default: a sent fill counts as pending, and there are no reasons', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    const { requestId } = entry.order;
    expect(StatusAnswer.v2(entry)).toEqual({ status: 'waiting', quoteCreatedAt: 1_000 });
    ledger.update(requestId, deposited(entry));
    const sent = { hash: `0x${'e'.repeat(64)}`, chainId: 313372, amount: 1n, purpose: 'fill' } as const;
    ledger.setClock(1_080);
    const status = StatusAnswer.v2(ledger.update(requestId, { status: 'submitted', sent, details: 'so far' }));
    expect(StatusV2.response.parse(status)).toEqual(status);
    expect(status).toEqual({
      status: 'pending',
      details: 'so far',
      inTxHashes: [`0x${'a'.repeat(64)}`],
      txHashes: [sent.hash],
      time: 1_080,
      originChainId: 313371,
      destinationChainId: 313372,
      quoteCreatedAt: 1_000,
    });
  });
});

describe('unknown', () => {
  test('default', () => {
    expect(StatusV3.response.parse(StatusAnswer.unknown)).toEqual(StatusAnswer.unknown);
    expect(StatusV3.states).not.toContain(StatusAnswer.unknown.status);
  });
});

published.describePublished('the published status', () => {
  test('behavior: all fields of the live one', async () => {
    const ledger = ledgerAt(1_000);
    const entry = await add(ledger);
    const paid = ledger.update(entry.order.requestId, deposited(entry));
    const wanted = Shape.from(published.read('status.json'));
    expect(Shape.differences(Shape.from(StatusAnswer.from(paid)), wanted)).toEqual([]);
  });
});
