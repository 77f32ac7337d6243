/**
 * The Goldilocks field, integers modulo p = 2^64 − 2^32 + 1: the field of the venue's hash and the base field of its
 * curve. Elements are bigints from 0 to p − 1, encoded as eight little-endian bytes.
 */

export const p = 0xffff_ffff_0000_0001n;

/** Reduces an integer, which may be negative, modulo p. */
export function from(integer: bigint): bigint {
  const rest = integer % p;
  return rest < 0n ? rest + p : rest;
}

/** `base` to a non-negative exponent. */
export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % p;
    if (bit === '1') result = (result * base) % p;
  }
  return result;
}

/** The multiplicative inverse; zero for zero. */
export function inverse(element: bigint): bigint {
  return power(element, p - 2n);
}

/** Whether an element is a square. Zero is. */
export function isSquare(element: bigint): boolean {
  return element === 0n || power(element, (p - 1n) / 2n) === 1n;
}

/**
 * One of the two square roots, by Tonelli–Shanks: p − 1 is 2^32 times the odd number 2^32 − 1, and 7 is not a square.
 * Undefined if the element is not a square.
 */
export function squareRoot(element: bigint): bigint | undefined {
  if (!isSquare(element)) return undefined;
  const odd = 2n ** 32n - 1n;
  let root = power(element, (odd + 1n) / 2n);
  /** root² / element. Its order, a power of two, decreases until it is 1. */
  let excess = power(element, odd);
  let unit = power(7n, odd);
  let order = 32;
  while (excess > 1n) {
    let steps = 0;
    for (let square = excess; square !== 1n; square = (square * square) % p) steps++;
    const factor = power(unit, 2n ** BigInt(order - steps - 1));
    root = (root * factor) % p;
    unit = (factor * factor) % p;
    excess = (excess * unit) % p;
    order = steps;
  }
  return root;
}

/** Encodes elements as eight bytes each, little-endian. */
export function toBytes(elements: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(elements.length * 8);
  const view = new DataView(bytes.buffer);
  elements.forEach((element, index) => {
    view.setBigUint64(index * 8, element, true);
  });
  return bytes;
}

/** Decodes groups of eight bytes. Undefined if an element is not below p, or the length is not a multiple of eight. */
export function fromBytes(bytes: Uint8Array): bigint[] | undefined {
  if (bytes.length % 8 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const elements = Array.from({ length: bytes.length / 8 }, (_, index) => view.getBigUint64(index * 8, true));
  return elements.every((element) => element < p) ? elements : undefined;
}
