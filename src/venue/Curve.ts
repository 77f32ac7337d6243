/**
 * The venue's curve, ecgfp5 (Pornin, https://eprint.iacr.org/2022/274): y² = x(x² + 2x + 263z) over the quintic field.
 * Its group has the prime order n of `Scalar`.
 *
 * Nothing here is constant-time: neither is the engine's bigint arithmetic, and the digits of a scalar select the
 * operands. This is acceptable because ferry signs on the user's own machine, once per process, where no attacker can
 * measure the time. Do not use it in a server that signs on request.
 */
import * as Goldilocks from './Goldilocks.js';
import * as Field from './QuinticField.js';

type Element = Field.Element;

/** A point in fractional coordinates: x = X/Z and x/y = U/T. The neutral element has U = 0. */
export type Point = { x: Element; z: Element; u: Element; t: Element };

/** The curve's constant is b·z. */
const b = 263n;

/** The point whose y/x is 4. Source: poseidon_crypto, curve/ecgfp5. */
export const generator: Point = {
  x: [12883135586176881569n, 4356519642755055268n, 5248930565894896907n, 2165973894480315022n, 2448410071095648785n],
  z: Field.one,
  u: Field.one,
  t: [4n, 0n, 0n, 0n, 0n],
};

export const neutral: Point = { x: Field.zero, z: Field.one, u: Field.zero, t: Field.one };

/** The canonical encoding of a point: the field element y/x, zero for the neutral element. */
export function encode({ u, t }: Point): Element {
  return Field.multiply(t, Field.inverse(u));
}

/**
 * Decodes a field element w; undefined if it encodes no point. The point's x is the root of x² − (w² − 2)x + 263z that
 * is not a square.
 */
export function decode(w: Element): Point | undefined {
  if (Field.isZero(w)) return neutral;
  const { multiply, scale, subtract } = Field;
  const sum = subtract(multiply(w, w), [2n, 0n, 0n, 0n, 0n]);
  const root = Field.squareRoot(subtract(multiply(sum, sum), [0n, 4n * b, 0n, 0n, 0n]));
  if (root === undefined) return undefined;
  const half = Goldilocks.inverse(2n);
  const larger = scale(Field.add(sum, root), half);
  const smaller = scale(subtract(sum, root), half);
  return { x: Field.isSquare(larger) ? smaller : larger, z: Field.one, u: Field.one, t: w };
}

/** Whether a point is the neutral element. */
export function isNeutral({ u }: Point): boolean {
  return Field.isZero(u);
}

/** The sum of two points, which may be equal, opposite or neutral. Formulas and names are Pornin's. */
export function add(p: Point, q: Point): Point {
  const { add, multiply, scale, scaleByZ, subtract } = Field;
  const t1 = multiply(p.x, q.x);
  const t2 = multiply(p.z, q.z);
  const t3 = multiply(p.u, q.u);
  const t4 = multiply(p.t, q.t);
  const t5 = subtract(subtract(multiply(add(p.x, p.z), add(q.x, q.z)), t1), t2);
  const t6 = subtract(subtract(multiply(add(p.u, p.t), add(q.u, q.t)), t3), t4);
  const bt2 = scaleByZ(t2, b);
  const t7 = add(t1, bt2);
  const t8 = multiply(t4, t7);
  const t9 = multiply(t3, scale(add(scaleByZ(t5, b), t7), 2n));
  const t10 = multiply(add(t4, scale(t3, 2n)), add(t5, t7));
  return {
    x: scaleByZ(subtract(t10, t8), b),
    z: subtract(t8, t9),
    u: multiply(t6, subtract(bt2, t1)),
    t: add(t8, t9),
  };
}

/** A multi-scalar multiplication, Σ scalar·point, with 4-bit windows and shared doublings. */
export function combine(terms: readonly { scalar: bigint; point: Point }[]): Point {
  const rows = terms.map(({ scalar, point }) => ({
    digits: scalar.toString(16).padStart(80, '0'),
    multiples: multiples(point),
  }));
  let sum = neutral;
  for (let at = 0; at < 80; at++) {
    for (let doubling = 0; doubling < 4; doubling++) sum = double(sum);
    for (const { digits, multiples } of rows) {
      const digit = Number.parseInt(digits.charAt(at), 16);
      if (digit !== 0) sum = add(sum, multiples[digit] as Point);
    }
  }
  return sum;
}

/** The point times 0 to 15. */
function multiples(point: Point): Point[] {
  const upward = [neutral];
  for (let times = 1; times < 16; times++) upward.push(add(upward[times - 1] as Point, point));
  return upward;
}

/** The sum of a point and itself. */
function double({ x, z, u, t }: Point): Point {
  const { add, multiply, scale, scaleByZ, subtract } = Field;
  const t1 = multiply(z, t);
  const t2 = multiply(t1, t);
  const z1 = multiply(t1, u);
  const x1 = multiply(t2, t2);
  const w1 = subtract(t2, scale(multiply(add(x, z), multiply(u, u)), 2n));
  const [squared, doubled, sum] = [multiply(z1, z1), multiply(w1, w1), add(w1, z1)];
  return {
    x: scaleByZ(squared, 4n * b),
    z: doubled,
    u: subtract(subtract(multiply(sum, sum), squared), doubled),
    t: subtract(scale(x1, 2n), add(scale(squared, 4n), doubled)),
  };
}
