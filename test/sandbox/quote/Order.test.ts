import { describe, expect, test } from 'vitest';
import * as fixture from '../../support/market.js';

const eth = 10n ** 18n;

describe('from', () => {
  test('default', async () => {
    const asked = fixture.request(100_000_000n, 'alpha/usdc', 'beta/usdt', {
      refundTo: fixture.other,
      slippageTolerance: '50',
      appFees: [{ recipient: fixture.other, fee: '30' }],
    });
    const { order } = await fixture.quote(asked);
    expect(order).toMatchObject({
      requestId: fixture.input.identity.requestId,
      execution: 'solver',
      requestType: 'Crosschain Swap',
      user: fixture.user,
      recipient: fixture.user,
      refundTo: fixture.other,
      forceRefund: false,
      origin: { chainId: 313371, amount: 100_000_000n },
      destination: { chainId: 313372 },
      slippageBps: 50n,
      createdAtMs: fixture.market.nowMs,
      deadline: 1_790_604_800,
      fillBefore: undefined,
      appFees: [{ recipient: fixture.other, bps: 30n, amount: 300_000n }],
      sponsorship: undefined,
      timeEstimateSeconds: 2,
    });
    expect(order.solverAmount).toBeGreaterThan(order.destination.amount);
  });

  test('behavior: who pays origin gas', async () => {
    const asked = (to: string, rest: object) => fixture.quote(fixture.request(eth, 'alpha/weth', to, rest));
    const pays = async (to: string, rest: object) => (await asked(to, rest)).order.paysOriginGas;
    expect(await pays('beta/weth', {})).toBe(false);
    expect(await pays('beta/weth', { originGasOverhead: 80_000 })).toBe(true);
    expect(await pays('alpha/usdc', { originGasOverhead: 80_000 })).toBe(true);
    // Without fees there is no gas either.
    expect(await pays('alpha/eth', { originGasOverhead: 80_000 })).toBe(false);
  });

  test('behavior: the TTL starts at the quote', async () => {
    const { order } = await fixture.quote(fixture.request(eth, 'alpha/eth', 'beta/eth', { ttl: 30 }));
    expect(order.fillBefore).toBe(1_790_000_030);
  });

  test.each([
    ['alpha/eth', 'beta/eth', 'Bridge'],
    ['alpha/eth', 'beta/weth', 'Crosschain Swap'],
    ['alpha/eth', 'alpha/usdc', 'Same-chain Swap'],
    ['alpha/eth', 'alpha/weth', 'Wrap'],
    ['alpha/weth', 'alpha/eth', 'Unwrap'],
    ['alpha/dai', 'alpha/dai', 'Send'],
  ])('behavior: %s to %s is a %s', async (from, to, requestType) => {
    const { order } = await fixture.quote(fixture.request(eth, from, to, { recipient: fixture.other }));
    expect(order.requestType).toBe(requestType);
  });
});
