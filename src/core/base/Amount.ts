/** Token amounts: bigint base units internally, decimal strings at the edges. */
import * as AddressText from './AddressText.js';
import { BaseError } from './Errors.js';

/**
 * Parses a decimal string such as `1.5` into base units.
 *
 * Unlike viem's `parseUnits`, it rejects signs, bare points and exponents, and never rounds.
 *
 * @throws request.invalid-amount · request.too-many-decimals
 * @example from('1.5', 6) // 1500000n
 */
export function from(text: string, decimals: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new InvalidAmountError(text);
  const [, whole = '', digits = ''] = match;
  // Zeros beyond the decimals, as a spreadsheet or toFixed writes them, need no rounding.
  const fraction = digits.slice(0, decimals) + digits.slice(decimals).replace(/0+$/, '');
  if (fraction.length > decimals)
    throw new BaseError('request.too-many-decimals', `${text} has more decimals than the token.`, {
      facts: [['decimals of the token', String(decimals)]],
      hint: 'ferry never rounds amounts: use fewer decimals.',
    });
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (amount >= 2n ** 256n) throw new InvalidAmountError(text);
  return amount;
}

/** Whether an amount as typed stands for all that there is. */
export function isMax(text: string): boolean {
  return /^max$/i.test(text);
}

/**
 * Formats base units as a decimal string without trailing zeros.
 *
 * @example format(1500000n, 6) // '1.5'
 */
export function format(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}

/**
 * Truncates, never rounds, a decimal string for display: to six fraction digits, or below one to at least four
 * digits after the leading zeros.
 *
 * @example shorten('9919.363549878934837054') // '9919.363549'
 */
export function shorten(text: string): string {
  const match = /^(-?\d+)\.(0*)(\d*)$/.exec(text);
  if (!match) return text;
  const [, whole = '', zeros = '', digits = ''] = match;
  const kept = whole === '0' || whole === '-0' ? Math.max(6 - zeros.length, 4) : 6 - zeros.length;
  const fraction = kept > 0 ? `${zeros}${digits.slice(0, kept)}`.replace(/0+$/, '') : '';
  return fraction ? `${whole}.${fraction}` : whole;
}

export function decimalsOf(text: string): number {
  return text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
}

/** Whether the decimal `text` is greater than or equal to `least`. @throws request.invalid-amount */
export function isAtLeast(text: string, least: string): boolean {
  const decimals = Math.max(decimalsOf(text), decimalsOf(least));
  return from(text, decimals) >= from(least, decimals);
}

/** Formats base units as the service does: always with a decimal point (`25.0`). */
export function formatWire(amount: bigint, decimals: number): string {
  const text = format(amount, decimals);
  return text.includes('.') ? text : `${text}.0`;
}

/** An amount as JSON: base units, and the same in units of the token. */
export function toDocument(base: bigint, decimals: number): { amount: string; formatted: string } {
  return { amount: String(base), formatted: format(base, decimals) };
}

/** `amount × bps / 10 000`, rounded down. */
export function bps(amount: bigint, basisPoints: bigint): bigint {
  return (amount * basisPoints) / 10_000n;
}

/** `a / b`, rounded up. `a` must be non-negative and `b` positive. */
export function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/** The greatest of some amounts; zero for none. */
export function greatest(amounts: readonly bigint[]): bigint {
  return rising(amounts).at(-1) ?? 0n;
}

/** The least of some amounts; zero for none. */
export function least(amounts: readonly bigint[]): bigint {
  return rising(amounts)[0] ?? 0n;
}

function rising(amounts: readonly bigint[]): readonly bigint[] {
  return amounts.toSorted((a, b) => (a < b ? -1 : 1));
}

function whyNoAmount(text: string): string {
  const hidden = AddressText.invisible(text);
  if (hidden !== undefined) return `It has an invisible character, ${hidden}: type it anew.`;
  if (/[^\P{Nd}\d]/u.test(text)) return 'Its digits are not 0 to 9, but look like them: type it anew.';
  const write = 'Write digits, with a decimal point if needed: 100 or 0.25.';
  if (!/^\d[\d.,'’_ ]*$/.test(text) || !/[,'’_ ]\d/.test(text)) return write;
  return `${text.includes(',') ? 'A comma may mean a point or thousands' : 'Leave out what separates thousands'}. ${write}`;
}

/** Thrown for a text that is not a plain decimal, or whose value does not fit in a uint256. */
export class InvalidAmountError extends BaseError {
  override name = 'InvalidAmountError';
  constructor(text: string, why = whyNoAmount(text)) {
    super('request.invalid-amount', `"${text}" is not an amount.`, { hint: why });
  }
}
