/**
 * Converts token amounts to US dollars and back at the market's reference prices. USD amounts are bigint millionths.
 */
import { divideUp } from '../../core/base/Amount.js';
import type { Token } from './Market.js';

/** The USD value of an amount, rounded half up. */
export function toUsd(amount: bigint, token: Token): bigint {
  return round(amount * token.priceUsd, 10n ** BigInt(token.decimals));
}

/** The smallest amount worth at least the given USD value. */
export function fromUsd(usd: bigint, token: Token): bigint {
  return divideUp(usd * 10n ** BigInt(token.decimals), token.priceUsd);
}

/** The amount of another token with the same value, rounded down. */
export function convert(amount: bigint, from: Token, to: Token): bigint {
  const { numerator, denominator } = worth(amount, from, to);
  return numerator / denominator;
}

/** The amount of another token with the same value, rounded up. */
export function convertUp(amount: bigint, from: Token, to: Token): bigint {
  const { numerator, denominator } = worth(amount, from, to);
  return divideUp(numerator, denominator);
}

/** `bps` basis points of a USD value, rounded half up. */
export function share(usd: bigint, bps: bigint): bigint {
  return round(usd * bps, 10_000n);
}

/** Converts an amount between decimals, rounded down. */
export function rescale(amount: bigint, fromDecimals: number, toDecimals: number): bigint {
  return toDecimals >= fromDecimals
    ? amount * 10n ** BigInt(toDecimals - fromDecimals)
    : amount / 10n ** BigInt(fromDecimals - toDecimals);
}

/** `part / whole` with a fixed number of decimals, rounded half away from zero: `-0.40`. Zero has no sign. */
export function formatRatio(part: bigint, whole: bigint, decimals: number): string {
  const negative = part < 0n !== whole < 0n;
  const size = whole === 0n ? 0n : round(abs(part) * 10n ** BigInt(decimals), abs(whole));
  const digits = size.toString().padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return negative && size > 0n ? `-${text}` : text;
}

function worth(amount: bigint, from: Token, to: Token): { numerator: bigint; denominator: bigint } {
  return {
    numerator: amount * from.priceUsd * 10n ** BigInt(to.decimals),
    denominator: to.priceUsd * 10n ** BigInt(from.decimals),
  };
}

function round(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
