/**
 * The field of the venue's curve: polynomials of degree four over Goldilocks, with z^5 = 3.
 *
 * Almost all the time of a signature goes into `multiply`, so an element is not five bigints but fifteen limbs in Numbers:
 * coefficient i is the sum of limbs 3i, 3i + 1 and 3i + 2, give or take multiples of p. They are multiples of 1, 2^22 and
 * 2^44, of either sign. An element is *reduced* when no limb is 2^21 + 2^15 or more times that, and all functions here
 * reduce but `add`, `subtract` and `negate`. `multiply` takes a sum of m reduced elements times one of n, where m·n is at
 * most 16: its largest column is then below 2^53 times its power of two, and no Number is ever rounded unawares.
 *
 * Results are written into an element of the caller's, the first argument, for making one costs more than multiplying.
 */
import * as Goldilocks from './Goldilocks.js';

/** Fifteen limbs. */
export type Element = Float64Array;

/** Bytes of an element: eight for each coefficient, the lowest first. */
export const size = 40;

const limbs = 15;

/** An element to write to; zero as it comes. */
export function create(): Element {
  return new Float64Array(limbs);
}

/** The element with these coefficients, from 0 to p − 1 and the lowest first; those not given are zero. */
export function from(coefficients: readonly bigint[]): Element {
  const element = create();
  coefficients.forEach((coefficient, index) => {
    for (let limb = 0; limb < 3; limb++)
      element[3 * index + limb] = Number(coefficient & (0x3f_ffffn << BigInt(22 * limb)));
  });
  return scale(create(), element, 1);
}

/** The five coefficients, each from 0 to p − 1. */
export function coefficients(element: Element): bigint[] {
  return [0, 3, 6, 9, 12].map((at) => {
    const [low = 0, middle = 0, high = 0] = element.subarray(at, at + 3);
    return Goldilocks.from(BigInt(low) + BigInt(middle) + BigInt(high));
  });
}

export function toBytes(element: Element): Uint8Array {
  return Goldilocks.toBytes(coefficients(element));
}

/** Undefined where it is not 40 bytes, or a coefficient is p or more. */
export function fromBytes(bytes: Uint8Array): Element | undefined {
  const elements = bytes.length === size ? Goldilocks.fromBytes(bytes) : undefined;
  return elements && from(elements);
}

export function isZero(element: Element): boolean {
  return coefficients(element).every((coefficient) => coefficient === 0n);
}

/** Without carrying; `out` may be one of the others. */
export function add(out: Element, a: Element, b: Element): Element {
  for (let at = 0; at < limbs; at++) out[at] = (a[at] as number) + (b[at] as number);
  return out;
}

/** Without carrying; `out` may be one of the others. */
export function subtract(out: Element, a: Element, b: Element): Element {
  for (let at = 0; at < limbs; at++) out[at] = (a[at] as number) - (b[at] as number);
  return out;
}

/** Without carrying; `out` may be the other. */
export function negate(out: Element, a: Element): Element {
  for (let at = 0; at < limbs; at++) out[at] = -(a[at] as number);
  return out;
}

/** Times an integer below 2^16; `out` may be the other. */
export function scale(out: Element, a: Element, factor: number): Element {
  for (let at = 0; at < limbs; at += 3) {
    carry(out, at, factor * (a[at] as number), factor * (a[at + 1] as number), factor * (a[at + 2] as number), 0, 0);
  }
  return out;
}

/** Times an integer below 2^14 and z; `out` must be another. */
export function scaleByZ(out: Element, a: Element, factor: number): Element {
  for (let to = 0; to < limbs; to += 3) {
    const at = (to + 12) % limbs;
    const times = to === 0 ? 3 * factor : factor;
    carry(out, to, times * (a[at] as number), times * (a[at + 1] as number), times * (a[at + 2] as number), 0, 0);
  }
  return out;
}

/** `out` must be another than `a` and `b`. */
export function multiply(out: Element, a: Element, b: Element): Element {
  for (let to = 0; to < limbs; to += 3) {
    let c0 = 0;
    let c1 = 0;
    let c2 = 0;
    let c3 = 0;
    let c4 = 0;
    // First the products that come to z^5 times this coefficient's power of z, then those that come to it.
    for (let sum = to + limbs; sum >= to; sum -= limbs) {
      c0 *= 3;
      c1 *= 3;
      c2 *= 3;
      c3 *= 3;
      c4 *= 3;
      for (let i = sum < limbs ? 0 : to + 3, j = sum - i; i < limbs && j >= 0; i += 3, j -= 3) {
        const a0 = a[i] as number;
        const a1 = a[i + 1] as number;
        const a2 = a[i + 2] as number;
        const b0 = b[j] as number;
        const b1 = b[j + 1] as number;
        const b2 = b[j + 2] as number;
        c0 += a0 * b0;
        c1 += a0 * b1 + a1 * b0;
        c2 += a0 * b2 + a1 * b1 + a2 * b0;
        c3 += a1 * b2 + a2 * b1;
        c4 += a2 * b2;
      }
    }
    carry(out, to, c0, c1, c2, c3, c4);
  }
  return out;
}

/** One divided by the element; zero for zero. */
export function inverse(a: Element): Element {
  const others = otherConjugates(a);
  return multiply(create(), others, from([Goldilocks.inverse(norm(a, others))]));
}

/** Whether it is the square of some element, as zero is. */
export function isSquare(a: Element): boolean {
  return Goldilocks.isSquare(norm(a, otherConjugates(a)));
}

/**
 * One of the two roots; undefined where there is none. The norm a^(1 + p + p² + p³ + p⁴) is of the base field, where roots
 * are easy, and is a times the square of y = a^((p + 1)/2 · (p + p³)); so its root divided by y is the root of a.
 */
export function squareRoot(a: Element): Element | undefined {
  const root = Goldilocks.squareRoot(norm(a, otherConjugates(a)));
  if (root === undefined) return undefined;
  const half = power(a, (Goldilocks.p + 1n) / 2n);
  const y = frobenius(multiply(create(), half, frobenius(half, 2)), 1);
  return multiply(create(), from([root]), inverse(y));
}

/** The element to the power of p, so many times: the coefficient of z^i times the fifth root of one to the power of i. */
export function frobenius(a: Element, times: number): Element {
  const root = Goldilocks.power(fifthRoot, BigInt(times));
  return from(
    coefficients(a).map((coefficient, i) => Goldilocks.from(coefficient * Goldilocks.power(root, BigInt(i)))),
  );
}

/** 3^((p − 1)/5), for 3 is z^5. */
const fifthRoot = 1041288259238279555n;

/** a^(p + p² + p³ + p⁴), the product of the other conjugates. */
function otherConjugates(a: Element): Element {
  const first = frobenius(a, 1);
  const two = multiply(create(), first, frobenius(first, 1));
  return multiply(create(), two, frobenius(two, 2));
}

/** The product of all five conjugates, which has no coefficient but the lowest. */
function norm(a: Element, others: Element): bigint {
  return coefficients(multiply(create(), a, others))[0] ?? 0n;
}

function power(a: Element, exponent: bigint): Element {
  let result = from([1n]);
  let spare = create();
  for (const bit of exponent.toString(2)) {
    multiply(spare, result, result);
    if (bit === '1') multiply(result, spare, a);
    else [result, spare] = [spare, result];
  }
  return result;
}

/** A Number plus and minus one of these is rounded to a multiple of 2^22 and so on: so many of its bits are left. */
const to22 = 1.5 * 2 ** 74;
const to44 = to22 * 2 ** 22;
const to66 = to44 * 2 ** 22;
const to88 = to66 * 2 ** 22;
const to110 = to88 * 2 ** 22;

/** What 2^66 and more comes down by: p is 2^64 − 2^32 + 1, so 1 is 2^−32 − 2^−64. */
const down32 = 2 ** -32;
const down64 = 2 ** -64;

/** Reduces a coefficient, the sum of five columns which are multiples of 1, 2^22 and so on, and writes its three limbs. */
function carry(out: Element, at: number, c0: number, c1: number, c2: number, c3: number, c4: number): void {
  let above = c2 + to66 - to66;
  c2 -= above;
  c3 += above;
  above = c3 + to88 - to88;
  c3 -= above;
  c4 += above;
  const c5 = c4 + to110 - to110;
  c4 -= c5;

  c3 += down32 * c5;
  c2 += down32 * c4 - down64 * c5;
  c1 += down32 * c3 - down64 * c4;
  c0 -= down64 * c3;

  above = c0 + to22 - to22;
  c0 -= above;
  c1 += above;
  above = c1 + to44 - to44;
  c1 -= above;
  c2 += above;
  above = c2 + to66 - to66;
  c2 -= above;
  // What is left above is small, and so is what it leaves for one more step.
  c1 += down32 * above;
  c0 -= down64 * above;
  above = c1 + to44 - to44;
  out[at] = c0;
  out[at + 1] = c1 - above;
  out[at + 2] = c2 + above;
}
