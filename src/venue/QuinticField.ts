/** The field of the venue's curve: the quintic extension of Goldilocks with z^5 = 3. */
import * as Goldilocks from './Goldilocks.js';

const { p } = Goldilocks;

/** The coefficients of 1, z, z², z³ and z⁴, each from 0 to p − 1. */
export type Element = readonly [bigint, bigint, bigint, bigint, bigint];

export const zero: Element = [0n, 0n, 0n, 0n, 0n];
export const one: Element = [1n, 0n, 0n, 0n, 0n];

/** Decodes an element, eight bytes per coefficient. Undefined if it is not 40 bytes or a coefficient is not below p. */
export function fromBytes(bytes: Uint8Array): Element | undefined {
  return bytes.length === 40 ? (Goldilocks.fromBytes(bytes) as Element | undefined) : undefined;
}

export function isZero(element: Element): boolean {
  return element.every((coefficient) => coefficient === 0n);
}

export function add([a0, a1, a2, a3, a4]: Element, [b0, b1, b2, b3, b4]: Element): Element {
  return [(a0 + b0) % p, (a1 + b1) % p, (a2 + b2) % p, (a3 + b3) % p, (a4 + b4) % p];
}

export function subtract([a0, a1, a2, a3, a4]: Element, [b0, b1, b2, b3, b4]: Element): Element {
  return [(a0 + p - b0) % p, (a1 + p - b1) % p, (a2 + p - b2) % p, (a3 + p - b3) % p, (a4 + p - b4) % p];
}

/** Multiplies by an element of the base field. */
export function scale([a0, a1, a2, a3, a4]: Element, factor: bigint): Element {
  return [(a0 * factor) % p, (a1 * factor) % p, (a2 * factor) % p, (a3 * factor) % p, (a4 * factor) % p];
}

/** Multiplies by z and an element of the base field: each coefficient moves up by one, and the highest comes round. */
export function scaleByZ([a0, a1, a2, a3, a4]: Element, factor: bigint): Element {
  return scale([3n * a4, a0, a1, a2, a3], factor);
}

export function multiply([a0, a1, a2, a3, a4]: Element, [b0, b1, b2, b3, b4]: Element): Element {
  return [
    (a0 * b0 + 3n * (a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1)) % p,
    (a0 * b1 + a1 * b0 + 3n * (a2 * b4 + a3 * b3 + a4 * b2)) % p,
    (a0 * b2 + a1 * b1 + a2 * b0 + 3n * (a3 * b4 + a4 * b3)) % p,
    (a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + 3n * a4 * b4) % p,
    (a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0) % p,
  ];
}

/** The multiplicative inverse; zero for zero. */
export function inverse(a: Element): Element {
  const others = otherConjugates(a);
  return scale(others, Goldilocks.inverse(norm(a, others)));
}

/** Whether an element is a square. Zero is. */
export function isSquare(a: Element): boolean {
  return Goldilocks.isSquare(norm(a, otherConjugates(a)));
}

/**
 * One of the two square roots; undefined if there is none. The norm a^(1 + p + p² + p³ + p⁴) lies in the base field and
 * equals a·y² with y = a^((p + 1)/2 · (p + p³)), so the square root of the norm divided by y is a square root of a.
 */
export function squareRoot(a: Element): Element | undefined {
  const root = Goldilocks.squareRoot(norm(a, otherConjugates(a)));
  if (root === undefined) return undefined;
  const half = power(a, (p + 1n) / 2n);
  const y = frobenius(multiply(half, frobenius(half, 2)), 1);
  return scale(inverse(y), root);
}

/** The Frobenius map x → x^p, applied `times` times: multiplies the coefficient of z^i by ω^i, ω a fifth root of unity. */
export function frobenius(a: Element, times: number): Element {
  const root = Goldilocks.power(fifthRoot, BigInt(times));
  return a.map((coefficient, i) => (coefficient * Goldilocks.power(root, BigInt(i))) % p) as unknown as Element;
}

/** 3^((p − 1)/5), since z^5 = 3. */
const fifthRoot = 1041288259238279555n;

/** a^(p + p² + p³ + p⁴), the product of the other conjugates. */
function otherConjugates(a: Element): Element {
  const first = frobenius(a, 1);
  const two = multiply(first, frobenius(first, 1));
  return multiply(two, frobenius(two, 2));
}

/** The norm: the product of all five conjugates, which lies in the base field. */
function norm(a: Element, others: Element): bigint {
  return multiply(a, others)[0];
}

function power(a: Element, exponent: bigint): Element {
  let result = one;
  for (const bit of exponent.toString(2)) {
    result = multiply(result, result);
    if (bit === '1') result = multiply(result, a);
  }
  return result;
}
