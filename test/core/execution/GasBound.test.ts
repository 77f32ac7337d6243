import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as GasBound from '../../../src/core/execution/GasBound.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';
import type { GasOffer } from '../../../src/core/ports/Ports.js';
import { intent, quote } from '../../support/quoted.js';

const gwei = 1_000_000_000n;
const ether = 10n ** 18n;
/** The fees of a node: base fee and tip in gwei. */
const offer = (base: bigint, tip: bigint): GasOffer => ({
  baseFeePerGas: base * gwei,
  timestamp: 0n,
  maxFeePerGas: (2n * base + tip) * gwei,
  maxPriorityFeePerGas: tip * gwei,
});
const terms: GasBound.Bounds = {
  chain: Network.chain(network, 'alpha'),
  stated: undefined,
  prices: [2_500_000_000n],
  maxUsd: GasBound.defaultMaxUsd,
  maxTipWei: undefined,
  realMoney: true,
  isAllowed: false,
};
const stated = { maxFeePerGas: 21n * gwei, maxPriorityFeePerGas: gwei };

describe('price', () => {
  test('default: the fees of an honest node, twice its base fee and its tip', () => {
    expect(GasBound.price(offer(10n, 1n), { ...terms, stated })).toEqual(stated);
    expect(GasBound.price(offer(0n, 3n), terms)).toEqual({ maxFeePerGas: 3n * gwei, maxPriorityFeePerGas: 3n * gwei });
  });

  test.each([
    ['three gwei', offer(1n, 500n), terms, 3n],
    ['twice the base fee', offer(10n, 500n), terms, 20n],
    ['what the chain needs', offer(1n, 500n), { ...terms, chain: { ...terms.chain, maxTipWei: 60n * gwei } }, 60n],
    ['what the user sets', offer(10n, 500n), { ...terms, maxTipWei: 2n * gwei }, 2n],
    [
      'what the quote states too',
      offer(1n, 500n),
      { ...terms, stated: { ...stated, maxPriorityFeePerGas: 20n * gwei } },
      20n,
    ],
    ['what the quote leaves above the base fee', offer(60n, 500n), { ...terms, stated }, 3n],
  ])('behavior: the tip is at most %s', (_, node, of, tip) => {
    expect(GasBound.price(node, of).maxPriorityFeePerGas).toBe(tip * gwei);
  });

  test('behavior: the whole is at most three times what is stated', () => {
    expect(GasBound.price(offer(40n, 1n), { ...terms, stated }).maxFeePerGas).toBe(63n * gwei);
    expect(GasBound.price(offer(40n, 1n), { ...terms, stated, isAllowed: true }).maxFeePerGas).toBe(81n * gwei);
  });

  test('behavior: whatever a node says, the bounds hold, and what is signed can be mined', () => {
    const wei = fc.bigInt({ min: 0n, max: 10n ** 18n });
    void fc.assert(
      fc.property(wei, wei, (baseFeePerGas, maxPriorityFeePerGas) => {
        const maxFeePerGas = 2n * baseFeePerGas + maxPriorityFeePerGas;
        const said = { baseFeePerGas, maxPriorityFeePerGas, maxFeePerGas, timestamp: 0n };
        const ceiling = 3n * stated.maxFeePerGas;
        if (baseFeePerGas > ceiling) {
          expect(() => GasBound.price(said, { ...terms, stated })).toThrow('more than three times the fee');
          return;
        }
        const fees = GasBound.price(said, { ...terms, stated });
        expect(fees.maxFeePerGas <= ceiling && fees.maxFeePerGas >= baseFeePerGas + fees.maxPriorityFeePerGas).toBe(
          true,
        );
      }),
    );
  });

  test('error: a base fee above that, unless the user accepts it', () => {
    const lie = offer(64n, 0n);
    expect(() => GasBound.price(lie, { ...terms, stated })).toThrow('more than three times the fee');
    expect(GasBound.price(lie, { ...terms, stated, isAllowed: true }).maxFeePerGas).toBe(128n * gwei);
    expect(GasBound.price(lie, terms).maxFeePerGas).toBe(128n * gwei);
  });
});

test('noteOf: only a tip above the highest of the chain is worth a word', () => {
  expect(GasBound.noteOf(offer(1n, 3n), terms)).toBeUndefined();
  expect(GasBound.noteOf(offer(1n, 4n), terms)).toMatch(
    /^The node of alpha suggests a tip of 4 gwei per gas\. .* 3 gwei/,
  );
});

describe('limit', () => {
  test('default: a quarter more than the estimate', () => {
    expect(GasBound.limit(21_000n, GasBound.mostForEmpty, terms)).toBe(26_250n);
  });
  test('error: many times what such a transaction uses', () => {
    expect(GasBound.limit(GasBound.mostForApproval, GasBound.mostForApproval, terms)).toBeGreaterThan(0n);
    expect(() => GasBound.limit(GasBound.mostForApproval + 1n, GasBound.mostForApproval, terms)).toThrow(
      'estimates far more gas',
    );
    expect(GasBound.limit(30_000_000n, GasBound.mostForApproval, { ...terms, isAllowed: true })).toBe(37_500_000n);
  });
});

describe('expected', () => {
  const approve = { function: 'approve' } as never;
  const deposit = { function: 'depositErc20' } as never;
  test('default: what the quote states, which can only raise what a node may estimate', () => {
    expect(GasBound.expected({ gas: 46_000n, call: approve })).toBe(46_000n);
    expect(GasBound.mostEstimated({ gas: 46_000n, call: approve })).toBe(400_000n);
    expect(GasBound.mostEstimated({ gas: 2_000_000n, call: undefined })).toBe(10_000_000n);
  });
  test('behavior: without a figure, by the kind of call', () => {
    const usual = [approve, deposit, undefined].map((call) => GasBound.expected({ gas: undefined, call }));
    expect(usual).toEqual([80_000n, 150_000n, 700_000n]);
  });
});

describe('assertWithin', () => {
  const bill = (gas: bigint, of = terms) =>
    GasBound.bill(gas, { maxFeePerGas: 100n * gwei, maxPriorityFeePerGas: 0n }, of);
  test('default: 25 dollars to the last unit', () => {
    expect(bill(100_000n).usd).toBe(25_000_000n);
    expect(() => GasBound.assertWithin(bill(100_000n), terms)).not.toThrow();
    expect(() => GasBound.assertWithin(bill(100_001n), terms)).toThrow('would cost more than --max-gas-usd allows');
  });
  test('behavior: the highest price counts', () => {
    const both = { ...terms, prices: [1n, 5_000_000_000n, 2_500_000_000n] };
    expect(bill(100_000n, both).usd).toBe(50_000_000n);
    expect(() => GasBound.assertWithin(bill(100_000n, both), both)).toThrow(/more than --max-gas-usd allows/);
  });
  test('behavior: without a price there is nothing to hold to the cap, and the finding says so', () => {
    const blind = { ...terms, prices: [] };
    expect(() => GasBound.assertWithin(bill(10n ** 9n, blind), blind)).not.toThrow();
    expect(GasBound.isUnpriced(bill(1n, blind), blind)).toBe(true);
    expect(GasBound.finding(bill(1n, blind), blind)).toMatchObject({ check: 'gas', verdict: 'cannot verify' });
    expect(GasBound.sentence(bill(1n, blind), blind)).toContain('cannot verify: gas');
    const test = { ...blind, realMoney: false };
    expect(GasBound.finding(bill(1n, test), test).verdict).toBe('not checked');
  });
});

describe('fitted', () => {
  const fees = { maxFeePerGas: 21n * gwei, maxPriorityFeePerGas: gwei };
  const need = { baseFeePerGas: 10n * gwei, gas: 100_000n, later: 50_000n, used: 0n };
  test('default: nobody was asked, or what was agreed to suffices', () => {
    expect(GasBound.fitted(fees, need, terms)).toBe(fees);
    expect(GasBound.fitted(fees, need, { ...terms, agreed: 150_000n * 21n * gwei })).toBe(fees);
  });
  test('behavior: lowered to what was agreed to, with what was signed before and what is yet to come', () => {
    const agreed = 150_000n * 12n * gwei + 7n;
    expect(GasBound.fitted(fees, { ...need, used: 7n }, { ...terms, agreed })).toEqual({
      ...fees,
      maxFeePerGas: 12n * gwei,
    });
    // Without what was signed before, they would do.
    const almost = GasBound.fitted(fees, { ...need, used: 1n }, { ...terms, agreed: 150_000n * 21n * gwei });
    expect(almost.maxFeePerGas).toBe(21n * gwei - 1n);
  });
  test('error: the base fee no longer fits', () => {
    const agreed = 150_000n * 9n * gwei;
    expect(() => GasBound.fitted(fees, need, { ...terms, agreed })).toThrow('has risen above what you agreed to');
    expect(() => GasBound.fitted(fees, { ...need, used: agreed }, { ...terms, agreed })).toThrow(/has risen/);
  });
});

describe('from', () => {
  test('default: the fees and the price of the quote', async () => {
    const asked = await quote(intent('100', 'alpha/usdc', 'beta/usdc'));
    const of = GasBound.from(asked, { maxGasUsd: 1n }, { allow: ['gas'], prices: [7n] });
    expect(of).toMatchObject({ maxUsd: 1n, isAllowed: true, realMoney: false });
    expect(of.prices.at(-1)).toBe(7n);
    expect(of.stated?.maxFeePerGas).toBeGreaterThan(0n);
  });
  test('behavior: a native input has a price too', async () => {
    const prices = GasBound.pricesOf(await quote(intent('1', 'alpha/eth', 'beta/eth')));
    expect(prices).toContain(2_500_000_000n);
  });
});

describe('servicePrice', () => {
  const priced = (price: number | undefined) =>
    GasBound.servicePrice({ id: 1, native: terms.chain.native }, { tokenPrice: async () => price });
  test('default: millionths of a dollar', async () => {
    expect(await priced(2500.5)).toBe(2_500_500_000n);
  });
  test.each([undefined, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    'behavior: %s is no price',
    async (price) => {
      expect(await priced(price)).toBeUndefined();
    },
  );
  test('behavior: a service that does not answer states none', async () => {
    const down = { tokenPrice: () => Promise.reject(new Error('down')) };
    expect(await GasBound.servicePrice({ id: 1, native: terms.chain.native }, down)).toBeUndefined();
  });
});

test('toDocument', () => {
  const bill = GasBound.bill(100_000n, { maxFeePerGas: ether / 10n ** 9n, maxPriorityFeePerGas: 0n }, terms);
  expect(GasBound.toDocument(bill, terms)).toEqual({
    amount: '100000000000000',
    formatted: '0.0001',
    symbol: 'ETH',
    usd: '0.250000',
  });
  expect(GasBound.words(bill, terms)).toBe('at most 0.0001 ETH ($0.2500)');
});

test('needed: what was used before a refund of a fifth, rounded up', () => {
  expect([GasBound.needed(80n), GasBound.needed(81n)]).toEqual([100n, 102n]);
});
