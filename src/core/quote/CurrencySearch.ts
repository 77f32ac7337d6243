/** Search over the currencies of a network, for an interactive prompt. */
import * as Amount from '../base/Amount.js';
import type { Network } from '../network/Network.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Currency } from './Currency.js';

/** A currency and the text that selects it: `alpha/usdc`. */
export type Candidate = Currency & { typed: string };

/** All currencies that ferry knows on a network, chain by chain, the native one first. */
export function from({ chains }: Pick<Network, 'chains'>): Candidate[] {
  return chains.flatMap((chain) =>
    [chain.native, ...chain.tokens].map((token) => ({
      chain,
      token,
      typed: `${chain.name}/${token.symbol.toLowerCase()}`,
    })),
  );
}

/** The candidates that contain every word of the term. Prefix matches come first; the order is otherwise kept. */
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

/** One line for a candidate: `alpha/usdc  1.5 USDC`. The balance is in base units, undefined if unknown. */
export function inWords({ typed, token }: Candidate, balance: bigint | undefined): string {
  const held =
    balance === undefined ? '' : `  ${TerminalText.grouped(Amount.format(balance, token.decimals))} ${token.symbol}`;
  return `${typed}${held}`;
}
