/** The total that the lines of a batch pay, as far as it is known without quotes, for the confirmation prompt. */
import * as Amount from '../base/Amount.js';
import type { BatchLine } from './BatchLine.js';

export type BatchSummary = {
  lines: number;
  /** Totals by currency as written, in units of 10^-36 tokens. */
  paid: ReadonlyMap<string, bigint>;
  /** The number of lines whose payment only the quote determines: exact output, expected output or `max`. */
  quoted: number;
};

export const none: BatchSummary = { lines: 0, paid: new Map(), quoted: 0 };

const decimals = 36;

export function add(
  sum: BatchSummary,
  { amount, from, options }: Pick<BatchLine, 'amount' | 'from' | 'options'>,
): BatchSummary {
  const lines = sum.lines + 1;
  const isGiven = !Amount.isMax(amount) && !options.exactOutput && !options.expectedOutput;
  if (!isGiven) return { ...sum, lines, quoted: sum.quoted + 1 };
  const currency = from.toLowerCase();
  const paid = new Map(sum.paid).set(currency, (sum.paid.get(currency) ?? 0n) + Amount.from(amount, decimals));
  return { ...sum, lines, paid };
}

/** `3 transfers, which pay 300 alpha/usdc and the quoted amount in 1 of them`. */
export function format({ lines, paid, quoted }: BatchSummary): string {
  const amounts = [...paid].map(([currency, base]) => `${Amount.format(base, decimals)} ${currency}`);
  const parts = [...amounts, ...(quoted > 0 ? [`the quoted amount in ${quoted} of them`] : [])];
  return `${lines} ${lines === 1 ? 'transfer, which pays' : 'transfers, which pay'} ${list(parts)}`;
}

function list(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
