/** One side of a request: the currency and amount paid in or paid out. */
import * as z from 'zod/mini';
import type * as CurrencyAmount from '../api/schema/CurrencyAmount.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as Network from '../network/Network.js';

export type RequestSide = z.output<typeof schema>;

const text = z.nullable(z.string());

export const schema = z.object({
  chainId: z.nullable(z.int()),
  /** The chain's name as typed by a user; null if the network does not have the chain. */
  chain: text,
  /** As typed by a user: `alpha/usdc`, or with an address if ferry does not know the token. */
  currency: text,
  /** The service's symbol, for display only. */
  symbol: text,
  address: text,
  /** Base units. */
  amount: text,
  formatted: text,
  usd: text,
});

/** Values from other fields, for records without a route. */
export type Fallback = {
  chainId?: number | null | undefined;
  address?: string | null | undefined;
  amount?: string | null | undefined;
};

/** Identifies the currency by its address; the service's symbol is for display only. */
export function from(
  wire: CurrencyAmount.BriefReceived | null | undefined,
  fallback: Fallback,
  network: Network.Network,
): RequestSide {
  const chainId = wire?.currency?.chainId ?? fallback.chainId ?? null;
  const address = wire?.currency?.address ?? fallback.address ?? null;
  const amount = wire?.amount ?? fallback.amount ?? null;
  const chain = chainId === null || chainId === undefined ? undefined : Network.chainById(network, chainId);
  const token = chain && address !== null ? tokenOf(chain, address) : undefined;
  // For a known token the decimals are ferry's; for any other the service's formatted amount or decimals are used.
  const decimals = token?.decimals ?? (wire?.amountFormatted ? undefined : wire?.currency?.decimals);
  const formatted =
    typeof decimals === 'number' && amount !== null && /^\d{1,78}$/.test(amount)
      ? Amount.format(BigInt(amount), decimals)
      : undefined;
  return {
    chainId,
    chain: chain?.name ?? null,
    currency:
      chainId === null || address === null
        ? null
        : `${chain?.name ?? chainId}/${token ? token.symbol.toLowerCase() : address}`,
    symbol: wire?.currency?.symbol ?? null,
    address,
    amount,
    formatted: formatted ?? wire?.amountFormatted ?? null,
    usd: wire?.amountUsd ?? null,
  };
}

function tokenOf(chain: Network.Chain, address: string): Network.Token | undefined {
  return [chain.native, ...chain.tokens].find((each) => Address.isEqual(each.address, address));
}
