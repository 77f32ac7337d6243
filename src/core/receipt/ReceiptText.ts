/** A receipt, and what its proof came to, as text. */
import * as Amount from '../base/Amount.js';
import type { Finding } from '../quote/Finding.js';
import * as Place from '../text/Place.js';
import type { Style } from '../text/TerminalStyle.js';
import * as TerminalTable from '../text/TerminalTable.js';
import * as TerminalText from '../text/TerminalText.js';
import type { ReceiptDocument, Transaction } from './ReceiptDocument.js';

/** Who paid what to whom, by which transactions, and who showed it. */
export function format(receipt: ReceiptDocument, style: Style, _?: unknown, place?: Place.Place): string {
  const { payer, origin, destination, paid, received, deposit, fills, orderId, witnesses } = receipt;
  const who = [...new Set(witnesses.flatMap((each) => each.witnesses))];
  const rows: TerminalTable.Row[] = [
    ['Network', place && Place.shown(place, style)],
    ['Paid', `${amount(paid.formatted, origin)} by ${TerminalText.escape(payer)}`],
    ['Received', `${amount(received.formatted, destination)}`],
    ['Deposit', transaction(deposit)],
    ...fills.map((fill) => ['Fill', transaction(fill)] as const),
    ['Order', orderId && TerminalText.escape(orderId)],
    ['Shown by', who.map(TerminalText.escape).join(', ')],
  ];
  return [
    `${style.green('✓')} ${style.bold('Receipt')} for ${TerminalText.escape(receipt.recipient)}`,
    TerminalTable.rows(rows, style, 2),
  ].join('\n');
}

/** `✓ 14 checks passed: 99.96 beta/usdc arrived at 0x…, paid by 0x…`, or how many fail. */
export function summary(
  proof: readonly Pick<Finding, 'check' | 'verdict'>[],
  { payer, received, currency, recipient }: Record<'payer' | 'received' | 'currency' | 'recipient', string>,
  style: Style,
  { allow = [] }: { allow?: readonly string[] | undefined } = {},
): string {
  const count = (verdict: Finding['verdict']): number =>
    proof.filter((each) => each.verdict === verdict && !(verdict === 'cannot verify' && allow.includes(each.check)))
      .length;
  const [wrong, open] = [count('mismatch'), count('cannot verify')];
  const skipped = count('not checked');
  if (wrong > 0) return style.red(`✗ ${wrong} of ${proof.length} checks failed: it does not show a payment`);
  if (open > 0) return style.yellow(`? ${open} of ${proof.length} checks cannot be verified: it is not shown yet`);
  const rest = skipped > 0 ? style.dim(` (${skipped} not checked)`) : '';
  const [sum, token, to, by] = [Amount.shorten(received), currency, recipient, payer].map(TerminalText.escape);
  const what = `${sum} ${token} arrived at ${to}, paid by ${by}`;
  return `${style.green('✓')} ${count('verified')} checks passed: ${what}${rest}`;
}

function amount(formatted: string, { symbol, chain }: ReceiptDocument['origin']): string {
  return `${TerminalText.escape(Amount.shorten(formatted))} ${TerminalText.escape(symbol)} on ${TerminalText.escape(chain)}`;
}

function transaction({ txHash, blockNumber }: Transaction): string {
  return `${TerminalText.escape(txHash)}${blockNumber === null ? '' : ` in block ${TerminalText.escape(blockNumber)}`}`;
}
