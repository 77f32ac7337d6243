/** An account of the venue in the result of a deposit or a withdrawal: who it is, and what it had before and after. */
import * as z from 'zod/mini';
import * as VenueAccount from '../accounts/VenueAccount.js';
import * as Amount from '../base/Amount.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';

export const usdc = z.object({ amount: z.string(), formatted: z.string() });

export const account = z.object({
  index: z.int(),
  /** The wallet that owns it. */
  wallet: z.string(),
  /** USDC there before. */
  before: usdc,
  /** USDC there after; null where nothing was done or the venue did not show it. */
  after: z.nullable(usdc),
});

/** The same after a run was taken up again, when nobody knows any more what it had before. */
export const accountLater = z.extend(account, { before: z.nullable(usdc) });

/** A transfer as it was signed, for whoever hands it in. */
export const signed = z.object({
  /** The transaction in the venue's own format, both signatures in it. */
  txInfo: z.string(),
  txHash: z.string(),
  publicKey: z.string(),
  signingChainId: z.int(),
  accountIndex: z.int(),
  apiKeyIndex: z.int(),
  nonce: z.string(),
  /** Unix time in milliseconds until which it can be handed in. */
  expiresAt: z.int(),
});

export type Account = z.output<typeof account>;
export type AccountLater = z.output<typeof accountLater>;
export type Signed = z.output<typeof signed>;

/** Millionths of USDC before and after. */
export function toAccount(
  { index, wallet }: VenueAccount.VenueAccount,
  before: bigint,
  after: bigint | undefined,
): Account {
  return { index, wallet, before: toUsdc(before), after: after === undefined ? null : toUsdc(after) };
}

/** Millionths of USDC now; undefined where nothing was done. */
export function toAccountLater({ index, wallet }: VenueAccount.VenueAccount, after: bigint | undefined): AccountLater {
  return { index, wallet, before: null, after: after === undefined ? null : toUsdc(after) };
}

export function toUsdc(base: bigint): z.output<typeof usdc> {
  return { amount: String(base), formatted: Amount.format(base, VenueAccount.usdcDecimals) };
}

/** `Account 100 of 0xf39F…2266: 10000 USDC, then 10100 USDC`. */
export function format({ index, wallet, before, after }: AccountLater, style: Style): string {
  const rows = [
    ['Account', `${index} of wallet ${TerminalText.escape(wallet)}`],
    ...(before ? [['Before', `${before.formatted} USDC`]] : []),
    ...(after ? [['After', `${after.formatted} USDC`]] : []),
  ];
  return TerminalText.columns(rows.map(([label = '', value = '']) => [`  ${style.dim(label)}`, value]));
}
