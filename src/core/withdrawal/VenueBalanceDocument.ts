/** The venue account in the output of a deposit or withdrawal, with its balance before and after. */

import * as z from 'zod/mini';
import * as VenueAccount from '../accounts/VenueAccount.js';
import * as Amount from '../base/Amount.js';
import * as QuoteDocument from '../quote/QuoteDocument.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

export const usdc = QuoteDocument.amount;

export const account = z.object({
  index: z.int(),
  /** The wallet that owns it. */
  wallet: z.string(),
  /** USDC balance before. */
  before: usdc,
  /** USDC balance after; null if nothing was done or the venue did not return it. */
  after: z.nullable(usdc),
});

/** The account after a resumed run, whose balance before is not known. */
export const accountLater = z.extend(account, { before: z.nullable(usdc) });

/** A signed transfer, ready to submit. */
export const signed = z.object({
  /** The transaction in the venue's format, with both signatures. */
  txInfo: z.string(),
  txHash: z.string(),
  publicKey: z.string(),
  signingChainId: z.int(),
  accountIndex: z.int(),
  apiKeyIndex: z.int(),
  nonce: z.string(),
  /** Unix time in milliseconds until which it can be submitted. */
  expiresAt: z.int(),
});

export type Account = z.output<typeof account>;
export type AccountLater = z.output<typeof accountLater>;
export type Signed = z.output<typeof signed>;

/** The account with its balances before and after, in millionths of USDC. */
export function toAccount(
  { index, wallet }: VenueAccount.VenueAccount,
  before: bigint,
  after: bigint | undefined,
): Account {
  return { index, wallet, before: toUsdc(before), after: after === undefined ? null : toUsdc(after) };
}

/** The account with its current balance in millionths of USDC; undefined if nothing was done. */
export function toAccountLater({ index, wallet }: VenueAccount.VenueAccount, after: bigint | undefined): AccountLater {
  return { index, wallet, before: null, after: after === undefined ? null : toUsdc(after) };
}

export function toUsdc(base: bigint): z.output<typeof usdc> {
  return Amount.toDocument(base, VenueAccount.usdcDecimals);
}

/** The account and its balances as text for a terminal. */
export function format({ index, wallet, before, after }: AccountLater, style: Style): string {
  const rows = [
    ['Account', `${index} of wallet ${TerminalText.escape(wallet)}`],
    ...(before ? [['Before', `${before.formatted} USDC`]] : []),
    ...(after ? [['After', `${after.formatted} USDC`]] : []),
  ];
  return TerminalText.columns(rows.map(([label = '', value = '']) => [`  ${style.dim(label)}`, value]));
}
