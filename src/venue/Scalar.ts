/**
 * Scalars of the curve: integers modulo n, the prime group order, slightly less than 2^319. Encoded as 40 little-endian
 * bytes.
 */

/** The order of the group. Source: poseidon_crypto, curve/ecgfp5. */
export const n = 1067993516717146951041484916571792702745057740581727230159139685185762082554198619328292418486241n;

/** The length of an encoded scalar in bytes. */
export const size = 40;

/** Reduces an integer, which may be negative, modulo n. */
export function from(integer: bigint): bigint {
  const rest = integer % n;
  return rest < 0n ? rest + n : rest;
}

/** The little-endian integer of some bytes, not reduced: it may be n or more. */
export function integerOf(bytes: Uint8Array): bigint {
  let integer = 0n;
  for (const byte of bytes.toReversed()) integer = (integer << 8n) | BigInt(byte);
  return integer;
}

/** Encodes a scalar as 40 little-endian bytes. */
export function toBytes(scalar: bigint): Uint8Array {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < size; at += 8) view.setBigUint64(at, BigInt.asUintN(64, scalar >> BigInt(8 * at)), true);
  return bytes;
}

/** The number of 5-bit digits of a scalar. */
export const digitCount = 64;

/** The 64 signed base-32 digits of a scalar, lowest first, each from −16 to 15, the last one up to 16. */
export function digits(scalar: bigint): Int8Array {
  const found = new Int8Array(digitCount);
  let carry = 0;
  for (let at = 0; at < digitCount; at++) {
    const digit = Number((scalar >> BigInt(5 * at)) & 31n) + carry;
    carry = digit > 15 && at < digitCount - 1 ? 1 : 0;
    found[at] = digit - 32 * carry;
  }
  return found;
}
