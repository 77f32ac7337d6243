import { encodeAbiParameters, toEventSelector } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/core/base/Hex.js';
import * as Resumption from '../../../src/core/execution/Resumption.js';
import { network } from '../../../src/core/network/sandbox.js';
import * as Journal from '../../../src/core/tracking/Journal.js';
import * as journals from '../../support/journals.js';
import { intent, quote } from '../../support/quoted.js';

describe('showsDeposit', () => {
  type Shown = { to?: string; names?: string[]; status?: string; address?: string; id?: Hex };

  /** Whether a deposit is shown by a transaction that the service may name, in an event for an order. */
  async function shows({ to = 'beta/usdc', names = ['0x02'], status = 'success', ...event }: Shown): Promise<boolean> {
    const of = await quote(intent('1', 'alpha/usdc', to));
    const { contracts } = of.intent.origin.chain;
    const { address = contracts.depository, id = (of.response.protocol?.v2?.orderId ?? of.requestId) as Hex } = event;
    const fields = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }] as const;
    const user = of.intent.user as Hex;
    const data = encodeAbiParameters(fields, [user, of.intent.origin.token.address as Hex, 1n, id]);
    const topics = [toEventSelector('RelayErc20Deposit(address,address,uint256,bytes32)')];
    const service = { status: async () => ({ status: 'pending', inTxHashes: names }) };
    const node = { receipt: async () => ({ status, logs: [{ address, topics, data }] }) };
    return Resumption.showsDeposit(of, { service, node } as never);
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

  test('behavior: a node that does not answer shows nothing', async () => {
    const service = { status: async () => ({ status: 'pending', inTxHashes: ['0x02'] }) };
    const node = { receipt: () => Promise.reject(new Error('silent')) };
    const of = await quote(intent('1', 'alpha/usdc', 'beta/usdc'));
    expect(await Resumption.showsDeposit(of, { service, node } as never)).toBe(false);
  });
});

describe('of another place or account', () => {
  const elsewhere = { network: { ...network, name: 'mainnet' }, instance: undefined } as const;
  const owner = `0x${'0a'.repeat(20)}` as const;
  const other = `0x${'0b'.repeat(20)}` as const;

  test.each([
    ['nothing is signed', journals.transactions.slice(0, 4), 'untouched'],
    ['an approval is signed', journals.transactions.slice(0, 5), 'untouched'],
    ['the payment is signed', journals.transactions.slice(0, 8), 'unknown'],
    ['a deposit address was shown', journals.address, 'unknown'],
    ['it has ended', journals.transactions, 'delivered'],
  ] as const)('error: where %s, it says where the money is', (_, entries, funds) => {
    const state = Journal.from(entries);
    const error = expect.objectContaining({ code: 'run.elsewhere', funds });
    expect(() => Resumption.assertHere(state, elsewhere)).toThrow(error);
    expect(() => Resumption.assertSender(state, owner, other)).toThrow(error);
  });

  test.each([
    ['is unfinished', journals.transactions.slice(0, 8), `ferry runs close ${journals.intent.run}`],
    ['has ended', journals.transactions, undefined],
  ] as const)('error: of a sandbox that was reset, where it %s, it says how the run is ended', (_, entries, next) => {
    const state = Journal.from(entries);
    const reset = { network, instance: `not ${state.instance}` };
    expect([Resumption.isReset(state, reset), Resumption.isReset(state, elsewhere)]).toEqual([true, false]);
    expect(Resumption.isReset(state, { network, instance: undefined })).toBe(false);
    expect(() => Resumption.assertHere(state, reset)).toThrow(expect.objectContaining({ code: 'run.elsewhere', next }));
  });
});
