/**
 * The venue's base field, integers modulo p = 2^64 - 2^32 + 1, in the simplest possible form: the beginning of a second
 * implementation of the venue's signatures, so that the product's is not verified against itself.
 */

export const p = 2n ** 64n - 2n ** 32n + 1n;

/** Reduces an integer, possibly negative, modulo p. */
export function from(number: bigint): bigint {
  const rest = number % p;
  return rest < 0n ? rest + p : rest;
}

export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base, left = exponent; left > 0n; left >>= 1n, square = (square * square) % p)
    if (left & 1n) result = (result * square) % p;
  return result;
}

/** Maps 0 to 0. */
export function inverse(element: bigint): bigint {
  return power(element, p - 2n);
}

export function isSquare(element: bigint): boolean {
  return element === 0n || power(element, (p - 1n) / 2n) === 1n;
}

/** A square root by Tonelli–Shanks; undefined if there is none. */
export function squareRoot(element: bigint): bigint | undefined {
  if (element === 0n) return 0n;
  if (!isSquare(element)) return undefined;
  // p - 1 is 2^32 times this odd number, and 7 is a non-residue.
  const odd = (p - 1n) >> 32n;
  let generator = power(7n, odd);
  let order = 32n;
  let root = power(element, (odd + 1n) / 2n);
  let rest = power(element, odd);
  while (rest !== 1n) {
    let twos = 0n;
    for (let square = rest; square !== 1n; square = (square * square) % p) twos += 1n;
    const factor = power(generator, 2n ** (order - twos - 1n));
    root = (root * factor) % p;
    generator = (factor * factor) % p;
    rest = (rest * generator) % p;
    order = twos;
  }
  return root;
}
