/** A claim as JSON and text: the output of `ferry fees claim`. */

import * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import * as Currency from '../quote/Currency.js';
import * as QuoteDocument from '../quote/QuoteDocument.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalTable from '../text/TerminalTable.js';
import type { Claim } from './ClaimProof.js';

export type ClaimDocument = z.output<typeof schema>;

export const schema = z.object({
  /** The wallet that earned the fees. */
  wallet: z.string(),
  recipient: z.string(),
  chain: z.string(),
  chainId: z.int(),
  /** `chain/token`, as a user types it. */
  currency: z.string(),
  symbol: z.string(),
  /** What is claimed, before the network gas. */
  claimed: QuoteDocument.amount,
  /** What the service wants signed, which is the claim's id. It binds neither amount nor recipient. */
  claimId: z.string(),
  funds: z.literal('untouched'),
});

export function from({ id, wallet, recipient, amount: base, currency }: Claim): ClaimDocument {
  const { chain, token } = currency;
  return {
    wallet,
    recipient,
    chain: chain.name,
    chainId: chain.id,
    currency: Currency.format(currency),
    symbol: token.symbol,
    claimed: Amount.toDocument(base, token.decimals),
    claimId: id,
    funds: 'untouched',
  };
}

/** The claim as text for a terminal. */
export function format({ claimed, symbol, chain, recipient, claimId }: ClaimDocument, style: Style): string {
  return [
    style.bold(`A claim of ${claimed.formatted} ${symbol} on ${chain}; nothing was signed`),
    TerminalTable.rows(
      [
        ['Recipient', recipient],
        ['To sign', claimId],
      ],
      style,
      2,
    ),
    ...TerminalLine.fold(caveat, style.width).map(style.dim),
  ].join('\n');
}

/** What the bytes do not say. */
const caveat =
  'That the bytes stand for this amount and this recipient is the service’s word: they may be the hash of anything. ferry does not sign them.';
