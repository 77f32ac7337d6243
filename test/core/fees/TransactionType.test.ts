import { describe, expect, test } from 'vitest';
import * as FeeSchedule from '../../../src/core/fees/FeeSchedule.js';
import * as TransactionType from '../../../src/core/fees/TransactionType.js';
import { network as mainnet } from '../../../src/core/network/mainnet.js';
import * as Network from '../../../src/core/network/Network.js';
import { network } from '../../../src/core/network/sandbox.js';

/** The text of spec section 8, as an independent copy. */
const printed = {
  stablecoins: 'USDC, USDC.e, USDT, USDT0, DAI, USDe, USDS, USD1, PYUSD, USDG, mUSD, USDm, USDH, pUSD, PlumeUSD'.split(
    ', ',
  ),
  tokens: 'ETH, WETH, BTC, WBTC, SOL, WSOL, POL, BNB, PLUME'.split(', '),
  percent: { bridge: '0.00', wrap: '0.00', stablecoin: '0.01', major: '0.06', minor: '0.15' },
};

/** Unlisted symbols, some of which look like listed ones. */
const strangers = ['GULL', 'USDM', 'usdc', 'WBNB', 'cbBTC', 'AVAX', 'USDC.E', 'MUSD'];

const wraps = ['ETH>WETH', 'WETH>ETH', 'SOL>WSOL', 'WSOL>SOL', 'BNB>WBNB', 'WBNB>BNB'];

function side(symbol: string, chainId: number): TransactionType.Side {
  return {
    chainId,
    symbol,
    isNative: ['ETH', 'SOL', 'BNB', 'POL', 'AVAX'].includes(symbol),
    isWrapped: ['WETH', 'WSOL', 'WBNB'].includes(symbol),
  };
}

/** The type of a pair by the printed section, computed differently from the client. */
function expected(from: string, to: string, isOneChain: boolean): keyof typeof printed.percent {
  if (from === to) return 'bridge';
  if (isOneChain && wraps.includes(`${from}>${to}`)) return 'wrap';
  const dollars = [from, to].filter((each) => printed.stablecoins.includes(each)).length;
  const coins = [from, to].filter((each) => printed.tokens.includes(each)).length;
  if (dollars === 2) return 'stablecoin';
  if (dollars + coins === 2) return 'major';
  return 'minor';
}

const everything = [...printed.stablecoins, ...printed.tokens, ...strangers];
const pairs = everything.flatMap((from) => everything.map((to) => [from, to] as const));

describe('from', () => {
  test.each([
    ['one chain', 1],
    ['two chains', 2],
  ])('default: every ordered pair of the lists and of strangers, on %s', (_, otherChain) => {
    for (const [from, to] of pairs) {
      const isOneChain = otherChain === 1;
      const [a, b] = [side(from, 1), side(to, otherChain)];
      // A wrapped token wraps only its own native asset.
      const isOwn = wraps.includes(`${from}>${to}`);
      const type = TransactionType.from(isOwn ? a : { ...a, isWrapped: false }, isOwn ? b : { ...b, isWrapped: false });
      const wanted = expected(from, to, isOneChain);
      expect([from, to, type]).toEqual([from, to, wanted]);
      expect(FeeSchedule.row(type).bps).toBe(BigInt(printed.percent[wanted].replace('.', '')));
    }
    expect(pairs).toHaveLength(32 * 32);
  });

  test('behavior: so are an unlisted native asset and its wrapped token', () => {
    const chain = Network.chain(mainnet, 'avalanche');
    const [from, to] = ['AVAX', 'WAVAX'].map((symbol) => {
      const token = Network.token(chain, symbol);
      if (!token) throw new Error(symbol);
      return TransactionType.sideOf({ chain, token });
    });
    if (!from || !to) throw new Error('two sides');
    expect(TransactionType.from(from, to)).toBe('wrap');
    expect(TransactionType.from(to, { ...from, chainId: 1 })).toBe('minor');
  });
});

test.each([
  [{ chainId: 3586256, address: '0', symbol: 'USDC (Perp)' }, 'USDC'],
  [{ chainId: 1, symbol: 'USDC (Perp)' }, 'USDC'],
  [{ chainId: 313371, address: '0x00000000000000000000000000000000000000ff', symbol: 'NEW' }, 'NEW'],
  [{ chainId: 137, symbol: 'USDC.e' }, 'USDC.e'],
])('sideNamed: behavior: %j is %s', (named, symbol) => {
  expect(TransactionType.sideNamed(named, network)?.symbol).toBe(symbol);
});
