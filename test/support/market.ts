/** A market like the sandbox's own, as plain values. */

import type * as QuoteV2 from '../../src/core/api/QuoteV2.js';
import { type Address, native } from '../../src/core/base/Address.js';
import * as Quote from '../../src/sandbox/quote/Quote.js';
import {
  type Chain,
  type EvmChain,
  type EvmToken,
  emptyWallet,
  type Market,
  type Pool,
  type Token,
  type VenueChain,
} from '../../src/sandbox/values/Market.js';

export const user: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const other: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const solver: Address = '0x71bE63f3384f5fb98995898A86B02Fb2426c5788';

export const alpha = chain({ id: 313371, slug: 'alpha', tag: 'a', gasPriceWei: 1_500_000n });
export const beta = chain({ id: 313372, slug: 'beta', tag: 'b', gasPriceWei: 2_000_000n });

/** An account with 500 USDC, and one that was never credited. */
export const venue: VenueChain = {
  vm: 'lvm',
  id: 3586256,
  slug: 'lighter',
  displayName: 'Lighter',
  relayer: '7',
  tokens: [
    {
      symbol: 'USDC (Perp)',
      asset: 'USDC',
      name: 'USD Coin (Perp)',
      decimals: 6,
      address: '0',
      priceUsd: 1_000_000n,
      solverBalance: 10n ** 14n,
    },
  ],
  minTransfer: 1_000_000n,
  accounts: [
    { index: '7', balance: 10n ** 14n, transferFee: 0n, activationFee: 0n },
    { index: '100', balance: 500_000_000n, transferFee: 3_000_000n, activationFee: 0n },
    { index: '106', balance: 0n, transferFee: 3_000_000n, activationFee: 1_000_000n },
  ],
};

/** The chains alone, as fills see them. */
export const market: Market<EvmChain> = { nowMs: 1_790_000_000_123, chains: [alpha, beta] };

/** The same with another reserve of USDC in a chain's pool of ETH. */
export function withReserves(name: string, reserve1: bigint): Market<EvmChain> {
  const chains = market.chains.map((each) => {
    const [first, ...rest] = each.pools;
    return first && each.slug === name ? { ...each, pools: [{ ...first, reserve1 }, ...rest] } : each;
  });
  return { ...market, chains };
}

/** The chains and the venue, as quotes see them. */
export const whole: Market = { ...market, chains: [alpha, beta, venue] };

export { emptyWallet };

/** Everything that a quote needs besides the request. */
export const input: Quote.Input = {
  market: whole,
  wallet: emptyWallet,
  identity: {
    requestId: '0x17900000000000000000000000000000000000000000000000000000000000ab',
    salt: '0x00000000000000000000000000000000000000000000000000000000000000cd',
  },
  client: undefined,
  signOrderId: async () => '0x1234',
};

export function token<chain extends Chain>(on: chain, symbol: string): chain['tokens'][number] {
  const tokens: readonly Token[] = on.tokens;
  const found = tokens.find((candidate) => (candidate.asset ?? candidate.symbol) === symbol);
  if (!found) throw new Error(`no ${symbol} on ${on.slug}`);
  return found as chain['tokens'][number];
}

/** A request for a transfer between currencies such as `alpha/usdc`; on `lighter`, the user has account 100. */
export function request(
  amount: bigint,
  from: string,
  to: string,
  rest: Partial<QuoteV2.Request> = {},
): QuoteV2.Request {
  const origin = side(from);
  const destination = side(to);
  const isVenue = (place: { chain: Chain }) => place.chain.vm === 'lvm';
  return {
    user: isVenue(origin) ? '100' : user,
    ...(isVenue(origin) && { recipient: user }),
    ...(isVenue(destination) && { recipient: '100' }),
    originChainId: origin.chain.id,
    destinationChainId: destination.chain.id,
    originCurrency: origin.token.address,
    destinationCurrency: destination.token.address,
    tradeType: 'EXACT_INPUT',
    amount: amount.toString(),
    ...rest,
  };
}

/** The quote for a request on this market. */
export async function quote(asked: QuoteV2.Request, changed: Partial<Quote.Input> = {}): Promise<Quote.Quote> {
  return await Quote.from(asked, { ...input, ...changed });
}

export function side(text: string): { chain: Chain; token: Token } {
  if (text.startsWith('lighter/')) return { chain: venue, token: token(venue, 'USDC') };
  return evmSide(text);
}

export function evmSide(text: string): { chain: EvmChain; token: EvmToken } {
  const [name = '', symbol = ''] = text.split('/');
  const on = name === 'alpha' ? alpha : beta;
  return { chain: on, token: token(on, symbol.toUpperCase()) };
}

function chain(of: { id: number; slug: string; tag: string; gasPriceWei: bigint }): EvmChain {
  const at = (n: number): Address => `0x${of.tag}${n.toString().padStart(39, '0')}`;
  const tokens: EvmToken[] = [
    tokenOf('ETH', native, 18, 2_500_000_000n),
    tokenOf('WETH', at(1), 18, 2_500_000_000n),
    { ...tokenOf('USDC', at(2), 6, 1_000_000n), takesPermits: true },
    { ...tokenOf('USDT', at(3), 6, 1_000_000n), needsZeroApproval: true },
    tokenOf('DAI', at(4), 18, 1_000_000n),
    tokenOf('GULL', at(5), 18, 250_000n),
  ];
  const pool = (n: number, token0: Address, reserve0: bigint, reserve1: bigint, feeBps: bigint): Pool => ({
    address: at(n),
    token0,
    token1: at(2),
    reserve0,
    reserve1,
    feeBps,
  });
  return {
    vm: 'evm',
    id: of.id,
    slug: of.slug,
    displayName: of.slug,
    gasPriceWei: of.gasPriceWei,
    maxFeePerGasWei: 2n * of.gasPriceWei,
    maxPriorityFeePerGasWei: 1_000_000n,
    contracts: {
      depository: at(21),
      router: at(22),
      approvalProxy: at(23),
      wrapped: at(1),
      multicall3: at(24),
      aggregator: at(25),
      swapExecutor: at(26),
      depositFactory: at(27),
      depositImplementation: at(28),
    },
    tokens,
    pools: [
      pool(11, at(1), 2_000n * 10n ** 18n, 5_000_000n * 10n ** 6n, 5n),
      pool(12, at(3), 10_000_000n * 10n ** 6n, 10_000_000n * 10n ** 6n, 1n),
      pool(13, at(4), 10_000_000n * 10n ** 18n, 10_000_000n * 10n ** 6n, 1n),
      pool(14, at(5), 4_000_000n * 10n ** 18n, 1_000_000n * 10n ** 6n, 30n),
    ],
  };
}

function tokenOf(symbol: string, address: Address, decimals: number, priceUsd: bigint): EvmToken {
  return { symbol, name: symbol, decimals, address, priceUsd };
}
