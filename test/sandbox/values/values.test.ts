/** The values that need no chain. */
import fc from 'fast-check';
import { toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { mnemonic } from '../../../src/sandbox/chain/anvil.js';
import * as CallTrace from '../../../src/sandbox/values/CallTrace.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import type { Chain, Token } from '../../../src/sandbox/values/Market.js';
import * as TransactionType from '../../../src/sandbox/values/TransactionType.js';
import * as Valuation from '../../../src/sandbox/values/Valuation.js';
import * as market from '../../support/market.js';

/** A frame identified by its input. */
function frame(input: string, change: Partial<CallTrace.Frame> = {}): CallTrace.Frame {
  return { type: 'CALL', from: market.user, to: market.other, input: input as `0x${string}`, ...change };
}

const failed = { error: 'execution reverted' };

function path(top: CallTrace.Frame): string[] {
  return CallTrace.failingPath(top).map(({ input }) => input);
}

describe('CallTrace: failingPath', () => {
  test('default: down to the origin of the failure', () => {
    const inner = frame('0x03', failed);
    const middle = frame('0x02', { ...failed, calls: [frame('0xaa'), inner] });
    expect(path(frame('0x01', { ...failed, calls: [middle] }))).toEqual(['0x01', '0x02', '0x03']);
  });

  test('behavior: empty for a call that succeeds despite nested failures', () => {
    expect(path(frame('0x01', { calls: [frame('0x02', failed)] }))).toEqual([]);
  });

  test('behavior: a failure that the caller caught is not the cause', () => {
    const calls = [frame('0x02', { ...failed, output: '0x1111' }), frame('0x03')];
    expect(path(frame('0x01', { ...failed, output: '0x2222', calls }))).toEqual(['0x01']);
    expect(path(frame('0x01', { ...failed, calls: [frame('0x02', failed), frame('0x03')] }))).toEqual(['0x01']);
  });

  test('behavior: a failure whose data the caller reverts with is the cause, even before later calls', () => {
    const calls = [frame('0x02', { ...failed, output: '0x1111' }), frame('0x03')];
    expect(path(frame('0x01', { ...failed, output: '0xff1111', calls }))).toEqual(['0x01', '0x02']);
  });

  test('behavior: the last of several failures', () => {
    const calls = [frame('0x02', failed), frame('0x03', failed)];
    expect(path(frame('0x01', { ...failed, calls }))).toEqual(['0x01', '0x03']);
  });
});

describe('CallTrace: logs', () => {
  const log = (index: number) => ({ address: market.other, topics: [], data: '0x', index: `0x${index}` }) as const;

  test('default: logs of all calls in emission order', () => {
    const inner = frame('0x02', { logs: [log(1)] });
    const top = frame('0x01', { logs: [log(2), log(0)], calls: [inner] });
    expect(CallTrace.logs(top).map(({ index }) => index)).toEqual(['0x0', '0x1', '0x2']);
  });

  test('behavior: without reverted logs', () => {
    const inner = frame('0x02', { ...failed, logs: [log(1)], calls: [frame('0x03', { logs: [log(2)] })] });
    expect(CallTrace.logs(frame('0x01', { logs: [log(0)], calls: [inner] }))).toHaveLength(1);
  });
});

describe('TransactionType: classify', () => {
  test.each([
    ['USDC.e', 'PlumeUSD', 'stablecoin'],
    ['mUSD', 'USDm', 'stablecoin'],
    // Symbols are case-sensitive.
    ['MUSD', 'USDC', 'minor'],
    ['BTC', 'SOL', 'major'],
    ['PLUME', 'USDe', 'major'],
    ['GULL', 'TERN', 'minor'],
  ] as const)('behavior: %s to %s by the lists is %s', (from, to, type) => {
    expect(TransactionType.classify(named(market.alpha, from), named(market.beta, to))).toBe(type);
  });
});

function named(chain: Chain, symbol: string): { chain: Chain; token: Token } {
  return { chain, token: { ...market.token(chain, 'DAI'), symbol } };
}

const usdc = market.token(market.alpha, 'USDC');
const eth = market.token(market.alpha, 'ETH');
const gull = market.token(market.alpha, 'GULL');
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });

test('default: values and their conversions', () => {
  expect([Valuation.toUsd(10n ** 18n, eth), Valuation.toUsd(20_000n, usdc)]).toEqual([2_500_000_000n, 20_000n]);
  expect(Valuation.fromUsd(20_000n, eth)).toBe(8_000_000_000_000n);
  expect(Valuation.convert(10n ** 18n, eth, usdc)).toBe(2_500_000_000n);
  expect([Valuation.convert(1n, eth, usdc), Valuation.convertUp(1n, eth, usdc)]).toEqual([0n, 1n]);
  expect([Valuation.share(2_500_000_000n, 6n), Valuation.share(5_000n, 1n)]).toEqual([1_500_000n, 1n]);
  expect(Valuation.rescale(1_500_000n, 6, 18)).toBe(1_500_000_000_000_000_000n);
  expect(Valuation.rescale(1_999_999_999_999n, 18, 6)).toBe(1n);
});

describe('Valuation: toUsd', () => {
  test('behavior: half a millionth is rounded up', () => {
    expect(Valuation.toUsd(2n * 10n ** 12n, gull)).toBe(1n);
    expect(Valuation.toUsd(2n * 10n ** 12n - 1n, gull)).toBe(0n);
  });
});

describe('Valuation: fromUsd', () => {
  test('behavior: the smallest amount of at least that value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.constantFrom(usdc, eth, gull), (usd, token) => {
        const found = Valuation.fromUsd(usd, token);
        const unit = 10n ** BigInt(token.decimals);
        expect(found * token.priceUsd).toBeGreaterThanOrEqual(usd * unit);
        expect((found - 1n) * token.priceUsd).toBeLessThan(usd * unit);
      }),
    );
  });
});

describe('Valuation: convert', () => {
  test('behavior: rounding up and rounding down are at most a unit apart', () => {
    fc.assert(
      fc.property(amount, (value) => {
        const difference = Valuation.convertUp(value, gull, usdc) - Valuation.convert(value, gull, usdc);
        expect(difference === 0n || difference === 1n).toBe(true);
      }),
    );
  });
});

describe('Valuation: formatRatio', () => {
  test.each([
    [-4n, 1_000n, 4, '-0.0040'],
    [-100n, 250n, 2, '-0.40'],
    [1n, 3n, 4, '0.3333'],
    [2n, 3n, 4, '0.6667'],
    [-1n, 1_000_000n, 2, '0.00'],
    [5n, 0n, 2, '0.00'],
    [5n, 2n, 0, '3'],
  ])('behavior: %s of %s with %s decimals is %s', (part, whole, decimals, text) => {
    expect(Valuation.formatRatio(part, whole, decimals)).toBe(text);
  });
});

describe('devAccounts: accounts', () => {
  test('behavior: the first twenty accounts of the mnemonic, in order', () => {
    const derived = Array.from({ length: 20 }, (_, addressIndex) => {
      const account = mnemonicToAccount(mnemonic, { addressIndex });
      return { address: account.address, privateKey: toHex(account.getHdKey().privateKey ?? new Uint8Array()) };
    });
    expect(Object.values(accounts)).toEqual(derived);
  });
});
