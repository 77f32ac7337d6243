import { encodeAbiParameters, toEventSelector } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/core/base/Address.js';
import { native } from '../../../src/core/base/Address.js';
import { BaseError } from '../../../src/core/base/Errors.js';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as AddressExecution from '../../../src/core/deposit/AddressExecution.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';

const chain = Network.chain(network, 'alpha');
const usdc = Network.token(chain, 'usdc')?.address as Address;
const depository = chain.contracts.depository as Address;
const orderId: Hex = `0x${'5a'.repeat(32)}`;
const depositor: Address = `0x${'7b'.repeat(20)}`;

function nativeLog(amount: bigint, id: Hex, address: Address = depository) {
  const types = [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }] as const;
  const topic = toEventSelector('RelayNativeDeposit(address,uint256,bytes32)');
  return { address, topics: [topic], data: encodeAbiParameters(types, [depositor, amount, id]) };
}

function tokenLog(token: Address, amount: bigint, id: Hex) {
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }] as const;
  const topic = toEventSelector('RelayErc20Deposit(address,address,uint256,bytes32)');
  return { address: depository, topics: [topic], data: encodeAbiParameters(types, [depositor, token, amount, id]) };
}

test('depositIn: only the depository’s, only of the order, only of its currency', () => {
  const other: Hex = `0x${'5b'.repeat(32)}`;
  const logs = [nativeLog(1n, other), nativeLog(7n, orderId)];
  expect(AddressExecution.depositIn({ logs }, { chain, orderId, token: native })).toBe(7n);
  const tokens = [tokenLog(depositor, 5n, orderId), tokenLog(usdc, 9n, orderId)];
  expect(AddressExecution.depositIn({ logs: tokens }, { chain, orderId, token: usdc })).toBe(9n);
  const terms = { chain, orderId, token: native };
  expect(AddressExecution.depositIn({ logs: [nativeLog(7n, orderId, depositor)] }, terms)).toBeUndefined();
  expect(AddressExecution.depositIn({ logs: [tokenLog(usdc, 7n, orderId)] }, terms)).toBeUndefined();
  expect(AddressExecution.depositIn({ logs: [nativeLog(7n, orderId)] }, { ...terms, token: usdc })).toBeUndefined();
  expect(AddressExecution.depositIn({ logs: [] }, terms)).toBeUndefined();
});

describe('follow', () => {
  const beta = Network.chain(network, 'beta');
  const [from, to] = [Network.token(chain, 'usdc'), Network.token(beta, 'usdc')];
  const untilS = 1_800_000_060;
  const order = { orderId, orderData: { output: { deadline: untilS }, inputs: [] } };
  const intent = { origin: { chain, token: from }, destination: { chain: beta, token: to }, refundTo: depositor };
  const items = [{ depositAddress: depositor }];
  const quote = { requestId: orderId, input: 100n, minimum: 1n, intent, items, response: { protocol: { v2: order } } };
  const plan = { intent, quote, requestId: orderId, actions: [], permits: [] } as never;

  /** How following ends at a service that says the same for ever, by what the address shows at a second from the start. */
  async function ended(
    paymentMs: number | undefined,
    at: (second: number) => Partial<AddressExecution.Holding>,
    status: string | ((second: number) => string | undefined) = 'waiting',
    stopAt = Number.POSITIVE_INFINITY,
    { isHidden = false, aheadMs = 0 }: { isHidden?: boolean; aheadMs?: number } = {},
  ) {
    const stop = new AbortController();
    let now = untilS * 1000 - 60_000;
    const since = (): number => (now - untilS * 1000 + 60_000) / 1000;
    const shown = () => ({ balance: 0n, wasTaken: false, ...at(since()) });
    const origin = {
      balance: async () => shown().balance,
      code: async () => '0x',
      minedNonce: async () => (shown().wasTaken ? 1 : 0),
      tip: async () => ({ number: 1n, timestamp: BigInt(Math.floor((now - aheadMs) / 1000)) }),
    };
    const clock = {
      now: () => now,
      sleep: async (ms: number) => {
        now += ms;
        if (since() >= stopAt) stop.abort();
      },
    };
    const service = {
      status: async () => {
        const said = typeof status === 'string' ? status : status(since());
        if (said === undefined) throw new BaseError('service.timeout', 'The service took too long to answer.');
        return { status: said };
      },
    };
    const journal = { append: async () => undefined };
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    const ports = { service, origin, journal, clock, signal: stop.signal, warn } as never;
    const events: string[] = [];
    try {
      for await (const event of AddressExecution.follow(plan, ports, { timeoutMs: 1_000, paymentMs, isHidden }))
        events.push(event.type);
    } catch (error) {
      return { error, events, warnings };
    }
    throw new Error('The service says the same for ever.');
  }

  test('error: nothing came', async () => {
    expect((await ended(30_000, () => ({}))).error).toMatchObject({ code: 'track.unfinished', funds: 'untouched' });
    expect((await ended(undefined, () => ({}))).error).toMatchObject({ code: 'submit.expired', funds: 'untouched' });
  });

  test('attack: a clock that is ahead has no address expire that can still be paid', async () => {
    const { error } = await ended(3_600_000, () => ({}), 'waiting', undefined, { aheadMs: 7_200_000 });
    expect(error).toMatchObject({ code: 'track.unfinished', hint: expect.stringContaining('It can be paid') });
  });

  test('attack: what was never paid is neither held nor on its way back, whatever the service says', async () => {
    for (const status of ['failure', 'refund']) {
      const [soon, late] = [await ended(30_000, () => ({}), status), await ended(undefined, () => ({}), status)];
      const hint = expect.stringMatching(/^Do not pay it any more/);
      expect(soon.error).toMatchObject({ code: 'track.unfinished', funds: 'untouched', hint });
      expect(late.error).toMatchObject({ code: 'submit.expired', funds: 'untouched', hint });
    }
  });

  test('attack: a service that takes back that it has a payment has not shown that one is under way', async () => {
    const takenBack = (second: number) => (second < 1 ? 'pending' : 'waiting');
    const { error } = await ended(undefined, () => ({}), takenBack);
    expect(error).toMatchObject({ code: 'track.unfinished', funds: 'unknown' });
    expect((await ended(undefined, () => ({}), 'pending')).error).toMatchObject({ funds: 'in-flight' });
  });

  test('behavior: what was looked at while the service was silent is not called unpaid', async () => {
    const silent = (second: number) => (second < 1 ? 'waiting' : undefined);
    const { error } = await ended(undefined, () => ({}), silent, 20);
    expect(error).toMatchObject({
      code: 'track.unfinished',
      funds: 'unknown',
      hint: expect.stringContaining('do not'),
    });
  });

  test.each([
    ['nothing came', 0n, 30_000],
    ['it has expired', 0n, undefined],
    ['too little lies there', 7n, 30_000],
  ])('behavior: an address that nobody was shown is not named: %s', async (_, balance, paymentMs) => {
    const [named, hidden] = await Promise.all([
      ended(paymentMs, () => ({ balance })),
      ended(paymentMs, () => ({ balance }), 'waiting', undefined, { isHidden: true }),
    ]);
    const addressIn = ({ error }: typeof named) =>
      (error as BaseError).facts.filter(([, value]) => value === depositor).length;
    expect([addressIn(named), addressIn(hidden)]).toEqual([1, 0]);
    expect(named.events).toEqual(balance > 0n ? ['status', 'address-balance'] : ['status']);
    expect(hidden.events).toEqual(['status']);
  });

  test('attack: what was paid and taken is not called unpaid, although the service waits and nothing lies there', async () => {
    const swept = (second: number) => ({ balance: second > 5 && second < 10 ? 100n : 0n, wasTaken: second >= 10 });
    for (const paymentMs of [30_000, 3_600_000])
      expect(await ended(paymentMs, swept)).toMatchObject({
        error: { code: 'track.unfinished', funds: 'unknown', hint: expect.stringContaining('do not pay it again') },
        events: ['status', 'address-balance', 'address-balance'],
      });
  });

  test('behavior: what is waited for is said once, a minute after the address was emptied', async () => {
    const taken = () => ({ wasTaken: true });
    expect((await ended(30_000, taken)).warnings).toEqual([]);
    expect((await ended(3_600_000, taken)).warnings).toEqual([expect.stringMatching(/has been taken.*Ctrl-C/)]);
    expect((await ended(3_600_000, () => ({ balance: 5n }))).warnings).toEqual([]);
  });

  test('behavior: one that is paid while it is not looked at is not called unpaid either', async () => {
    const before = () => ({ wasTaken: true });
    expect((await ended(30_000, before)).error).toMatchObject({ code: 'track.unfinished', funds: 'unknown' });
  });
});
