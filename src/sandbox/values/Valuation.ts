/** Amounts of tokens in US dollars and back, by the market's reference prices. USD are bigint millionths. */
import { divideUp } from '../../core/base/Amount.js';
import type { Token } from './Market.js';

/** What an amount is worth, rounded half up. */
export function toUsd(amount: bigint, token: Token): bigint {
  return round(amount * token.priceUsd, 10n ** BigInt(token.decimals));
}

/** The smallest amount that is worth at least so much. */
export function fromUsd(usd: bigint, token: Token): bigint {
  return divideUp(usd * 10n ** BigInt(token.decimals), token.priceUsd);
}

/** The same worth in another token, rounded down. */
export function convert(amount: bigint, from: Token, to: Token): bigint {
  const { numerator, denominator } = worth(amount, from, to);
  return numerator / denominator;
}

/** The same worth in another token, rounded up. */
export function convertUp(amount: bigint, from: Token, to: Token): bigint {
  const { numerator, denominator } = worth(amount, from, to);
  return divideUp(numerator, denominator);
}

/** So many basis points of it, rounded half up. */
export function share(usd: bigint, bps: bigint): bigint {
  return round(usd * bps, 10_000n);
}

/** The same number of whole tokens where a token has other decimals, rounded down. */
export function rescale(amount: bigint, fromDecimals: number, toDecimals: number): bigint {
  return toDecimals >= fromDecimals
    ? amount * 10n ** BigInt(toDecimals - fromDecimals)
    : amount / 10n ** BigInt(fromDecimals - toDecimals);
}

/** `part / whole` with so many decimals, rounded half away from zero: `-0.40`. Zero carries no sign. */
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
