/**
 * The field of the venue's curve: the quintic extension of Goldilocks with z^5 = 3.
 *
 * Signing spends almost all its time in `multiply`, so an element is not five bigints but fifteen float64 limbs:
 * coefficient i is the sum of limbs 3i, 3i + 1 and 3i + 2, modulo p. These limbs are multiples of 1, 2^22 and 2^44, of
 * either sign. An element is *reduced* if every limb is below 2^21 + 2^15 times its unit. All functions reduce their
 * result except `add`, `subtract` and `negate`. `multiply` accepts a sum of m reduced elements times a sum of n, if
 * m·n is at most 16: its largest column is then below 2^53 units, so no float is ever rounded.
 *
 * Results are written to the first argument, since allocating an element costs more than multiplying.
 */
import * as Goldilocks from './Goldilocks.js';

/** Fifteen limbs. */
export type Element = Float64Array;

/** The length of an encoded element in bytes: eight per coefficient, lowest coefficient first. */
export const size = 40;

const limbs = 15;

/** Allocates an element; initially zero. */
export function create(): Element {
  return new Float64Array(limbs);
}

/** The element with the given coefficients, each from 0 to p − 1, lowest first; missing ones are zero. */
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

/** Decodes an element. Undefined if it is not 40 bytes or a coefficient is not below p. */
export function fromBytes(bytes: Uint8Array): Element | undefined {
  const elements = bytes.length === size ? Goldilocks.fromBytes(bytes) : undefined;
  return elements && from(elements);
}

export function isZero(element: Element): boolean {
  return coefficients(element).every((coefficient) => coefficient === 0n);
}

/** Adds without reducing; `out` may alias an operand. */
export function add(out: Element, a: Element, b: Element): Element {
  for (let at = 0; at < limbs; at++) out[at] = (a[at] as number) + (b[at] as number);
  return out;
}

/** Subtracts without reducing; `out` may alias an operand. */
export function subtract(out: Element, a: Element, b: Element): Element {
  for (let at = 0; at < limbs; at++) out[at] = (a[at] as number) - (b[at] as number);
  return out;
}

/** Negates without reducing; `out` may alias the operand. */
export function negate(out: Element, a: Element): Element {
  for (let at = 0; at < limbs; at++) out[at] = -(a[at] as number);
  return out;
}

/** Multiplies by an integer below 2^16; `out` may alias the operand. */
export function scale(out: Element, a: Element, factor: number): Element {
  for (let at = 0; at < limbs; at += 3) {
    carry(out, at, factor * (a[at] as number), factor * (a[at + 1] as number), factor * (a[at + 2] as number), 0, 0);
  }
  return out;
}

/** Multiplies by z and an integer below 2^14; `out` must not alias the operand. */
export function scaleByZ(out: Element, a: Element, factor: number): Element {
  for (let to = 0; to < limbs; to += 3) {
    const at = (to + 12) % limbs;
    const times = to === 0 ? 3 * factor : factor;
    carry(out, to, times * (a[at] as number), times * (a[at + 1] as number), times * (a[at + 2] as number), 0, 0);
  }
  return out;
}

/** Multiplies two elements; `out` must not alias an operand. */
export function multiply(out: Element, a: Element, b: Element): Element {
  for (let to = 0; to < limbs; to += 3) {
    let c0 = 0;
    let c1 = 0;
    let c2 = 0;
    let c3 = 0;
    let c4 = 0;
    // First the products at z^5 times this coefficient's power of z, then those at the power itself.
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

/** The multiplicative inverse; zero for zero. */
export function inverse(a: Element): Element {
  const others = otherConjugates(a);
  return multiply(create(), others, from([Goldilocks.inverse(norm(a, others))]));
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
  const half = power(a, (Goldilocks.p + 1n) / 2n);
  const y = frobenius(multiply(create(), half, frobenius(half, 2)), 1);
  return multiply(create(), from([root]), inverse(y));
}

/** The Frobenius map x → x^p, applied `times` times: multiplies the coefficient of z^i by ω^i, ω a fifth root of unity. */
export function frobenius(a: Element, times: number): Element {
  const root = Goldilocks.power(fifthRoot, BigInt(times));
  return from(
    coefficients(a).map((coefficient, i) => Goldilocks.from(coefficient * Goldilocks.power(root, BigInt(i)))),
  );
}

/** 3^((p − 1)/5), since z^5 = 3. */
const fifthRoot = 1041288259238279555n;

/** a^(p + p² + p³ + p⁴), the product of the other conjugates. */
function otherConjugates(a: Element): Element {
  const first = frobenius(a, 1);
  const two = multiply(create(), first, frobenius(first, 1));
  return multiply(create(), two, frobenius(two, 2));
}

/** The norm: the product of all five conjugates, which lies in the base field. */
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

/** Adding and subtracting one of these rounds a float to a multiple of 2^22, 2^44 and so on. */
const to22 = 1.5 * 2 ** 74;
const to44 = to22 * 2 ** 22;
const to66 = to44 * 2 ** 22;
const to88 = to66 * 2 ** 22;
const to110 = to88 * 2 ** 22;

/** Factors that fold columns from 2^66 up: modulo p = 2^64 − 2^32 + 1, 1 equals 2^−32 − 2^−64. */
const down32 = 2 ** -32;
const down64 = 2 ** -64;

/** Reduces a coefficient, the sum of five columns with units 1, 2^22 and so on, and writes its three limbs. */
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
  // The remaining carry is small, so one more step suffices.
  c1 += down32 * above;
  c0 -= down64 * above;
  above = c1 + to44 - to44;
  out[at] = c0;
  out[at + 1] = c1 - above;
  out[at + 2] = c2 + above;
}
