/** The currencies of a network as they are found by typing a part of them. */
import * as Amount from '../base/Amount.js';
import type { Network } from '../network/Network.js';
import type { Currency } from './Currency.js';

/** Each with what it is typed as: `alpha/usdc`. */
export type Candidate = Currency & { typed: string };

/** Every currency that ferry knows on a network, chain by chain, the native one first. */
export function from({ chains }: Pick<Network, 'chains'>): Candidate[] {
  return chains.flatMap((chain) =>
    [chain.native, ...chain.tokens].map((token) => ({
      chain,
      token,
      typed: `${chain.name}/${token.symbol.toLowerCase()}`,
    })),
  );
}

/** Those in which every word of the term occurs, what begins with it first; otherwise in their order. */
export function matching<T extends Candidate>(candidates: readonly T[], term: string): T[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean);
  const found = candidates.filter(({ typed, token, chain }) => {
    const text = `${typed} ${token.name} ${token.address} ${chain.id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const [first = ''] = words;
  const rank = ({ typed, token }: Candidate): number =>
    typed.startsWith(first) || token.symbol.toLowerCase().startsWith(first) ? 0 : 1;
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** A currency in one line; the balance in base units where it is known. */
export function inWords({ typed, token }: Candidate, balance: bigint | undefined): string {
  const held = balance === undefined ? '' : `  ${Amount.format(balance, token.decimals)} ${token.symbol}`;
  return `${typed}${held}`;
}
