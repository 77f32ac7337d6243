import { describe, expect, test } from 'vitest';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { createVenue } from '../../../src/sandbox/venue/createVenue.js';
import type { Transfer } from '../../../src/sandbox/venue/Venue.js';
import * as TxInfo from '../../support/venueCrypto/TxInfo.js';
import { open, signed } from '../../support/venueCustomer.js';

const memo = `0x${'5f'.repeat(32)}` as const;

function create(log = inMemory()) {
  return createVenue({ clock: Date.now, instance: 'test', executionMs: 5, log });
}

function settled(venue: ReturnType<typeof create>): Promise<Transfer> {
  return new Promise((resolve) => {
    const end = venue.onSettled((transfer) => {
      end();
      resolve(transfer);
    });
  });
}

describe('pay', () => {
  test('default', async () => {
    const venue = create();
    const end = settled(venue);
    let signed: string | undefined;
    const hash = await venue.pay({ to: 100, amount: 5_000_000n, memo }, (of) => {
      signed = of;
    });
    expect(signed).toBe(hash);
    expect(venue.transfer(hash)?.status).toBe('pending');
    expect(venue.isBusy()).toBe(true);

    expect(await end).toMatchObject({
      hash,
      status: 'executed',
      amount: 5_000_000n,
      usdcFee: 0n,
      memo,
      from: 7,
      to: 100,
    });
    expect(venue.account(100)?.usdc).toBe(10_005_000_000n);
    expect(venue.transfersTo(100).map((transfer) => transfer.hash)).toEqual([hash]);
    expect(venue.isBusy()).toBe(false);
  });

  test('behavior: concurrent payments take consecutive nonces', async () => {
    const venue = create();
    const hashes = await Promise.all(
      [1n, 2n, 3n].map((n) => venue.pay({ to: 101, amount: n * 1_000_000n, memo }, () => {})),
    );
    for (let left = 3; left > 0; left--) if (venue.isBusy()) await settled(venue);
    expect(hashes.map((hash) => venue.transfer(hash)?.status)).toEqual(['executed', 'executed', 'executed']);
    expect(venue.account(101)?.usdc).toBe(10_006_000_000n);
  });

  test('behavior: the payer of a first credit pays the activation fee', async () => {
    const venue = create();
    expect(venue.activationFee(106)).toBe(1_000_000n);
    const end = settled(venue);
    await venue.pay({ to: 106, amount: 5_000_000n, memo }, () => {});
    expect(await end).toMatchObject({ status: 'executed', activationFee: 1_000_000n });
    expect(venue.account(7)?.usdc).toBe(100_000_000_000_000n - 6_000_000n);
    expect(venue.account(106)).toMatchObject({ usdc: 5_000_000n, isActive: true });
    expect(venue.activationFee(106)).toBe(0n);
  });
});

describe('the log', () => {
  test('behavior: pending transfers are executed once after a restart', async () => {
    const log = inMemory();
    const first = create(log);
    const hash = await first.pay({ to: 100, amount: 5_000_000n, memo }, () => {});
    await first.stop();
    const second = create(log);
    expect(second.transfer(hash)?.status).toBe('pending');
    expect(await settled(second)).toMatchObject({ hash, status: 'executed' });
    const third = create(log);
    expect(third.isBusy()).toBe(false);
    expect(third.account(100)?.usdc).toBe(10_005_000_000n);
  });
});

describe('GET /sandbox/instance', () => {
  test('default', async () => {
    expect(await open().get('/sandbox/instance')).toEqual({ status: 200, body: { instance: 'test' } });
  });
});

describe('/sandbox/limits', () => {
  test('default: none, then some, then none', async () => {
    const customer = open();
    const path = '/api/v1/tx?by=hash&value=ab';
    expect((await customer.get('/sandbox/limits')).body).toEqual({ perMinute: null });
    expect((await customer.control('PUT', '/sandbox/limits', { perMinute: 1 })).body).toEqual({ perMinute: 1 });
    expect((await customer.get(path)).body.code).toBe(21500);
    expect(await customer.get(path)).toEqual({ status: 429, body: { code: 23000, message: 'Too Many Requests!' } });
    await customer.control('PUT', '/sandbox/limits', { perMinute: null });
    expect((await customer.get(path)).body.code).toBe(21500);
  });

  test.each([{}, { perMinute: -1 }, { perMinute: 'x' }])('error: %j', async (body) => {
    expect((await open().control('PUT', '/sandbox/limits', body)).status).toBe(400);
  });
});

describe('/sandbox/faults', () => {
  test("behavior: separate from the service's faults, with the venue's error body", async () => {
    const customer = open();
    await customer.fault({ kind: 'status', status: 429, match: { path: '/api/v1/nextNonce' } });
    const path = '/api/v1/nextNonce?account_index=100&api_key_index=4';
    expect(await customer.get(path)).toEqual({ status: 429, body: { code: 23000, message: 'Too Many Requests!' } });
    expect((await customer.get(path)).body).toEqual({ code: 200, nonce: 0 });
  });

  test('error: a solver fault', async () => {
    const { status, body } = await open().control('POST', '/sandbox/faults', { kind: 'solver', does: 'refund' });
    expect([status, body.message]).toEqual([400, 'body/kind solver does not apply here']);
  });

  test('behavior: a tampered response', async () => {
    const customer = open();
    await customer.fault({ kind: 'tamper', path: '/nonce', value: 7 });
    expect(await customer.nonce(100)).toBe(7);
  });

  test("behavior: skew shifts the venue's clock until it is cleared", async () => {
    const customer = open();
    await customer.fault({ kind: 'skew', skewMs: 3_600_000 });
    const text = TxInfo.toJson(await signed());
    expect((await customer.send(text)).body.code).toBe(21501);
    await customer.control('DELETE', '/sandbox/faults');
    expect((await customer.send(text)).body.code).toBe(200);
  });
});
