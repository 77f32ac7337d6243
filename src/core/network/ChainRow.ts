/** A chain of a shipped table, written on one line: 80 of them as objects would be 1,500 lines. */
import type { Address } from '../base/Address.js';
import type { Chain, Contracts, Token } from './Network.js';

/** A well-known token of a row. */
export type TokenRow = readonly [
  symbol: string,
  name: string,
  address: string,
  decimals: number,
  asset?: string | undefined,
];

/** The price feeds of chains by name; each with its address and its heartbeat in seconds. */
export type Feeds = Readonly<
  Record<string, { assets: Readonly<Record<string, readonly [Address, number]>>; sequencer?: Address }>
>;

/** Contracts on chains by name whose code enforces what a call or a payment promises. */
export type Code = Readonly<
  Record<string, Pick<Contracts, 'kyberSwap' | 'universalRouter' | 'depositFactory' | 'depositImplementation'>>
>;

/** The decimals of every feed in the table: Chainlink's dollar feeds have eight. */
const feedDecimals = 8;

/** A row of an EVM chain. */
export type Row = readonly [
  id: number,
  /** The name that is typed, which is also the chain's name in the order protocol. */
  name: string,
  displayName: string,
  /** The service's contracts on the chain. */
  contracts: Contracts,
  native: readonly [symbol: string, name: string, decimals: number, asset?: string],
  rpcUrl: string | undefined,
  explorerUrl: string | undefined,
  /** The symbol of the wrapped native token among the tokens; empty if none is known. */
  wrapped: string,
  tokens: readonly TokenRow[],
  /** The highest tip that is paid, in gwei, where 3 are too little for the chain. */
  maxTipGwei?: number,
];

/** A row of a chain that ferry only pays to. Its contracts are not pinned: nothing is paid or approved there. */
export type OtherRow = readonly [
  id: number,
  name: string,
  displayName: string,
  vm: Chain['vm'],
  native: TokenRow,
  tokens: readonly TokenRow[],
  rpcUrl: string | undefined,
  explorerUrl: string | undefined,
];

/** The chain of such a row. */
export function toOther([id, name, displayName, vm, native, rows, rpcUrl, explorerUrl]: OtherRow): Chain {
  const tokens = rows.map(toToken);
  return { id, name, displayName, slug: name, vm, native: toToken(native), rpcUrl, explorerUrl, contracts: {}, tokens };
}

/** The venue settles in its own units: one currency, `0`, and account indices for addresses. */
export function venue(accounts: readonly string[]): Chain {
  const native: TokenRow = ['USDC', 'USD Coin (Perp)', '0', 6, 'USD'];
  const chain = toOther([3586256, 'lighter', 'Lighter', 'lvm', native, [], undefined, undefined]);
  return { ...chain, contracts: { accounts } };
}

function toToken([symbol, name, address, decimals, asset]: TokenRow): Token {
  return { symbol, name, address, decimals, asset };
}

/** Spelled out, so that reading a table does not load the address code. */
const nativeAddress = '0x0000000000000000000000000000000000000000';

/** The chain of a row. */
export function toChain(row: Row, { feeds = {}, code = {} }: { feeds?: Feeds; code?: Code } = {}): Chain {
  const [id, name, displayName, contracts, native, rpcUrl, explorerUrl, wrapped, rows, maxTipGwei] = row;
  const [symbol, title, decimals, asset] = native;
  const own = feeds[name];
  const wrappedRow = rows.find(([of]) => of === wrapped);
  return {
    id,
    name,
    displayName,
    slug: name,
    vm: 'evm',
    native: toToken([symbol, title, nativeAddress, decimals, asset]),
    rpcUrl,
    explorerUrl,
    ...(maxTipGwei === undefined ? {} : { maxTipWei: BigInt(maxTipGwei) * 1_000_000_000n }),
    contracts: { ...contracts, ...code[name], ...(wrappedRow ? { wrapped: wrappedRow[2] as Address } : {}) },
    tokens: rows.map(toToken),
    feeds: own && toFeeds(own.assets),
    sequencerFeed: own?.sequencer,
  };
}

function toFeeds(assets: Feeds[string]['assets']): Chain['feeds'] {
  return Object.fromEntries(
    Object.entries(assets).map(([asset, [address, heartbeat]]) => [
      asset,
      { address, heartbeat, decimals: feedDecimals },
    ]),
  );
}
