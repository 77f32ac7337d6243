/** A claim as JSON and text: the output of `ferry fees claim`. */
import * as z from 'zod/mini';
import * as Amount from '../base/Amount.js';
import * as Currency from '../quote/Currency.js';
import * as TerminalLine from '../text/TerminalLine.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalText from '../text/TerminalText.js';
import type { Claim, Outcome } from './ClaimExecution.js';

export type ClaimDocument = z.output<typeof schema>;

const amount = z.object({ amount: z.string(), formatted: z.string() });

export const schema = z.object({
  /** The wallet that earned the fees, and signs. */
  wallet: z.string(),
  recipient: z.string(),
  chain: z.string(),
  chainId: z.int(),
  /** `chain/token`, as a user types it. */
  currency: z.string(),
  symbol: z.string(),
  /** What is claimed, before the network gas. */
  claimed: amount,
  /** The message that is signed, which is the claim's id. It binds neither amount nor recipient. */
  claimId: z.string(),
  /** `planned` with `--dry-run`, `sent` with `--no-wait`, else `success`. */
  status: z.enum(['planned', 'sent', 'success']),
  funds: z.enum(['untouched', 'in-flight', 'delivered']),
  /** What reached the recipient, read from the chain; null before it is paid. */
  received: z.nullable(amount),
  /** What the service withheld for the network gas of the payment. */
  withheld: z.nullable(amount),
  txHash: z.nullable(z.string()),
});

export function from(claim: Claim, outcome: Outcome | undefined): ClaimDocument {
  const { wallet, recipient, currency, id } = claim;
  const { chain, token } = currency;
  const inUnits = (value: bigint) => ({ amount: String(value), formatted: Amount.format(value, token.decimals) });
  const paid = outcome?.payment;
  const status = paid ? 'success' : outcome ? 'sent' : 'planned';
  return {
    wallet,
    recipient,
    chain: chain.name,
    chainId: chain.id,
    currency: Currency.format(currency),
    symbol: token.symbol,
    claimed: inUnits(claim.amount),
    claimId: id,
    status,
    funds: paid ? 'delivered' : outcome ? 'in-flight' : 'untouched',
    received: paid ? inUnits(paid.received) : null,
    withheld: paid && paid.received <= claim.amount ? inUnits(claim.amount - paid.received) : null,
    txHash: paid?.txHash ?? null,
  };
}

/** The claim as text for a terminal. */
export function format(document: ClaimDocument, style: Style): string {
  const { claimed, received, withheld, symbol, chain, recipient, claimId, txHash, status } = document;
  const head = {
    planned: `Would claim ${claimed.formatted} ${symbol} on ${chain}; nothing was signed`,
    sent: `The service accepted the claim of ${claimed.formatted} ${symbol} on ${chain}`,
    success: `${style.green('✓')} ${received?.formatted ?? '?'} ${symbol} arrived on ${chain}`,
  }[status];
  return [
    style.bold(head),
    TerminalText.columns(
      [
        ['Recipient', recipient],
        ...(withheld ? [['For the gas', `${withheld.formatted} ${symbol}`]] : []),
        ['Signs', claimId],
        ...(txHash ? [['Transaction', TerminalText.escape(txHash)]] : []),
      ].map(([label = '', value = '']) => [`  ${style.dim(label)}`, value]),
    ),
    ...(status === 'planned' ? TerminalLine.wrap(caveat, style.width).map(style.dim) : []),
  ].join('\n');
}

/** What the signature does not say. */
export const caveat =
  'The signature covers the id alone: that it stands for this amount and this recipient is the service’s word. The network gas is taken from the amount.';
