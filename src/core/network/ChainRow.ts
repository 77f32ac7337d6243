/** An EVM chain of a shipped table, written on one line: 80 of them as objects would be 1,500 lines. */
import type { Address } from '../base/Address.js';
import type { Chain, Contracts } from './Network.js';

/** A well-known token of a row. */
export type TokenRow = readonly [symbol: string, name: string, address: Address, decimals: number, asset?: string];

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

/** A row of a table. */
export type Row = readonly [
  id: number,
  /** The name that is typed, which is also the chain's name in the order protocol. */
  name: string,
  displayName: string,
  /** The service's contracts on the chain. */
  contracts: Contracts,
  native: readonly [symbol: string, name: string, decimals: number, asset?: string],
  rpcUrl: string,
  explorerUrl: string,
  /** The symbol of the wrapped native token among the tokens; empty if none is known. */
  wrapped: string,
  tokens: readonly TokenRow[],
  /** The highest tip that is paid, in gwei, where 3 are too little for the chain. */
  maxTipGwei?: number,
];

/** Spelled out, so that reading a table does not load the address code. */
const nativeAddress = '0x0000000000000000000000000000000000000000';

/** The chain of a row. */
export function toChain(row: Row, { feeds = {}, code = {} }: { feeds?: Feeds; code?: Code } = {}): Chain {
  const [id, name, displayName, contracts, native, rpcUrl, explorerUrl, wrapped, rows, maxTipGwei] = row;
  const [nativeSymbol, nativeName, nativeDecimals, asset] = native;
  const own = feeds[name];
  const wrappedRow = rows.find(([symbol]) => symbol === wrapped);
  return {
    id,
    name,
    displayName,
    slug: name,
    vm: 'evm',
    native: { symbol: nativeSymbol, name: nativeName, address: nativeAddress, decimals: nativeDecimals, asset },
    rpcUrl,
    explorerUrl,
    ...(maxTipGwei === undefined ? {} : { maxTipWei: BigInt(maxTipGwei) * 1_000_000_000n }),
    contracts: { ...contracts, ...code[name], ...(wrappedRow ? { wrapped: wrappedRow[2] } : {}) },
    tokens: rows.map(([symbol, tokenName, address, decimals, of]) => ({
      symbol,
      name: tokenName,
      address,
      decimals,
      asset: of,
    })),
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
