/** What the lines of a batch pay together, as far as they say it themselves: for a person who is asked. */
import * as Amount from '../base/Amount.js';
import type { BatchLine } from './BatchLine.js';

export type BatchSum = {
  lines: number;
  /** By the currency as it is written, in units of 10^-36 of its token. */
  paid: ReadonlyMap<string, bigint>;
  /** Lines whose payment the quote tells: an output is given, or everything is paid. */
  quoted: number;
};

export const none: BatchSum = { lines: 0, paid: new Map(), quoted: 0 };

const decimals = 36;

/** The sum with one more line. */
export function add(
  sum: BatchSum,
  { amount, from, options }: Pick<BatchLine, 'amount' | 'from' | 'options'>,
): BatchSum {
  const lines = sum.lines + 1;
  const isGiven = amount !== 'max' && !options.exactOutput && !options.expectedOutput;
  if (!isGiven) return { ...sum, lines, quoted: sum.quoted + 1 };
  const currency = from.toLowerCase();
  const paid = new Map(sum.paid).set(currency, (sum.paid.get(currency) ?? 0n) + Amount.from(amount, decimals));
  return { ...sum, lines, paid };
}

/** `3 transfers, which pay 300 alpha/usdc and, in 1 of them, what the quote says`. */
export function format({ lines, paid, quoted }: BatchSum): string {
  const amounts = [...paid].map(([currency, base]) => `${Amount.format(base, decimals)} ${currency}`);
  const parts = [...amounts, ...(quoted > 0 ? [`in ${quoted} of them what the quote says`] : [])];
  return `${lines} ${lines === 1 ? 'transfer, which pays' : 'transfers, which pay'} ${list(parts)}`;
}

function list(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
