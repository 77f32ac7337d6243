/** The venue's extension field: polynomials of degree 4 in z over the base field, with z^5 = 3. */
import * as Fp from './Fp.js';

/** Coefficients, constant term first. */
export type Fp5 = readonly [bigint, bigint, bigint, bigint, bigint];

export const zero: Fp5 = [0n, 0n, 0n, 0n, 0n];
export const one: Fp5 = [1n, 0n, 0n, 0n, 0n];

/**
 * Parses 40 bytes: each coefficient as 8 bytes, little-endian. Undefined if the length is wrong or a coefficient is not
 * below p.
 */
export function fromBytes(bytes: Uint8Array): Fp5 | undefined {
  if (bytes.length !== 40) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 40);
  const at = (index: number): bigint => view.getBigUint64(8 * index, true);
  const element: Fp5 = [at(0), at(1), at(2), at(3), at(4)];
  return element.every((coefficient) => coefficient < Fp.p) ? element : undefined;
}

export function toBytes(element: Fp5): Uint8Array {
  const view = new DataView(new ArrayBuffer(40));
  element.forEach((coefficient, index) => {
    view.setBigUint64(8 * index, coefficient, true);
  });
  return new Uint8Array(view.buffer);
}

export function isEqual(a: Fp5, b: Fp5): boolean {
  return a.every((coefficient, index) => coefficient === b[index]);
}

export function add([a0, a1, a2, a3, a4]: Fp5, [b0, b1, b2, b3, b4]: Fp5): Fp5 {
  return [(a0 + b0) % Fp.p, (a1 + b1) % Fp.p, (a2 + b2) % Fp.p, (a3 + b3) % Fp.p, (a4 + b4) % Fp.p];
}

export function subtract([a0, a1, a2, a3, a4]: Fp5, [b0, b1, b2, b3, b4]: Fp5): Fp5 {
  return [Fp.from(a0 - b0), Fp.from(a1 - b1), Fp.from(a2 - b2), Fp.from(a3 - b3), Fp.from(a4 - b4)];
}

export function multiply([a0, a1, a2, a3, a4]: Fp5, [b0, b1, b2, b3, b4]: Fp5): Fp5 {
  return [
    (a0 * b0 + 3n * (a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1)) % Fp.p,
    (a0 * b1 + a1 * b0 + 3n * (a2 * b4 + a3 * b3 + a4 * b2)) % Fp.p,
    (a0 * b2 + a1 * b1 + a2 * b0 + 3n * (a3 * b4 + a4 * b3)) % Fp.p,
    (a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + 3n * a4 * b4) % Fp.p,
    (a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0) % Fp.p,
  ];
}

export function square([a0, a1, a2, a3, a4]: Fp5): Fp5 {
  return [
    (a0 * a0 + 6n * (a1 * a4 + a2 * a3)) % Fp.p,
    (2n * a0 * a1 + 3n * (2n * a2 * a4 + a3 * a3)) % Fp.p,
    (2n * a0 * a2 + a1 * a1 + 6n * a3 * a4) % Fp.p,
    (2n * (a0 * a3 + a1 * a2) + 3n * a4 * a4) % Fp.p,
    (2n * (a0 * a4 + a1 * a3) + a2 * a2) % Fp.p,
  ];
}

/** Multiplies by an element of the base field. */
export function scale([a0, a1, a2, a3, a4]: Fp5, factor: bigint): Fp5 {
  return [(a0 * factor) % Fp.p, (a1 * factor) % Fp.p, (a2 * factor) % Fp.p, (a3 * factor) % Fp.p, (a4 * factor) % Fp.p];
}

/** Maps 0 to 0. */
export function inverse(element: Fp5): Fp5 {
  const others = conjugates(element);
  const [norm] = multiply(element, others);
  return scale(others, Fp.inverse(norm));
}

export function isSquare(element: Fp5): boolean {
  const [norm] = multiply(element, conjugates(element));
  return Fp.isSquare(norm);
}

/** A square root; undefined if there is none. */
export function squareRoot(element: Fp5): Fp5 | undefined {
  const [norm] = multiply(element, conjugates(element));
  const rootOfNorm = Fp.squareRoot(norm);
  if (rootOfNorm === undefined) return undefined;
  // With r = 1 + p + p^2 + p^3 + p^4, the norm is element^r, and element^((r+1)/2) is a square root of norm · element.
  const half = power(element, (Fp.p + 1n) / 2n);
  const root = multiply(element, multiply(frobenius(half, 1n), frobenius(half, 3n)));
  return scale(root, Fp.inverse(rootOfNorm));
}

/** The element raised to p^times. */
function frobenius([a0, a1, a2, a3, a4]: Fp5, times: bigint): Fp5 {
  const root = (index: bigint): bigint => Fp.power(1041288259238279555n, index * times);
  return [a0, (a1 * root(1n)) % Fp.p, (a2 * root(2n)) % Fp.p, (a3 * root(3n)) % Fp.p, (a4 * root(4n)) % Fp.p];
}

/**
 * The product of the other four conjugates; multiplied by the element it gives the norm, which lies in the base field.
 */
function conjugates(element: Fp5): Fp5 {
  const pair = multiply(frobenius(element, 1n), frobenius(element, 2n));
  return multiply(pair, frobenius(pair, 2n));
}

export function power(base: Fp5, exponent: bigint): Fp5 {
  let result = one;
  for (let factor = base, left = exponent; left > 0n; left >>= 1n, factor = square(factor))
    if (left & 1n) result = multiply(result, factor);
  return result;
}
