import { describe, expect, test } from 'vitest';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { createVenue } from '../../../src/sandbox/venue/createVenue.js';
import type { Transfer } from '../../../src/sandbox/venue/Venue.js';

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
