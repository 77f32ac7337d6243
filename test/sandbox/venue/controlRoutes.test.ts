import { describe, expect, test } from 'vitest';
import * as TxInfo from '../../support/venueCrypto/TxInfo.js';
import { open, signed } from '../../support/venueCustomer.js';

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
