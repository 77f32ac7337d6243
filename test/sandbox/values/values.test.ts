/** The values that need no chain; what is at the addresses of the deployments is looked up in `deployment.test.ts`. */
import fc from 'fast-check';
import { encodeFunctionData, toFunctionSelector, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import * as BaseCodec from '../../../src/core/order/BaseCodec.js';
import { mnemonic } from '../../../src/sandbox/chain/startChains.js';
import * as abi from '../../../src/sandbox/values/abi.js';
import * as BigintJson from '../../../src/sandbox/values/BigintJson.js';
import * as CallTrace from '../../../src/sandbox/values/CallTrace.js';
import * as ContractInterfaces from '../../../src/sandbox/values/ContractInterfaces.js';
import { deployments } from '../../../src/sandbox/values/deployment.js';
import { accounts } from '../../../src/sandbox/values/devAccounts.js';
import * as KeyText from '../../../src/sandbox/values/KeyText.js';
import type { Chain, Token } from '../../../src/sandbox/values/Market.js';
import * as PartyAccount from '../../../src/sandbox/values/PartyAccount.js';
import * as QuoteIds from '../../../src/sandbox/values/QuoteIds.js';
import * as TransactionType from '../../../src/sandbox/values/TransactionType.js';
import * as Valuation from '../../../src/sandbox/values/Valuation.js';
import * as market from '../../support/market.js';
import * as fixture from '../../support/market.js';

describe('BigintJson: from', () => {
  test('default', () => {
    expect(BigintJson.from({ a: 12n, b: [1, 'x', null, true], c: undefined })).toEqual({
      a: { $bigint: '12' },
      b: [1, 'x', null, true],
    });
  });

  test.each([[() => 1], [Number.NaN], [Symbol('x')]])('error: values that JSON cannot represent', (value) => {
    expect(() => BigintJson.from({ value })).toThrow(TypeError);
  });
});

describe('BigintJson: toValue', () => {
  test('behavior: round trip through text', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.bigInt(),
        fc.integer(),
        fc.string(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(
          fc.string().filter((name) => name !== '$bigint' && name !== '__proto__'),
          tie('value'),
        ),
      ),
    }));
    fc.assert(
      fc.property(value, (saved) => {
        const text = JSON.stringify(BigintJson.from(saved));
        expect(BigintJson.toValue(JSON.parse(text))).toEqual(saved);
      }),
    );
  });
});

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

const { alpha } = deployments;

describe('ContractInterfaces: functionName', () => {
  const usdc = ContractInterfaces.at(alpha, alpha.tokens.USDC.address);
  if (!usdc) throw new Error('no USDC');

  test('default: also inherited token functions', () => {
    const transfer = encodeFunctionData({ abi: abi.token, functionName: 'transfer', args: [market.user, 1n] });
    expect(ContractInterfaces.functionName(usdc, transfer)).toBe('transfer');
    const nonces = encodeFunctionData({ abi: abi.usdCoin, functionName: 'nonces', args: [market.user] });
    expect(ContractInterfaces.functionName(usdc, nonces)).toBe('nonces');
  });

  test('behavior: undefined for an unknown, truncated or missing selector', () => {
    expect(ContractInterfaces.functionName(usdc, toFunctionSelector('unheardOf()'))).toBeUndefined();
    expect(ContractInterfaces.functionName(usdc, '0xa9059c')).toBeUndefined();
    expect(ContractInterfaces.functionName(usdc, '0x')).toBeUndefined();
  });
});

describe('KeyText: encode', () => {
  test('default', () => {
    expect(KeyText.encode(new Uint8Array(32))).toBe('1'.repeat(32));
    expect(KeyText.encode(Buffer.from('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
  });
});

describe('KeyText: decode', () => {
  test('default: what was encoded, as the client decodes it too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40, minLength: 1 }), (bytes) => {
        const text = KeyText.encode(bytes);
        expect(Uint8Array.from(KeyText.decode(text) ?? [])).toEqual(bytes);
        expect(BaseCodec.decode(text, BaseCodec.bitcoin)).toEqual(bytes);
      }),
    );
  });

  test.each(['', '0', 'O', 'I', 'l', ' 2', '2'.repeat(91)])('error: "%s"', (text) => {
    expect(KeyText.decode(text)).toBeUndefined();
  });
});

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe('PartyAccount: toAddress', () => {
  test('default: as it was written', () => {
    expect(PartyAccount.toAddress(wallet)).toBe(wallet);
    expect(PartyAccount.toAddress(wallet.toLowerCase())).toBe(wallet.toLowerCase());
  });

  test.each(['', '100', '0x12', `${wallet}00`, wallet.replace('f39F', 'F39f')])('error: %s', (text) => {
    expect(PartyAccount.toAddress(text)).toBeUndefined();
  });
});

describe('PartyAccount: toIndex', () => {
  test.each(['0', '7', '509564', '281474976710654'])('default: %s', (text) => {
    expect(PartyAccount.toIndex(text)).toBe(text);
  });

  test.each(['', '-1', '007', '1.0', '0x7', '1e3', '281474976710655', '99999999999999999999', wallet])(
    'error: %s',
    (text) => {
      expect(PartyAccount.toIndex(text)).toBeUndefined();
    },
  );
});

const source = { seed: 'tide', sequence: 1, nowMs: 1_790_000_000_999 };

describe('QuoteIds: from', () => {
  test('default', () => {
    const { requestId, salt } = QuoteIds.from(source);
    expect(requestId).toMatch(/^0x1790000000[0-9a-f]{54}$/);
    expect(salt).toMatch(/^0x[0-9a-f]{64}$/);
    expect(QuoteIds.from(source)).toEqual({ requestId, salt });
  });

  test('behavior: depends on seed and sequence number', () => {
    const all = [source, { ...source, seed: 'ebb' }, { ...source, sequence: 2 }, { ...source, seed: 'tide/1' }].map(
      QuoteIds.from,
    );
    expect(new Set(all.flatMap(({ requestId, salt }) => [requestId, salt])).size).toBe(8);
  });
});

test('claimId: deterministic, another for each claim, none of a quote', () => {
  const claim = QuoteIds.claimId({ seed: 'a', sequence: 1 });
  expect(claim).toMatch(/^0x[0-9a-f]{64}$/);
  expect(QuoteIds.claimId({ seed: 'a', sequence: 1 })).toBe(claim);
  expect(QuoteIds.claimId({ seed: 'a', sequence: 2 })).not.toBe(claim);
  expect(Object.values(QuoteIds.from({ seed: 'a', sequence: 1, nowMs: 0 }))).not.toContain(claim);
});

describe('TransactionType: classify', () => {
  test.each([
    ['alpha/usdc', 'beta/usdc', 'bridge', 0n],
    ['alpha/gull', 'beta/gull', 'bridge', 0n],
    ['alpha/eth', 'beta/eth', 'bridge', 0n],
    ['alpha/usdc', 'alpha/usdc', 'bridge', 0n],
    ['alpha/eth', 'alpha/weth', 'wrap', 0n],
    ['alpha/weth', 'alpha/eth', 'wrap', 0n],
    ['alpha/usdc', 'alpha/dai', 'stablecoin', 1n],
    ['alpha/usdt', 'beta/usdc', 'stablecoin', 1n],
    ['alpha/eth', 'beta/weth', 'major', 6n],
    ['alpha/weth', 'beta/eth', 'major', 6n],
    ['alpha/eth', 'alpha/usdc', 'major', 6n],
    ['alpha/dai', 'beta/weth', 'major', 6n],
    ['alpha/gull', 'alpha/usdc', 'minor', 15n],
    ['alpha/eth', 'beta/gull', 'minor', 15n],
    ['alpha/usdc', 'lighter/usdc', 'bridge', 0n],
    ['lighter/usdc', 'beta/usdt', 'stablecoin', 1n],
    ['alpha/eth', 'lighter/usdc', 'major', 6n],
    ['lighter/usdc', 'alpha/gull', 'minor', 15n],
  ] as const)('behavior: %s to %s is %s', (from, to, type, bps) => {
    expect(TransactionType.classify(market.side(from), market.side(to))).toBe(type);
    expect(TransactionType.platformBps(type)).toBe(bps);
  });

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
  return { chain, token: { ...fixture.token(chain, 'DAI'), symbol } };
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
