import { encodeAbiParameters, numberToHex, pad, toEventSelector } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as Arrival from '../../../src/core/execution/Arrival.js';
import * as Plan from '../../../src/core/execution/Plan.js';
import * as ReceivedAmount from '../../../src/core/execution/ReceivedAmount.js';
import * as TransferStatus from '../../../src/core/tracking/TransferStatus.js';
import { createCountedHere } from '../../../src/io/locks/countedPayments.js';
import { intent, quote } from '../../support/quoted.js';
import { paidByService, startVenue, venueAt } from '../../support/venue.js';
import * as withdrawal from '../../support/withdrawal.js';

/** What the service says of a transfer that it has paid out. */
const ended = (status: 'success' | 'refund', ...txHashes: readonly string[]): TransferStatus.Progress =>
  TransferStatus.reduce(TransferStatus.from('0x01'), { status, txHashes: [...txHashes], destinationChainId: 3586256 });

/** The plan of a deposit to account 100, or of a withdrawal from it. */
async function plan(kind: 'deposit' | 'withdrawal', orderId = '0x01'): Promise<Plan.Plan> {
  const whole = Plan.from(await withdrawal.verify(withdrawal.quote(kind)));
  const parties = kind === 'deposit' ? { recipient: '100' } : { user: '100', refundTo: '100' };
  const { response } = whole.quote;
  const order = { v2: { ...response.protocol?.v2, orderId } } as typeof response.protocol;
  const quote = { ...whole.quote, response: { ...response, protocol: order } };
  return { ...whole, quote, intent: { ...whole.intent, ...parties } };
}

const portsOf = (venue: Arrival.Ports['venue']): Arrival.Ports => ({
  origin: undefined,
  destination: undefined,
  venue,
  counted: createCountedHere(),
});
const unknown = { head: undefined, deposit: undefined };

describe('look, at the venue', () => {
  test('default: the credit that the service names, counted for one transfer alone', async () => {
    const venue = await startVenue();
    const { quote, intent } = await plan('deposit');
    const hash = await paidByService(venue, 100, quote.minimum);
    const ports = portsOf(venue.client);
    // The service says one request id of both.
    const look = async (orderId: string) =>
      Arrival.look(await plan('deposit', orderId), ended('success', hash, hash), ports, unknown);
    const { chain, token } = intent.destination;
    const place = { chain, to: intent.recipient, decimals: 6, symbol: token.symbol };
    const shown = { kind: 'shown', amount: quote.minimum, place, witnesses: ['the service', 'the venue'] };
    expect(await look('0x01')).toEqual(shown);
    expect(await look('0x02')).toMatchObject({ kind: 'absent' });
    expect(await look('0x01')).toEqual(shown);
  });

  test('behavior: less than the minimum has not arrived; two payments may make it up', async () => {
    const venue = await startVenue();
    const own = await plan('deposit');
    const [first, second] = [
      await paidByService(venue, 100, own.quote.minimum - 1n),
      await paidByService(venue, 100, 1_000_000n),
    ];
    const ports = portsOf(venue.client);
    expect(await Arrival.look(own, ended('success', first), ports, unknown)).toMatchObject({ kind: 'absent' });
    expect(await Arrival.look(own, ended('success', first, second), ports, unknown)).toMatchObject({
      kind: 'shown',
      amount: own.quote.minimum + 999_999n,
    });
  });

  test('behavior: a withdrawal that was refunded comes back to the account, at least the half of it', async () => {
    const venue = await startVenue();
    const own = await plan('withdrawal');
    const [whole, crumb] = [
      await paidByService(venue, 100, own.quote.input),
      await paidByService(venue, 100, own.quote.input / 2n - 1n),
    ];
    const ports = portsOf(venue.client);
    expect(await Arrival.look(own, ended('refund', crumb), ports, unknown)).toMatchObject({ kind: 'absent' });
    expect(await Arrival.look(own, ended('refund', whole), ports, unknown)).toMatchObject({ kind: 'shown' });
  });

  test('behavior: a venue that does not answer is silent; without one there is nobody to ask', async () => {
    const progress = ended('success', 'ab'.repeat(40));
    const own = await plan('deposit');
    expect((await Arrival.look(own, progress, portsOf(venueAt('http://127.0.0.1:1')), unknown)).kind).toBe('silent');
    expect((await Arrival.look(own, progress, portsOf(undefined), unknown)).kind).toBe('nobody');
  });
});

describe('blockOfDeposit', () => {
  const named = `0x${'02'.repeat(32)}`;

  type Shown = { to?: string; names?: string[]; status?: string; address?: string; id?: Hex };

  /** Whether a deposit is shown by a transaction that the service may name, in an event for an order. */
  async function shows({ to = 'beta/usdc', names = [named], status = 'success', ...event }: Shown): Promise<boolean> {
    const of = await quote(intent('1', 'alpha/usdc', to));
    const { contracts } = of.intent.origin.chain;
    const { address = contracts.depository, id = (of.response.protocol?.v2?.orderId ?? of.requestId) as Hex } = event;
    const fields = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }] as const;
    const user = of.intent.user as Hex;
    const data = encodeAbiParameters(fields, [user, of.intent.origin.token.address as Hex, 1n, id]);
    const topics = [toEventSelector('RelayErc20Deposit(address,address,uint256,bytes32)')];
    const node = { receipt: async () => ({ status, blockNumber: 7n, logs: [{ address, topics, data }] }) };
    return (await Arrival.blockOfDeposit({ quote: of, intent: of.intent }, names, node as never)) === 7n;
  }

  test('default: a transaction that the service names has the depository’s event for the order', async () => {
    expect(await shows({})).toBe(true);
  });

  test('behavior: the word of the service alone, a reverted transaction and one of another order show nothing', async () => {
    expect(await shows({ names: [] })).toBe(false);
    expect(await shows({ status: 'reverted' })).toBe(false);
    expect(await shows({ id: `0x${'cd'.repeat(32)}` })).toBe(false);
  });

  test('attack: an event of a contract that anybody can make shows nothing', async () => {
    expect(await shows({ address: `0x${'66'.repeat(20)}` })).toBe(false);
  });

  test('behavior: on one chain there is no order to show', async () => {
    expect(await shows({ to: 'alpha/gull' })).toBe(false);
  });

  test('behavior: a node that does not answer does not show that there is none', async () => {
    const node = { receipt: () => Promise.reject(new Error('silent')) };
    const of = await quote(intent('1', 'alpha/usdc', 'beta/usdc'));
    const shown = Arrival.blockOfDeposit({ quote: of, intent: of.intent }, [named], node as never);
    await expect(shown).rejects.toThrow('silent');
  });
});

describe('look, for what the payer itself has sent', () => {
  const hash: Hex = `0x${'ab'.repeat(32)}`;
  const other = '0x00000000000000000000000000000000000000cc';

  /** A node with one transaction in which the native asset moves to the recipient. */
  const nodeOf = (from: string, sent: object, frames: readonly object[] = []) => ({
    receipt: async () => ({ hash, from, status: 'success', blockNumber: 9n, fee: 0n, logs: [], witnesses: ['node'] }),
    transaction: async () => sent,
    trace: async () => frames,
  });

  const look = async (payer: string, value: bigint, isTraced: boolean) => {
    const own = await quote(intent('1', 'alpha/eth', 'beta/eth', { recipient: other }));
    const plan = Plan.restored(own);
    const frame = { depth: 1, type: 'CALL', from: payer, to: other, value: String(value) };
    // Traced, somebody else submits what the payer's account does.
    const node = isTraced
      ? nodeOf('0x00000000000000000000000000000000000000ee', { to: payer, value: 0n }, [frame])
      : nodeOf(payer, { to: other, value });
    const destination = node as never;
    const ports = { ...portsOf(undefined), destination };
    const head = { chainId: own.intent.destination.chain.id, block: '8' };
    return (await Arrival.look(plan, ended('success', hash), ports, { head, deposit: undefined })).kind;
  };

  test.each([false, true])(
    'behavior: its own native payment to the recipient is no fill (traced: %s)',
    async (traced) => {
      const own = await quote(intent('1', 'alpha/eth', 'beta/eth', { recipient: other }));
      const solver = '0x00000000000000000000000000000000000000dd';
      expect(await look(solver, own.minimum, traced)).toBe('shown');
      expect(await look(own.intent.user, own.minimum, traced)).toBe('absent');
    },
  );

  test('attack: on one chain no transaction counts but the one that was to pay', async () => {
    const own = await quote(intent('5', 'alpha/usdc', 'alpha/gull', { recipient: other }));
    const [paid, named]: Hex[] = [hash, `0x${'cd'.repeat(32)}`];
    const { address } = own.intent.destination.token;
    const topics = [ReceivedAmount.transferTopic, ...[own.intent.user, other].map((each) => pad(each as Hex))];
    const log = { address, topics, data: numberToHex(own.minimum, { size: 32 }) };
    const filled = async (paying: Hex) => {
      const receipt = async (of: Hex) => ({
        ...{ hash: of, from: own.intent.user, status: 'success', blockNumber: 9n },
        logs: of === paying ? [log] : [],
      });
      const ports = { ...portsOf(undefined), origin: { receipt } as never, destination: { receipt } as never };
      const head = { chainId: own.intent.destination.chain.id, block: '8' };
      const found = { head, deposit: { receipt: await receipt(paid ?? '0x') } as never };
      return (await Arrival.look(Plan.restored(own), ended('success', named ?? '0x'), ports, found)).kind;
    };
    expect([await filled(paid ?? '0x'), await filled(named ?? '0x')]).toEqual(['shown', 'absent']);
  });

  test('attack: on one chain with an order, what the account has sent itself is no fill', async () => {
    const own = await quote(intent('5', 'alpha/usdc', 'alpha/gull', { recipient: other }));
    const { protocol } = (await quote(intent('5', 'alpha/usdc', 'beta/usdc'))).response;
    const solver = '0x00000000000000000000000000000000000000dd';
    const topics = [ReceivedAmount.transferTopic, ...[solver, other].map((each) => pad(each as Hex))];
    const { address } = own.intent.destination.token;
    const log = { address, topics, data: numberToHex(own.minimum, { size: 32 }) };
    const filled = async (from: string) => {
      const receipt = { hash, from, status: 'success', blockNumber: 9n, logs: [log] };
      const node = { receipt: async () => receipt };
      const ports = { ...portsOf(undefined), origin: node as never, destination: node as never };
      const head = { chainId: own.intent.destination.chain.id, block: '8' };
      const plan = Plan.restored({ ...own, response: { ...own.response, protocol } });
      return (await Arrival.look(plan, ended('success', hash), ports, { head, deposit: { receipt } as never })).kind;
    };
    expect([await filled(solver), await filled(own.intent.user)]).toEqual(['shown', 'absent']);
  });

  test('attack: what the recipient itself has bought or wrapped is no fill', async () => {
    const own = await quote(intent('5', 'alpha/usdc', 'beta/usdc', { recipient: other }));
    const [solver, pool] = ['0x00000000000000000000000000000000000000dd', '0x00000000000000000000000000000000000000ee'];
    const filled = async (from: string, topic: Hex, ...parties: readonly string[]) => {
      const topics = [topic, ...parties.map((each) => pad(each as Hex))];
      const { address } = own.intent.destination.token;
      const log = { address, topics, data: numberToHex(own.minimum, { size: 32 }) };
      const node = { receipt: async () => ({ hash, from, status: 'success', blockNumber: 9n, logs: [log] }) };
      const ports = { ...portsOf(undefined), destination: node as never };
      const head = { chainId: own.intent.destination.chain.id, block: '8' };
      return (await Arrival.look(Plan.restored(own), ended('success', hash), ports, { head, deposit: undefined })).kind;
    };
    const { transferTopic, wrapTopic } = ReceivedAmount;
    expect(await filled(solver, transferTopic, pool, other)).toBe('shown');
    expect(await filled(other, transferTopic, pool, other)).toBe('absent');
    // A relayer may submit what the account does.
    expect(await filled(solver, wrapTopic, other)).toBe('absent');
  });

  test('behavior: its own payment to the refund address is no refund', async () => {
    const own = await quote(intent('5', 'alpha/usdc', 'beta/usdc', { refundTo: other }));
    const refunded = async (from: string) => {
      const topics = [ReceivedAmount.transferTopic, ...[from, other].map((each) => pad(each as Hex))];
      const log = { address: own.intent.origin.token.address, topics, data: numberToHex(own.input, { size: 32 }) };
      const node = { receipt: async () => ({ hash, from, status: 'success', blockNumber: 9n, logs: [log] }) };
      const receipt = { hash, blockNumber: 9n } as never;
      const ports = { ...portsOf(undefined), origin: node as never };
      const found = { head: undefined, deposit: { receipt } };
      return (await Arrival.look(Plan.restored(own), ended('refund', hash), ports, found)).kind;
    };
    expect(await refunded('0x00000000000000000000000000000000000000dd')).toBe('shown');
    expect(await refunded(own.intent.user)).toBe('absent');
  });

  test('attack: a crumb is no refund of a deposit whose quote states that it may be a crumb', async () => {
    const own = await quote(intent('5', 'alpha/usdc', 'beta/usdc'));
    own.response.details.currencyIn.minimumAmount = '2';
    const solver = '0x00000000000000000000000000000000000000dd';
    const refunded = async (amount: bigint) => {
      const topics = [ReceivedAmount.transferTopic, ...[solver, own.intent.refundTo].map((each) => pad(each as Hex))];
      const log = { address: own.intent.origin.token.address, topics, data: numberToHex(amount, { size: 32 }) };
      const node = { receipt: async () => ({ hash, from: solver, status: 'success', blockNumber: 9n, logs: [log] }) };
      const ports = { ...portsOf(undefined), origin: node as never };
      const found = { head: undefined, deposit: { receipt: { hash, blockNumber: 9n } as never } };
      return (await Arrival.look(Plan.restored(own), ended('refund', hash), ports, found)).kind;
    };
    expect(await refunded(1n)).toBe('absent');
    expect(await refunded(own.input / 2n)).toBe('shown');
  });

  test('behavior: a refund that a reorganization put below the deposit counts, one from before the quote does not', async () => {
    const own = await quote(intent('1', 'alpha/eth', 'beta/eth'));
    const solver = '0x00000000000000000000000000000000000000dd';
    const refunded = async (afterQuoteMs: number) => {
      const node = {
        ...nodeOf(solver, { to: own.intent.refundTo, value: own.input }),
        blockTime: async () => BigInt(Math.floor((own.quotedAt + afterQuoteMs) / 1000)),
      };
      const ports = { ...portsOf(undefined), origin: node as never };
      const found = { head: undefined, deposit: { receipt: { hash, blockNumber: 12n } as never } };
      return (await Arrival.look(Plan.restored(own), ended('refund', hash), ports, found)).kind;
    };
    expect(await refunded(1_000)).toBe('shown');
    expect(await refunded(-60_000)).toBe('absent');
  });
});

test('topup: a payment that another transfer has counted is none of this one', async () => {
  const hash: Hex = `0x${'ab'.repeat(32)}`;
  const receipt = { hash, from: '0xdd', status: 'success', blockNumber: 9n, fee: 0n, logs: [], witnesses: ['node'] };
  const ports = { ...portsOf(undefined), destination: {} as NonNullable<Arrival.Ports['destination']> };
  const topup = async (amount: string): Promise<bigint | undefined> => {
    const own = await quote(intent(amount, 'alpha/usdc', 'beta/usdc'));
    const { destination, recipient } = own.intent;
    Object.assign(ports.destination, {
      receipt: async () => receipt,
      transaction: async () => ({ to: recipient, value: 7n }),
    });
    const head = { chainId: destination.chain.id, block: '8' };
    return Arrival.topup(Plan.restored(own), ended('success', hash), ports, { head, deposit: undefined });
  };
  expect([await topup('1'), await topup('2'), await topup('1')]).toEqual([7n, 0n, 7n]);
});
