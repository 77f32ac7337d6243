/** An EVM chain of a shipped table, written on one line: 80 of them as objects would be 1,500 lines. */
import type { Address } from '../base/Address.js';
import type { Chain, Contracts } from './Network.js';

/** A well-known token of a row. */
export type TokenRow = readonly [symbol: string, name: string, address: Address, decimals: number];

/** A row of a table. */
export type Row = readonly [
  id: number,
  /** The name that is typed, which is also the chain's name in the order protocol. */
  name: string,
  displayName: string,
  /** The service's contracts on the chain. */
  contracts: Contracts,
  native: readonly [symbol: string, name: string, decimals: number],
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
export function toChain(row: Row): Chain {
  const [id, name, displayName, contracts, native, rpcUrl, explorerUrl, wrapped, rows, maxTipGwei] = row;
  const [nativeSymbol, nativeName, nativeDecimals] = native;
  const wrappedRow = rows.find(([symbol]) => symbol === wrapped);
  return {
    id,
    name,
    displayName,
    slug: name,
    vm: 'evm',
    native: { symbol: nativeSymbol, name: nativeName, address: nativeAddress, decimals: nativeDecimals },
    rpcUrl,
    explorerUrl,
    ...(maxTipGwei === undefined ? {} : { maxTipWei: BigInt(maxTipGwei) * 1_000_000_000n }),
    contracts: wrappedRow ? { ...contracts, wrapped: wrappedRow[2] } : contracts,
    tokens: rows.map(([symbol, tokenName, address, decimals]) => ({ symbol, name: tokenName, address, decimals })),
  };
}
