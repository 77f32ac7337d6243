/**
 * The field of the venue's hash and the base of its curve's field: integers modulo p = 2^64 − 2^32 + 1. Elements are
 * bigints from 0 to p − 1; on the wire eight bytes each, the lowest first.
 */

export const p = 0xffff_ffff_0000_0001n;

/** The element that an integer stands for, negative ones as well. */
export function from(integer: bigint): bigint {
  const rest = integer % p;
  return rest < 0n ? rest + p : rest;
}

/** `base` to an exponent of zero or more. */
export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % p;
    if (bit === '1') result = (result * base) % p;
  }
  return result;
}

/** One divided by the element; zero for zero. */
export function inverse(element: bigint): bigint {
  return power(element, p - 2n);
}

/** Whether it is the square of some element, as zero is. */
export function isSquare(element: bigint): boolean {
  return element === 0n || power(element, (p - 1n) / 2n) === 1n;
}

/**
 * One of the two roots, by Tonelli and Shanks: p − 1 is 2^32 times the odd number 2^32 − 1, and 7 is no square. Undefined
 * where there is none.
 */
export function squareRoot(element: bigint): bigint | undefined {
  if (!isSquare(element)) return undefined;
  const odd = 2n ** 32n - 1n;
  let root = power(element, (odd + 1n) / 2n);
  /** What root² is too large by. Its order, a power of two, shrinks until it is 1. */
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

/** Eight bytes for each element. */
export function toBytes(elements: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(elements.length * 8);
  const view = new DataView(bytes.buffer);
  elements.forEach((element, index) => {
    view.setBigUint64(index * 8, element, true);
  });
  return bytes;
}

/** The elements of whole groups of eight bytes. Undefined where one is p or more, or some bytes are left over. */
export function fromBytes(bytes: Uint8Array): bigint[] | undefined {
  if (bytes.length % 8 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const elements = Array.from({ length: bytes.length / 8 }, (_, index) => view.getBigUint64(index * 8, true));
  return elements.every((element) => element < p) ? elements : undefined;
}
