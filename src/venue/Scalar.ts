/**
 * The multipliers of the curve's points: integers modulo n, the prime order of the group, a little less than 2^319. On
 * the wire 40 bytes, the lowest first.
 */

/** The order of the group. Source: poseidon_crypto, curve/ecgfp5. */
export const n = 1067993516717146951041484916571792702745057740581727230159139685185762082554198619328292418486241n;

/** Bytes of a scalar. */
export const size = 40;

/** The scalar that an integer stands for, negative ones as well. */
export function from(integer: bigint): bigint {
  const rest = integer % n;
  return rest < 0n ? rest + n : rest;
}

/** The integer of some bytes, the lowest first, as it stands: it may be n or more. */
export function integerOf(bytes: Uint8Array): bigint {
  let integer = 0n;
  for (const byte of bytes.toReversed()) integer = (integer << 8n) | BigInt(byte);
  return integer;
}

/** The 40 bytes of a scalar. */
export function toBytes(scalar: bigint): Uint8Array {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < size; at += 8) view.setBigUint64(at, BigInt.asUintN(64, scalar >> BigInt(8 * at)), true);
  return bytes;
}

/** Digits of five bits that a scalar has. */
export const digitCount = 64;

/** The 64 digits of a scalar to the base 32, the lowest first, each from −16 to 15 but the last, which goes to 16. */
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
