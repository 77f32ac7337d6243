import { describe, expect, test } from 'vitest';
import { createVenue } from '../../../src/sandbox/venue/createVenue.js';
import { type Customer, open, signed, total } from '../../support/venueCustomer.js';

const memo = `0x${'5f'.repeat(32)}` as const;

describe('pay', () => {
  test('behavior: concurrent payments take consecutive nonces', async () => {
    const venue = createVenue({ clock: Date.now, instance: 'test', executionMs: 5 });
    const hashes = await Promise.all(
      [1n, 2n, 3n].map((n) => venue.pay({ to: 101, amount: n * 1_000_000n, memo }, () => {})),
    );
    await expect.poll(venue.isBusy).toBe(false);
    expect(hashes.map((hash) => venue.transfer(hash)?.status)).toEqual(['executed', 'executed', 'executed']);
    expect(venue.account(101)?.usdc).toBe(10_006_000_000n);
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

  test("behavior: skew shifts the venue's clock until it is cleared", async () => {
    const customer = open();
    await customer.fault({ kind: 'skew', skewMs: 3_600_000 });
    const tx = await signed();
    expect((await customer.send(tx)).body.code).toBe(21501);
    await customer.control('DELETE', '/sandbox/faults');
    expect((await customer.send(tx)).body.code).toBe(200);
  });
});

/** A venue whose sequencer comes to nothing until it is released. */
async function held(): Promise<Customer & { release(): Promise<unknown> }> {
  const customer = open();
  await customer.fault({ kind: 'sequencer', does: 'stuck', times: 0 });
  return { ...customer, release: () => customer.control('DELETE', '/sandbox/faults') };
}

/** Resolves once the only fault has struck as often as that. */
async function struck(customer: Customer, times = 1): Promise<void> {
  const look = async () => (await customer.control('GET', '/sandbox/faults')).body.faults as { struck: number }[];
  await expect.poll(async () => (await look())[0]?.struck).toBe(times);
}

describe('sequencer: accept', () => {
  test('default: pending, then executed', async () => {
    const customer = open({ executionMs: 300 });
    const before = total(customer);
    const hash = await customer.pay();
    expect(customer.venue.transfer(hash)).toMatchObject({ status: 'pending', sequence: 1, executedAtMs: undefined });
    expect(customer.venue.isBusy()).toBe(true);
    expect(customer.venue.lastAcceptedMs()).toBeGreaterThan(0);
    expect(await customer.end(hash)).toMatchObject({ status: 'executed', from: 100, to: 7, amount: 5_000_000n });
    expect(customer.venue.account(100)?.usdc).toBe(9_992_000_000n);
    expect(customer.venue.account(0)?.usdc).toBe(3_000_000n);
    expect(total(customer)).toBe(before);
  });

  test('behavior: activation is charged once, even if two first credits were accepted', async () => {
    const customer = await held();
    const before = total(customer);
    const wish = { ToAccountIndex: 106n, USDCFee: 4_000_000n };
    const hashes = [await customer.pay(wish), await customer.pay({ ...wish, Nonce: 1n })];
    await customer.release();
    const ends = await Promise.all(hashes.map(customer.end));
    expect(ends.map(({ activationFee }) => activationFee)).toEqual([1_000_000n, 0n]);
    expect(customer.venue.account(106)).toMatchObject({ usdc: 10_000_000n, isActive: true });
    expect(customer.venue.account(0)?.usdc).toBe(7_000_000n);
    expect(total(customer)).toBe(before);
  });

  test('error: balance gone before execution; the nonce is consumed', async () => {
    const customer = await held();
    const whole = { Amount: 9_997_000_000n };
    const [first, second] = [await customer.pay(whole), await customer.pay({ ...whole, Nonce: 1n })];
    await customer.release();
    expect(await customer.end(first)).toMatchObject({ status: 'executed' });
    expect(await customer.end(second)).toMatchObject({
      status: 'failed',
      failReason: 'AppErrNotEnoughCollateral',
      usdcFee: 0n,
    });
    expect(customer.venue.account(100)?.usdc).toBe(0n);
    expect(await customer.nonce(100)).toBe(2);
  });

  test('error: expired before execution; the nonce is free again, and later transfers fail', async () => {
    const customer = await held();
    const first = await customer.pay({ ExpiredAt: BigInt(Date.now() + 60_000) });
    const second = await customer.pay({ Nonce: 1n });
    customer.travel(120_000);
    await customer.release();
    expect(await customer.end(first)).toMatchObject({ status: 'failed', failReason: 'AppErrTxExpired' });
    expect(await customer.end(second)).toMatchObject({ status: 'failed', failReason: 'AppErrInvalidNonce' });
    expect(await customer.nonce(100)).toBe(0);
    expect(customer.venue.account(100)?.usdc).toBe(10_000_000_000n);
  });

  test('error: a failed transfer cannot be replayed with the same bytes', async () => {
    const customer = await held();
    const late = await signed({ Nonce: 1n });
    const first = await customer.pay({ ExpiredAt: BigInt(Date.now() + 60_000) });
    const { body } = await customer.send(late);
    customer.travel(120_000);
    await customer.release();
    await customer.end(first);
    await customer.end(body.tx_hash ?? '');
    await customer.end(await customer.pay({ Nonce: 0n }));
    expect(await customer.nonce(100)).toBe(1);
    expect((await customer.send(late)).body.code).toBe(21104);
  });
});

describe('sequencer: faults', () => {
  test('behavior: fail, matched by request id or account', async () => {
    const customer = open();
    await customer.fault({ kind: 'sequencer', does: 'fail', match: { requestId: `0x${'aa'.repeat(32)}` } });
    await customer.fault({ kind: 'sequencer', does: 'fail', match: { user: '101' } });
    expect(await customer.end(await customer.pay())).toMatchObject({ status: 'executed' });
    await customer.fault({
      kind: 'sequencer',
      does: 'fail',
      match: { requestId: `0x${'5f'.repeat(32)}`, user: '100' },
    });
    expect(await customer.end(await customer.pay({ Nonce: 1n }))).toMatchObject({
      status: 'failed',
      failReason: 'AppErrInternal',
    });
  });

  test('behavior: stuck until the fault is cleared, including later transfers', async () => {
    const customer = open();
    await customer.fault({ kind: 'sequencer', does: 'stuck' });
    const first = await customer.pay();
    const second = await customer.pay({ Nonce: 1n });
    await struck(customer);
    expect(customer.venue.transfer(first)?.status).toBe('pending');
    expect(customer.venue.transfer(second)?.status).toBe('pending');
    await customer.control('DELETE', '/sandbox/faults');
    expect(await customer.end(first)).toMatchObject({ status: 'executed' });
    expect(await customer.end(second)).toMatchObject({ status: 'executed' });
  });

  test('behavior: a stuck transfer does not block others or count as busy', async () => {
    const customer = open();
    await customer.fault({ kind: 'sequencer', does: 'stuck' });
    await customer.pay();
    await expect.poll(() => customer.venue.isBusy()).toBe(false);
    const hash = await customer.pay({ FromAccountIndex: 101n }, 'dev1');
    expect(await customer.end(hash)).toMatchObject({ status: 'executed' });
  });

  test('behavior: delay', async () => {
    const customer = open();
    await customer.fault({ kind: 'sequencer', does: 'delay', delayMs: 200 });
    const hash = await customer.pay();
    await struck(customer);
    expect(customer.venue.transfer(hash)?.status).toBe('pending');
    expect(await customer.end(hash)).toMatchObject({ status: 'executed' });
  });
});

describe('sequencer: stop', () => {
  test('behavior: executes nothing further', async () => {
    const customer = open();
    const hash = await customer.pay();
    await customer.venue.stop();
    // What is accepted later elsewhere is executed.
    const other = open();
    await other.end(await other.pay());
    expect(customer.venue.transfer(hash)?.status).toBe('pending');
  });
});
