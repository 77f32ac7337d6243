import { describe, expect, test } from 'vitest';
import { createOpenPlaces } from '../../../src/sandbox/deposit/sweeper.js';
import { inMemory } from '../../../src/sandbox/storage/frameLog.js';
import { add, ledgerAt } from '../../support/entries.js';
import * as market from '../../support/market.js';

const [alpha, beta] = [313371, 313372];
const dayMs = 86_400_000;
const startMs = market.market.nowMs;
const strict = { request: { useDepositAddress: true, strict: true } };

describe('createOpenPlaces', () => {
  test('default: those that the ledger has, and those that are added', async () => {
    const ledger = ledgerAt(startMs, inMemory());
    await add(ledger);
    const first = await add(ledger, strict);
    const places = createOpenPlaces(ledger, () => startMs, [alpha, beta]);
    expect(places.on(alpha).map(({ address }) => address)).toEqual([first.order.depositAddress]);
    const count = places.count();
    await add(ledger);
    expect(places.count()).toBe(count);
    const second = await add(ledger, strict);
    const other = await add(ledger, { from: 'beta/usdc', to: 'alpha/usdc', ...strict });
    expect(places.count()).toBe(count + 2);
    const { depositAddress } = first.order;
    expect(places.on(alpha).map(({ address }) => address)).toEqual([depositAddress, second.order.depositAddress]);
    expect(places.on(beta).map(({ address }) => address)).toEqual([other.order.depositAddress]);
  });

  test('behavior: one is dropped a day after its order, and is back if the clock is', async () => {
    const ledger = ledgerAt(startMs, inMemory());
    let nowMs = startMs;
    const places = createOpenPlaces(ledger, () => nowMs, [alpha]);
    const { order } = await add(ledger, strict);
    const count = () => places.on(alpha).length;
    nowMs = order.deadline * 1_000 + dayMs - 1;
    expect(count()).toBe(1);
    nowMs += 1;
    expect(count()).toBe(0);
    nowMs -= 1;
    const before = places.count();
    expect(count()).toBe(1);
    expect(places.count()).toBeGreaterThan(before);
  });
});
