import { describe, expect, test } from 'vitest';
import type * as Deposit from '../../../src/sandbox/ledger/Deposit.js';
import type { Entry } from '../../../src/sandbox/ledger/ledger.js';
import type { Order } from '../../../src/sandbox/quote/Order.js';
import type { Instance } from '../../../src/sandbox/settlement/instance.js';
import * as sendCredit from '../../../src/sandbox/settlement/sendCredit.js';
import { creditOf } from '../../../src/sandbox/settlement/sendCredit.js';
import * as settled from '../../../src/sandbox/settlement/settled.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import type { EvmChain, Market } from '../../../src/sandbox/values/Market.js';
import { useChains } from '../../support/chains.js';
import { bridgeOn, instanceOn, ordered as orderedIn } from '../../support/instances.js';
import * as fixture from '../../support/market.js';

const chains = useChains();
const never = new AbortController().signal;
const venueId = 3586256;
const orderId = `0x${'17'.repeat(32)}` as const;

const instance = (): Instance => instanceOn(chains);

/** A venue deposit's order in the state after the deposit. */
function ordered(one: Instance, recipient: string): Promise<Entry> {
  const change = { recipient, destinationChainId: venueId, destinationCurrency: '0', amount: '100000000' };
  return orderedIn(one, bridgeOn(chains, change));
}

function hooks(reported: unknown[] = []) {
  return { onSent: (sent: unknown) => reported.push(sent), signal: never };
}

const usdc = ({ venue }: Instance, index: number): bigint => venue.account(index)?.usdc ?? -1n;

describe('fill', () => {
  test('behavior: of two concurrent first credits only one pays the activation fee', async () => {
    const one = instance();
    const entries = [await ordered(one, '106'), await ordered(one, '106')];
    const sent = await Promise.all(entries.map((entry) => sendCredit.fill(one, entry, hooks())));
    const [first = 0n, second = 0n] = sent.map((each) => ('amount' in each ? each.amount : 0n));
    expect(first).toBe(entries[0]?.order.destination.amount);
    expect(second).toBe(first + 1_000_000n);
    expect(usdc(one, 7)).toBe(100_000_000_000_000n - first - second - 1_000_000n);
  });

  test('error: insufficient relayer balance', async () => {
    const one = instance();
    const entry = await ordered(one, '100');
    const all = await one.venue.pay({ to: 100, amount: 99_999_950_000_000n, memo: orderId }, () => {});
    await settled.waitFor(one, { chainId: venueId, hash: all }, never);
    expect(await sendCredit.fill(one, entry, hooks())).toEqual({ failReason: 'SOLVER_BALANCE_TOO_LOW' });
  });

  test('error: rejected by the venue', async () => {
    const one = instance();
    const entry = await ordered(one, '100');
    const tiny = { ...entry, order: { ...entry.order, solverAmount: 5n } };
    tiny.order.destination = { ...tiny.order.destination, minimumAmount: 1n };
    expect(await sendCredit.fill(one, tiny, hooks())).toEqual({ failReason: 'TRANSACTION_SUBMISSION_FAILED' });
    expect(usdc(one, 100)).toBe(10_000_000_000n);
  });
});

describe('refund', () => {
  const deposit: Deposit.OnVenue = {
    orderId,
    chainId: venueId,
    hash: 'ab'.repeat(40),
    logIndex: 0,
    depositor: '100',
    currency: '0',
    amount: 50_000_000n,
  };

  test('behavior: less the activation fee for an account never credited', async () => {
    const one = instance();
    expect(await sendCredit.refund(one, deposit, '106', hooks())).toMatchObject({ amount: 49_000_000n });
  });

  test.each([
    ['an address', deposit, accounts.dev0.address, 'MANUAL_REFUND_REQUIRED'],
    ['another asset', { ...deposit, currency: '1/0' }, '100', 'MANUAL_REFUND_REQUIRED'],
    ['less than the minimum transfer', { ...deposit, amount: 999_999n }, '100', 'AMOUNT_TOO_LOW_TO_REFUND'],
  ] as const)('error: %s', async (_, what, to, failReason) => {
    expect(await sendCredit.refund(instance(), what, to, hooks())).toEqual({ failReason });
  });
});

const usd = 10n ** 6n;
const eth = 10n ** 18n;

async function order(...asked: Parameters<typeof fixture.request>): Promise<Order> {
  return (await fixture.quote(fixture.request(...asked))).order;
}

/** The credit for a deposit of what was expected, or of another amount. */
function credit(asked: Order, market: Market<EvmChain>, activationFee: bigint, deposited = asked.payment.amount) {
  return creditOf(asked, deposited, { market, activationFee });
}

describe('creditOf', () => {
  test.each([
    ['alpha/usdc', 100n * usd, 'EXACT_INPUT'],
    ['alpha/eth', eth, 'EXACT_INPUT'],
    ['alpha/eth', 100n * usd, 'EXACT_OUTPUT'],
  ] as const)(
    'behavior: an activation fee no longer due goes to the recipient: %s',
    async (from, amount, tradeType) => {
      const asked = await order(amount, from, 'lighter/usdc', { recipient: '106', tradeType });
      expect(credit(asked, fixture.market, 0n)).toEqual({ amount: asked.destination.amount + usd });
    },
  );

  test('error: below the minimum', async () => {
    const asked = await order(eth, 'alpha/eth', 'lighter/usdc');
    expect(credit(asked, fixture.withReserves('alpha', 4_800_000n * usd), 0n)).toEqual({
      failReason: 'TOO_LITTLE_RECEIVED',
    });
  });

  test('error: no pool', async () => {
    const asked = await order(eth, 'alpha/eth', 'lighter/usdc');
    const market = { ...fixture.market, chains: [{ ...fixture.alpha, pools: [] }, fixture.beta] };
    expect(credit(asked, market, 0n)).toEqual({ failReason: 'INSUFFICIENT_POOL_LIQUIDITY' });
  });
});
