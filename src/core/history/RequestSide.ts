/** What a request was paid in or paid out: a currency of a record, as ferry names it, with its amount. */
import * as z from 'zod/mini';
import type * as CurrencyAmount from '../api/schema/CurrencyAmount.js';
import * as Address from '../base/Address.js';
import * as Amount from '../base/Amount.js';
import * as Network from '../network/Network.js';

export type RequestSide = z.output<typeof schema>;

const text = z.nullable(z.string());

export const schema = z.object({
  chainId: z.nullable(z.int()),
  /** As it is typed; null for a chain that the network has not. */
  chain: text,
  /** As it is typed, `alpha/usdc`, by address where ferry does not know the token. */
  currency: text,
  /** By the service, which decides nothing. */
  symbol: text,
  address: text,
  /** Base units. */
  amount: text,
  formatted: text,
  usd: text,
});

/** What is known from elsewhere, where the record has no route. */
export type Fallback = {
  chainId?: number | null | undefined;
  address?: string | undefined;
  amount?: string | undefined;
};

/** Names the currency by its address: a symbol that the service writes is only shown. */
export function from(
  said: CurrencyAmount.Brief | null | undefined,
  fallback: Fallback,
  network: Network.Network,
): RequestSide {
  const chainId = said?.currency?.chainId ?? fallback.chainId ?? null;
  const address = said?.currency?.address ?? fallback.address ?? null;
  const amount = said?.amount ?? fallback.amount ?? null;
  const chain = chainOf(chainId, network);
  const token = chain && address !== null ? tokenOf(chain, address) : undefined;
  // The decimals of a token that ferry knows are ferry's; the service may say the amount of any other.
  const formatted =
    token && amount !== null && /^\d{1,78}$/.test(amount) ? Amount.format(BigInt(amount), token.decimals) : undefined;
  return {
    chainId,
    chain: chain?.name ?? null,
    currency:
      chainId === null || address === null
        ? null
        : `${chain?.name ?? chainId}/${token ? token.symbol.toLowerCase() : address}`,
    symbol: said?.currency?.symbol ?? null,
    address,
    amount,
    formatted: formatted ?? said?.amountFormatted ?? null,
    usd: said?.amountUsd ?? null,
  };
}

function chainOf(chainId: number | null | undefined, network: Network.Network): Network.Chain | undefined {
  return chainId === null || chainId === undefined ? undefined : Network.chainById(network, chainId);
}

function tokenOf(chain: Network.Chain, address: string): Network.Token | undefined {
  return [chain.native, ...chain.tokens].find((each) => Address.isEqual(each.address, address));
}
