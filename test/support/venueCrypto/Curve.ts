/** The venue's curve, y^2 = x(x^2 + 2x + 263z) over the extension field: a group of prime order n. */
import * as Fp5 from './Fp5.js';

/** In fractional coordinates: x = X/Z and x/y = U/T. */
export type Point = { X: Fp5.Fp5; Z: Fp5.Fp5; U: Fp5.Fp5; T: Fp5.Fp5 };

/** Order of the group. */
export const n = 1067993516717146951041484916571792702745057740581727230159139685185762082554198619328292418486241n;

const neutral: Point = { X: Fp5.zero, Z: Fp5.one, U: Fp5.zero, T: Fp5.one };

export const generator: Point = {
  X: [12883135586176881569n, 4356519642755055268n, 5248930565894896907n, 2165973894480315022n, 2448410071095648785n],
  Z: Fp5.one,
  U: Fp5.one,
  T: [4n, 0n, 0n, 0n, 0n],
};

const a: Fp5.Fp5 = [2n, 0n, 0n, 0n, 0n];

/** Multiplies by b = 263z: the coefficients move up by one, and the highest comes round as z^5 = 3. */
function timesB([c0, c1, c2, c3, c4]: Fp5.Fp5): Fp5.Fp5 {
  return Fp5.scale([3n * c4, c0, c1, c2, c3], 263n);
}

/** Encodes a point as y/x, which is unique per point; the neutral point as 0. */
export function encode({ U, T }: Point): Fp5.Fp5 {
  return Fp5.multiply(T, Fp5.inverse(U));
}

/** Decodes a point; undefined if the element is not a valid encoding. */
export function decode(w: Fp5.Fp5): Point | undefined {
  if (Fp5.isEqual(w, Fp5.zero)) return neutral;
  const sum = Fp5.subtract(Fp5.multiply(w, w), a);
  const root = Fp5.squareRoot(Fp5.subtract(Fp5.multiply(sum, sum), Fp5.scale(timesB(Fp5.one), 4n)));
  if (!root) return undefined;
  const half = (2n ** 64n - 2n ** 32n + 2n) / 2n;
  const larger = Fp5.scale(Fp5.add(sum, root), half);
  const smaller = Fp5.scale(Fp5.subtract(sum, root), half);
  // Of the two candidates, which differ by the point of order two, the group contains the one whose x is not a square.
  return { X: Fp5.isSquare(larger) ? smaller : larger, Z: Fp5.one, U: Fp5.one, T: w };
}

/** Complete addition: valid for any two points, including doubling. */
function add(one: Point, other: Point): Point {
  const { add, subtract, multiply, scale } = Fp5;
  const t1 = multiply(one.X, other.X);
  const t2 = multiply(one.Z, other.Z);
  const t3 = multiply(one.U, other.U);
  const t4 = multiply(one.T, other.T);
  const t5 = subtract(multiply(add(one.X, one.Z), add(other.X, other.Z)), add(t1, t2));
  const t6 = subtract(multiply(add(one.U, one.T), add(other.U, other.T)), add(t3, t4));
  const bt2 = timesB(t2);
  const t7 = add(t1, bt2);
  const t8 = multiply(t4, t7);
  const t9 = multiply(t3, scale(add(timesB(t5), t7), 2n));
  const t10 = multiply(add(t4, scale(t3, 2n)), add(t5, t7));
  return {
    X: timesB(subtract(t10, t8)),
    Z: subtract(t8, t9),
    U: multiply(t6, subtract(bt2, t1)),
    T: add(t8, t9),
  };
}

/** A point and itself; half the work of an addition. Formulas of the curve's authors (https://eprint.iacr.org/2022/274). */
function double({ X, Z, U, T }: Point): Point {
  const { add, subtract, multiply, square, scale } = Fp5;
  const t1 = multiply(Z, T);
  const t2 = multiply(t1, T);
  const z1 = multiply(t1, U);
  const w1 = subtract(t2, scale(multiply(square(U), add(X, Z)), 2n));
  const [x1, t4, z] = [square(t2), square(z1), square(w1)];
  return {
    X: scale(timesB(t4), 4n),
    Z: z,
    U: subtract(square(add(w1, z1)), add(t4, z)),
    T: subtract(scale(x1, 2n), add(scale(t4, 4n), z)),
  };
}

/** Scalar multiplication. */
export function multiply(scalar: bigint, point: Point): Point {
  return combine([[scalar, point]]);
}

/** Multi-scalar multiplication in a single pass over the digits of four bits, highest first. */
export function combine(terms: readonly (readonly [scalar: bigint, point: Point])[]): Point {
  const count = Math.max(...terms.map(([scalar]) => scalar.toString(16).length));
  const all = terms.map(([scalar, point]) => ({
    digits: [...scalar.toString(16).padStart(count, '0')].map((digit) => Number.parseInt(digit, 16)),
    multiples: point === generator ? multiplesOfGenerator : multiples(point),
  }));
  let sum = neutral;
  for (let at = 0; at < count; at++) {
    if (at > 0) for (let bit = 0; bit < 4; bit++) sum = double(sum);
    for (const { digits, multiples } of all) {
      const multiple = multiples[digits[at] ?? 0];
      if (multiple && multiple !== neutral) sum = add(sum, multiple);
    }
  }
  return sum;
}

/** A point times 0 to 15. */
function multiples(point: Point): readonly Point[] {
  const found = [neutral, point];
  for (let factor = 2; factor < 16; factor++) found.push(add(found[factor - 1] ?? neutral, point));
  return found;
}

const multiplesOfGenerator = multiples(generator);
