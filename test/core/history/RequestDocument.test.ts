import { describe, expect, test } from 'vitest';
import * as RequestsV2 from '../../../src/core/api/RequestsV2.js';
import * as RequestsV3 from '../../../src/core/api/RequestsV3.js';
import * as RequestDocument from '../../../src/core/history/RequestDocument.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as RecordV2 from '../../../src/sandbox/ledger/RecordV2.js';
import * as RecordV3 from '../../../src/sandbox/ledger/RecordV3.js';
import { add, deposited, filled, ledgerAt, refunded, transaction } from '../../support/entries.js';
import * as recorded from '../../support/recorded.js';

const { fromV3, fromV2 } = RequestDocument;

function recordedV3(index: number): RequestsV3.Record {
  const record = RequestsV3.response.parse(recorded.read('requests-v3')).requests[index];
  if (!record) throw new Error('no such record');
  return record as RequestsV3.Record;
}

/** A request in both versions of the service's records. */
async function both(state: 'waiting' | 'delivered' | 'refunded') {
  const ledger = ledgerAt(1_790_000_000_000);
  let entry = await add(ledger);
  const { requestId } = entry.order;
  if (state !== 'waiting') entry = ledger.update(requestId, deposited(entry));
  if (state === 'delivered') entry = ledger.update(requestId, filled(entry, 99_000_000n));
  if (state === 'refunded') entry = ledger.update(requestId, refunded(entry, 99_900_000n));
  const v3 = RequestsV3.record.parse(RecordV3.from(entry, { isAuthenticated: false })) as RequestsV3.Record;
  const v2 = RequestsV2.record.parse(RecordV2.from(entry)) as RequestsV2.Record;
  return { v3: fromV3(v3, network), v2: fromV2(v2, network) };
}

/** Fields that the deprecated records lack. */
const onlyInV3 = { kind: 'Bridge', refundTo: expect.any(String) };

describe('fromV3', () => {
  test('default: a delivered request', () => {
    expect(fromV3(recordedV3(0), network)).toMatchObject({
      requestId: '0x17900000018235d7e54787c0819f4544368195a9cf6048ab93ed7c6471c8cab0',
      orderId: '0xb571fffd955c3477403b0d8dae1e46f38a4a90793494b2dbb787af32110aed4d',
      status: 'success',
      words: 'the service reports the delivery',
      funds: 'delivered',
      finished: true,
      kind: 'Bridge',
      origin: { currency: 'alpha/usdc', amount: '100000000', formatted: '100', usd: '100.000000' },
      destination: { currency: 'beta/usdc', formatted: '99.967532' },
      refunded: null,
      transactions: [
        { role: 'deposit', chain: 'alpha', block: 88, at: '2026-09-21T14:13:24.000Z', feeUsd: '0.001345', url: null },
        { role: 'fill', chain: 'beta', status: 'success' },
      ],
      failReason: null,
      fees: {
        quoted: { execution: '-0.022481', swap: '-0.009987', platform: '0.000000', rent: null },
        actual: { execution: '-0.022481' },
      },
    });
  });

  test('behavior: a refund has its amount, transaction and reason', () => {
    expect(fromV3(recordedV3(1), network)).toMatchObject({
      status: 'refund',
      funds: 'returned',
      failReason: expect.any(String),
      refunded: { chain: 'alpha', currency: 'alpha/eth', formatted: expect.stringMatching(/^0\.\d+$/) },
      transactions: [{ role: 'deposit' }, { role: 'refund', chain: 'alpha' }],
    });
  });

  test('behavior: a fill that failed before the refund is not a refund', () => {
    const record = recordedV3(1);
    const hash = `0x${'f'.repeat(64)}`;
    const outTxs = [{ txHash: hash, chainId: 313372, status: 'failure' }, ...(record.data?.outTxs ?? [])];
    const fills = [{ chainId: 313372, transactionId: hash }];
    const refunds = record.protocol?.settlement?.destination?.refunds ?? [];
    const protocol = { ...record.protocol, settlement: { destination: { fills, refunds } } };
    const { transactions } = fromV3({ ...record, protocol, data: { ...record.data, outTxs } }, network);
    const ends = transactions.map(({ role, status }) => `${role}: ${status}`);
    expect(ends).toEqual(['deposit: success', 'fill: failure', 'refund: success']);
    // Without a settlement of the order, the status decides.
    const roles = fromV3({ ...record, protocol: null }, network).transactions.map(({ role }) => role);
    expect(roles).toEqual(['deposit', 'refund']);
  });

  test('behavior: a record with only the required fields', () => {
    const document = fromV3({ id: '0x01', status: 'brand-new' }, network);
    expect(document).toMatchObject({ requestId: '0x01', status: 'brand-new', funds: 'in-flight', finished: false });
    expect(RequestDocument.schema.safeParse(document).success).toBe(true);
    expect(document).toMatchObject({ createdAt: null, transactions: [], fees: { quoted: null, actual: null } });
  });

  test('behavior: invalid times are null, transactions without a hash are left out', () => {
    const data = { inTxs: [{ txHash: '0x02', timestamp: 1e20 }, { chainId: 1 }, { txHash: '' }] };
    const document = fromV3({ id: '0x01', status: 'pending', createdAt: 'yesterday', data }, network);
    expect(document.createdAt).toBeNull();
    expect(document.transactions).toMatchObject([{ hash: '0x02', at: null, chain: null }]);
  });

  test("behavior: links lead to the chain's explorer, whatever the hash holds", () => {
    const chains = network.chains.map((chain) => ({ ...chain, explorerUrl: 'https://explorer.example' }));
    const data = { inTxs: [{ txHash: '../x?a=b#c', chainId: 313371 }] };
    const { transactions } = fromV3({ id: '0x01', status: 'pending', data }, { ...network, chains });
    expect(transactions[0]?.url).toBe('https://explorer.example/tx/..%2Fx%3Fa%3Db%23c');
  });
});

test.each(['waiting', 'delivered', 'refunded'] as const)(
  'fromV2: a %s request reads like that of v3, as far as the record goes',
  async (state) => {
    const { v2, v3 } = await both(state);
    expect(v3).toMatchObject(onlyInV3);
    const { kind, refundTo, refunded: _, features: __, transactions, ...rest } = v3;
    // The records of v2 state the gas of a transaction in wei alone.
    const shared = { ...rest, transactions: transactions.map((each) => ({ ...each, feeUsd: null })) };
    expect([kind, refundTo]).not.toContain(null);
    expect(v2).toMatchObject(shared);
    expect(v2).toMatchObject({ kind: null, refundTo: null, refunded: null });
  },
);

test('isKnownAs: by request id, order id and every transaction', async () => {
  const { v3 } = await both('delivered');
  for (const name of [v3.requestId, v3.orderId ?? '', transaction('a').hash, transaction('b').hash.toUpperCase()])
    expect(RequestDocument.isKnownAs(v3, name.replace(/^0X/, '0x'))).toBe(true);
  expect(RequestDocument.isKnownAs(v3, v3.user ?? '')).toBe(false);
  expect(RequestDocument.isKnownAs({ ...v3, orderId: null }, '')).toBe(false);
});
