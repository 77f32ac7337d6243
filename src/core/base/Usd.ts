/** US dollar amounts: bigint millionths internally, decimal strings at the edges. */

export const decimals = 6;

/**
 * Parses the service's decimal string into millionths of a dollar, rounding half away from zero after the sixth
 * decimal. Undefined if the text is not a plain decimal.
 */
export function from(text: string): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '0', fraction = ''] = match;
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const rounded = kept + (fraction.charAt(decimals) >= '5' ? 1n : 0n);
  return sign ? -rounded : rounded;
}

/** Whether the text is an amount of nothing. */
export function isZero(text: string): boolean {
  return from(text) === 0n;
}

/** Formats an amount as the service does, with six decimals: `24.997525`, `-0.020000`. */
export function formatWire(usd: bigint): string {
  const digits = (usd < 0n ? -usd : usd).toString().padStart(decimals + 1, '0');
  return `${usd < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The same, or null for an amount that is not known. */
export function orNull(usd: bigint | undefined): string | null {
  return usd === undefined ? null : formatWire(usd);
}

/** The same for each amount of an object. */
export function wires<K extends string>(amounts: Readonly<Record<K, bigint>>): Record<K, string> {
  const entries = Object.entries<bigint>(amounts).map(([key, usd]) => [key, formatWire(usd)]);
  return Object.fromEntries(entries) as Record<K, string>;
}

/**
 * Formats an amount for display: two decimals from one dollar up, four below, with the sign before the dollar sign.
 *
 * @example format(-22940n) // '-$0.0229'
 */
export function format(usd: bigint): string {
  const size = usd < 0n ? -usd : usd;
  const places = size >= 1_000_000n || size === 0n ? 2 : 4;
  const unit = 10n ** BigInt(decimals - places);
  const rounded = (size + unit / 2n) / unit;
  const digits = rounded.toString().padStart(places + 1, '0');
  const sign = usd < 0n && rounded > 0n ? '-' : '';
  return `${sign}$${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** The same for the service's decimal string; a text that is no decimal is shown as nothing. */
export function shown(text: string): string {
  return format(from(text) ?? 0n);
}

/** `part / whole` in basis points with one decimal; undefined if one is not known or `whole` is zero. */
export function formatBps(part: bigint | undefined, whole: bigint | undefined): string | undefined {
  if (part === undefined || whole === undefined || whole === 0n) return undefined;
  const size = part < 0n ? -part : part;
  const tenths = (size * 100_000n + whole / 2n) / whole;
  return `${part < 0n && tenths > 0n ? '-' : ''}${tenths / 10n}.${tenths % 10n}`;
}
