import { keccak256, toHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as ReceivedAmount from '../../../src/core/execution/ReceivedAmount.js';
import type { Receipt, Venue } from '../../../src/core/ports/Ports.js';
import { paidByService, startVenue } from '../../support/venue.js';

const token = '0x00000000000000000000000000000000000000AA';
const user = '0x00000000000000000000000000000000000000bb';
const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const amount = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

function receipt(...logs: Receipt['logs']): Receipt {
  const mined = { status: 'success', blockNumber: 1n, gasUsed: 1n, effectiveGasPrice: 1n, fee: 1n } as const;
  return { hash: '0x01', from: user, ...mined, logs, witnesses: ['node'] };
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

describe('inTokens', () => {
  const sent = (from: string): Receipt['logs'][number] => ({
    address: token,
    topics: [ReceivedAmount.transferTopic, word(from), word(user)],
    data: amount(5n),
  });

  test('default: each payment has an id of its own', () => {
    const ids = ReceivedAmount.inTokens(receipt(sent(token), sent(token)), token, { to: user }).map(({ id }) => id);
    expect(ids).toEqual(['0x01.0', '0x01.1']);
  });

  test('behavior: what an account sends to itself, or the payer sends, is no payment', () => {
    const payer = '0x00000000000000000000000000000000000000cc';
    expect(ReceivedAmount.inTokens(receipt(sent(user)), token, { to: user })).toEqual([]);
    expect(ReceivedAmount.inTokens(receipt(sent(payer)), token, { to: user, notFrom: payer })).toEqual([]);
  });
});

test.each(['0x', '0x05', `${amount(5n)}00`, `${amount(5n)}${'0'.repeat(64)}`] as const)(
  'inTokens of an event that states no amount: error: %s',
  (data) => {
    const topics = [ReceivedAmount.transferTopic, word(token), word(user)];
    expect(ReceivedAmount.inTokens(receipt({ address: token, topics, data }), token, { to: user })).toEqual([]);
  },
);

test('distinct: each hash once, and nothing that is none', () => {
  const hash = `0x${'aB'.repeat(32)}`;
  expect(ReceivedAmount.distinct([hash, hash.toLowerCase(), '0x12', 'x'], /^0x[0-9a-f]{64}$/)).toEqual([
    hash.toLowerCase(),
  ]);
});

describe('onVenue', () => {
  test('default: each executed transfer to the account, with an id of its own', async () => {
    const venue = await startVenue();
    const [one, two, strange] = [
      await paidByService(venue, 100, 5_000_000n),
      await paidByService(venue, 100, 7_000_000n),
      await paidByService(venue, 101, 11_000_000n),
    ];
    const all = [one, two, strange, 'ab'.repeat(40)];
    expect(await ReceivedAmount.onVenue(all, 100, venue.client)).toEqual([
      { id: `${one}.venue`, amount: 5_000_000n },
      { id: `${two}.venue`, amount: 7_000_000n },
    ]);
  });

  test.each([
    ['pending', { status: 1 }, []],
    ['failed', { status: 0 }, []],
    ['final', { status: 3 }, [5_000_000n]],
    ['no transfer', { info: '{}' }, []],
    ['no JSON', { info: 'hush' }, []],
    ['of another asset', { change: { AssetIndex: 1 } }, []],
    ['of the account to itself', { change: { FromAccountIndex: 100 } }, []],
  ])('behavior: a transaction that is %s', async (_, change, amounts) => {
    const venue = await startVenue();
    const hash = await paidByService(venue, 100, 5_000_000n);
    const shown = await venue.client.transaction(hash);
    if (!shown) throw new Error('It is not shown.');
    const { change: fields, ...own } = { change: {}, ...change };
    const info = JSON.stringify({ ...JSON.parse(shown.info), ...fields });
    const client: Venue = { ...venue.client, transaction: async () => ({ ...shown, info, ...own }) };
    const found = await ReceivedAmount.onVenue([hash], 100, client);
    expect(found.map((each) => each.amount)).toEqual(amounts);
  });
});
