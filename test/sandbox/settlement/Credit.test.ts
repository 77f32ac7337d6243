import { describe, expect, test } from 'vitest';
import type { Order } from '../../../src/sandbox/quote/Order.js';
import * as Credit from '../../../src/sandbox/settlement/Credit.js';
import type { EvmChain, Market } from '../../../src/sandbox/values/Market.js';
import * as fixture from '../../support/market.js';

const usd = 10n ** 6n;
const eth = 10n ** 18n;

async function order(...asked: Parameters<typeof fixture.request>): Promise<Order> {
  return (await fixture.quote(fixture.request(...asked))).order;
}

/** The market with a different USDC reserve in alpha's ETH pool. */
function withReserves(reserve1: bigint): Market<EvmChain> {
  const [first, ...rest] = fixture.alpha.pools;
  if (!first) throw new Error('no pool');
  return { ...fixture.market, chains: [{ ...fixture.alpha, pools: [{ ...first, reserve1 }, ...rest] }, fixture.beta] };
}

/** The credit for a deposit of what was expected, or of another amount. */
function credit(asked: Order, market: Market<EvmChain>, activationFee: bigint, deposited = asked.payment.amount) {
  return Credit.from(asked, deposited, { market, activationFee });
}

describe('from', () => {
  test.each([
    ['alpha/usdc', 100n * usd, {}],
    ['alpha/eth', eth, {}],
    ['beta/dai', 100n * eth, {}],
    ['alpha/eth', 100n * usd, { tradeType: 'EXACT_OUTPUT' }],
    ['alpha/eth', 100n * usd, { tradeType: 'EXPECTED_OUTPUT', recipient: '106' }],
    ['alpha/usdt', 100n * usd, { recipient: '106' }],
  ] as const)('default: what was quoted, where nothing has changed: %s', async (from, amount, rest) => {
    const asked = await order(amount, from, 'lighter/usdc', rest);
    expect(asked.activationFee).toBe('recipient' in rest ? usd : 0n);
    expect(credit(asked, fixture.market, asked.activationFee)).toEqual({
      ok: true,
      amount: asked.destination.amount,
    });
  });

  test.each([
    ['alpha/usdc', 100n * usd, 'EXACT_INPUT'],
    ['alpha/eth', eth, 'EXACT_INPUT'],
    ['alpha/eth', 100n * usd, 'EXACT_OUTPUT'],
  ] as const)(
    'behavior: an activation fee no longer due goes to the recipient: %s',
    async (from, amount, tradeType) => {
      const asked = await order(amount, from, 'lighter/usdc', { recipient: '106', tradeType });
      expect(credit(asked, fixture.market, 0n)).toEqual({ ok: true, amount: asked.destination.amount + usd });
    },
  );

  test('behavior: uses current pool prices', async () => {
    const asked = await order(eth, 'alpha/eth', 'lighter/usdc');
    const better = credit(asked, withReserves(5_100_000n * usd), 0n);
    expect(better.ok && better.amount > asked.destination.amount).toBe(true);
  });

  test('error: below the minimum', async () => {
    const asked = await order(eth, 'alpha/eth', 'lighter/usdc');
    expect(credit(asked, withReserves(4_800_000n * usd), 0n)).toEqual({
      ok: false,
      failReason: 'TOO_LITTLE_RECEIVED',
    });
  });

  test('behavior: a swap on the origin chain that yields more or less', async () => {
    const asked = await order(100n * eth, 'alpha/dai', 'lighter/usdc');
    for (const difference of [-1_000_000n, 1_000_000n])
      expect(credit(asked, fixture.market, 0n, asked.payment.amount + difference)).toEqual({
        ok: true,
        amount: asked.destination.amount + difference,
      });
  });

  test('error: no pool', async () => {
    const asked = await order(eth, 'alpha/eth', 'lighter/usdc');
    const market = { ...fixture.market, chains: [{ ...fixture.alpha, pools: [] }, fixture.beta] };
    expect(credit(asked, market, 0n)).toEqual({ ok: false, failReason: 'INSUFFICIENT_POOL_LIQUIDITY' });
  });
});
