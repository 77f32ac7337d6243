/** Token amounts: bigint base units inside, decimal strings outside. */
import { BaseError } from './Errors.js';

/**
 * The base units of a decimal such as `1.5`.
 *
 * Unlike viem's `parseUnits` it takes no sign, no bare point, no exponent, and never rounds.
 *
 * @throws request.invalid-amount · request.too-many-decimals
 * @example from('1.5', 6) // 1500000n
 */
export function from(text: string, decimals: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new InvalidAmountError(text);
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > decimals) throw new TooManyDecimalsError(text, decimals);
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (amount >= 2n ** 256n) throw new InvalidAmountError(text);
  return amount;
}

/**
 * A decimal without needless zeros.
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
 * A decimal cut, not rounded, to what a person reads: six digits after the point, or the first four that are not zero.
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

/** How many digits a decimal has after its point. */
export function decimalsOf(text: string): number {
  return text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
}

/** Whether one decimal is as much as another, or more. @throws request.invalid-amount */
export function isAtLeast(text: string, least: string): boolean {
  const decimals = Math.max(decimalsOf(text), decimalsOf(least));
  return from(text, decimals) >= from(least, decimals);
}

/** A decimal as the service prints it: always with a point (`25.0`). */
export function formatWire(amount: bigint, decimals: number): string {
  const text = format(amount, decimals);
  return text.includes('.') ? text : `${text}.0`;
}

/** `amount × bps / 10 000`, rounded down. */
export function bps(amount: bigint, basisPoints: bigint): bigint {
  return (amount * basisPoints) / 10_000n;
}

/** `a / b`, rounded up; for non-negative a and positive b. */
export function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/** A text that is no plain decimal, or one that no token can have. */
export class InvalidAmountError extends BaseError {
  override name = 'InvalidAmountError';
  constructor(text: string, why = 'It is written as digits, with a point if needed: 100, 0.25.') {
    super('request.invalid-amount', `"${text}" is not an amount.`, { hint: why });
  }
}

/** An amount that would have to be rounded. */
export class TooManyDecimalsError extends BaseError {
  override name = 'TooManyDecimalsError';
  constructor(text: string, decimals: number) {
    super('request.too-many-decimals', `${text} has more decimals than the token.`, {
      facts: [['decimals of the token', String(decimals)]],
      hint: 'ferry never rounds an amount: write it with fewer decimals.',
    });
  }
}
