import { setTimeout as delay } from 'node:timers/promises';
import { keccak256, toHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as Plan from '../../../src/core/execution/Plan.js';
import * as ReceivedAmount from '../../../src/core/execution/ReceivedAmount.js';
import type { Clock, Receipt, Venue } from '../../../src/core/ports/Ports.js';
import * as TransferStatus from '../../../src/core/tracking/TransferStatus.js';
import { startVenue, type TestVenue, transfer, venueAt } from '../../support/venue.js';
import * as withdrawal from '../../support/withdrawal.js';
import { failure } from '../../support/workbench.js';

const token = '0x00000000000000000000000000000000000000AA';
const user = '0x00000000000000000000000000000000000000bb';
const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const amount = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

function receipt(...logs: Receipt['logs']): Receipt {
  return { hash: '0x01', status: 'success', blockNumber: 1n, gasUsed: 1n, effectiveGasPrice: 1n, logs };
}

describe('received', () => {
  const transfer = (to: string, value: bigint, address = token) => ({
    address,
    topics: [ReceivedAmount.transferTopic, word(token), word(to)],
    data: amount(value),
  });

  test('default: sums the transfers of the token to the recipient over all receipts', () => {
    const other = '0x00000000000000000000000000000000000000cc';
    const first = receipt(transfer(user, 5n), transfer(other, 7n), transfer(user, 11n, other));
    expect(ReceivedAmount.received([first, receipt(transfer(user, 1n))], token.toLowerCase(), user)).toBe(6n);
  });

  test('behavior: wrapping counts, an approval does not', () => {
    const wrapped = { address: token, topics: [ReceivedAmount.wrapTopic, word(user)], data: amount(3n) };
    const approval = {
      address: token,
      topics: [keccak256(toHex('Approval(address,address,uint256)')), word(user), word(user)],
      data: amount(9n),
    };
    expect(ReceivedAmount.received([receipt(wrapped, approval)], token, user)).toBe(3n);
  });

  test('behavior: the topics are the hashes of the event signatures', () => {
    expect(ReceivedAmount.transferTopic).toBe(keccak256(toHex('Transfer(address,address,uint256)')));
    expect(ReceivedAmount.wrapTopic).toBe(keccak256(toHex('Deposit(address,uint256)')));
  });
});

/** What the service says of a transfer that it has paid out. */
const delivered = (status: 'success' | 'refund', ...txHashes: readonly string[]): TransferStatus.Progress =>
  TransferStatus.reduce(TransferStatus.from('0x01'), { status, txHashes: [...txHashes], destinationChainId: 3586256 });

/** The plan of a deposit to account 100, or of a withdrawal from it. */
async function plan(kind: 'deposit' | 'withdrawal'): Promise<Plan.Plan> {
  const whole = Plan.from(await withdrawal.verify(withdrawal.quote(kind)));
  const parties = kind === 'deposit' ? { recipient: '100' } : { user: '100', refundTo: '100' };
  return { ...whole, intent: { ...whole.intent, ...parties } };
}

/** Pays from the service's account, and waits for the execution. */
async function paid({ served }: TestVenue, to: number, amount: bigint): Promise<string> {
  const hash = await served.pay({ to, amount, memo: transfer.memo }, () => {});
  while (served.transfer(hash)?.status === 'pending') await delay(5);
  return hash;
}

const nowhere = { origin: undefined, destination: undefined };

describe('amountOf, on the venue', () => {
  test('default: what executed transfers have credited to the account, each once', async () => {
    const venue = await startVenue();
    const [one, two, strange] = [
      await paid(venue, 100, 5_000_000n),
      await paid(venue, 100, 7_000_000n),
      await paid(venue, 101, 11_000_000n),
    ];
    const arrived = (...hashes: readonly string[]) =>
      plan('deposit').then((own) =>
        ReceivedAmount.amountOf(own, delivered('success', ...hashes), { ...nowhere, venue: venue.client }, 0n),
      );
    expect(await arrived(one, two, strange)).toBe(12_000_000n);
    expect(await arrived(one, one.toUpperCase(), one)).toBe(5_000_000n);
    expect(await arrived(strange)).toBeUndefined();
    expect(await arrived('ab'.repeat(40))).toBeUndefined();
    expect(await arrived()).toBeUndefined();
  });

  test('behavior: a withdrawal that was refunded comes back to the account', async () => {
    const venue = await startVenue();
    const hash = await paid(venue, 100, 5_000_000n);
    const world = { ...nowhere, venue: venue.client };
    expect(await ReceivedAmount.amountOf(await plan('withdrawal'), delivered('refund', hash), world, 0n)).toBe(
      5_000_000n,
    );
    expect(await ReceivedAmount.amountOf(await plan('deposit'), delivered('refund', hash), world, 0n)).toBeUndefined();
  });

  test.each([
    ['pending', { status: 1 }, undefined],
    ['failed', { status: 0 }, undefined],
    ['final', { status: 3 }, 5_000_000n],
    ['no transfer', { info: '{}' }, undefined],
    ['no JSON', { info: 'hush' }, undefined],
    ['of another asset', { change: { AssetIndex: 1 } }, undefined],
  ])('behavior: a transaction that is %s', async (_, change, amount) => {
    const venue = await startVenue();
    const hash = await paid(venue, 100, 5_000_000n);
    const shown = await venue.client.transaction(hash);
    if (!shown) throw new Error('It is not shown.');
    const { change: fields, ...own } = { change: {}, ...change };
    const info = JSON.stringify({ ...JSON.parse(shown.info), ...fields });
    const client: Venue = { ...venue.client, transaction: async () => ({ ...shown, info, ...own }) };
    const world = { ...nowhere, venue: client };
    expect(await ReceivedAmount.amountOf(await plan('deposit'), delivered('success', hash), world, 0n)).toBe(amount);
  });

  test('behavior: a venue that does not answer, or is not known', async () => {
    const progress = delivered('success', 'ab'.repeat(40));
    const world = { ...nowhere, venue: venueAt('http://127.0.0.1:1') };
    expect(await ReceivedAmount.amountOf(await plan('deposit'), progress, world, 0n)).toBeUndefined();
    expect(await ReceivedAmount.amountOf(await plan('deposit'), progress, nowhere, 0n)).toBeUndefined();
  });
});

describe('awaited', () => {
  const { signal } = new AbortController();
  /** A clock whose pauses take no time but count. */
  const clock = (): Clock => {
    let nowMs = 0;
    return {
      now: () => nowMs,
      sleep: async (ms) => {
        nowMs += ms;
      },
    };
  };
  const limits = { gasCost: 0n, timeoutMs: 60_000 };

  test('default: until the venue shows what the service says it has delivered', async () => {
    const venue = await startVenue();
    const hash = await venue.served.pay({ to: 100, amount: 5_000_000n, memo: transfer.memo }, () => {});
    const world = { ...nowhere, venue: venue.client, clock: { now: Date.now, sleep: () => delay(1) }, signal };
    expect(await ReceivedAmount.awaited(await plan('deposit'), delivered('success', hash), world, limits)).toBe(
      5_000_000n,
    );
  });

  test('error: it does not in time', async () => {
    const venue = await startVenue();
    const world = { ...nowhere, venue: venue.client, clock: clock(), signal };
    const hash = 'ab'.repeat(40);
    const own = await plan('deposit');
    const error = await failure('track.unfinished', () =>
      ReceivedAmount.awaited(own, delivered('success', hash), world, limits),
    );
    expect(error).toMatchObject({ exit: 9, next: 'ferry venue account 100', requestId: own.requestId });
    expect(error.facts).toEqual([
      ['account', '100'],
      ['fill', hash],
    ]);
  });

  test('behavior: what is not on the venue is not waited for', async () => {
    const progress = delivered('success', '0xf1');
    const world = { ...nowhere, venue: venueAt('http://127.0.0.1:1'), clock: clock(), signal };
    expect(await ReceivedAmount.awaited(await plan('withdrawal'), progress, world, limits)).toBeUndefined();
    const refund = delivered('refund', 'ab'.repeat(40));
    expect(
      await ReceivedAmount.awaited(await plan('deposit'), refund, { ...world, venue: undefined }, limits),
    ).toBeUndefined();
  });
});
