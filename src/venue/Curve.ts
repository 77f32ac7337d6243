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
import * as Scalar from './Scalar.js';

type Element = Field.Element;

/** A point in fractional coordinates: x = X/Z and x/y = U/T. The neutral element has U = 0. */
export type Point = { x: Element; z: Element; u: Element; t: Element };

/** The curve's constant is b·z. */
const b = 263;

/** The point whose y/x is 4. Source: poseidon_crypto, curve/ecgfp5. */
export function generator(): Point {
  const x = [
    12883135586176881569n,
    4356519642755055268n,
    5248930565894896907n,
    2165973894480315022n,
    2448410071095648785n,
  ];
  return { x: Field.from(x), z: Field.from([1n]), u: Field.from([1n]), t: Field.from([4n]) };
}

export function neutral(): Point {
  return { x: Field.create(), z: Field.from([1n]), u: Field.create(), t: Field.from([1n]) };
}

/** The canonical encoding of a point: the field element y/x, zero for the neutral element. */
export function encode({ u, t }: Point): Element {
  return Field.multiply(Field.create(), t, Field.inverse(u));
}

/**
 * Decodes a field element w; undefined if it encodes no point. The point's x is the root of x² − (w² − 2)x + 263z that
 * is not a square.
 */
export function decode(w: Element): Point | undefined {
  if (Field.isZero(w)) return neutral();
  const { create, from, multiply, subtract } = Field;
  const sum = subtract(create(), multiply(create(), w, w), from([2n]));
  const discriminant = subtract(create(), multiply(create(), sum, sum), from([0n, BigInt(4 * b)]));
  const root = Field.squareRoot(discriminant);
  if (root === undefined) return undefined;
  const half = from([Goldilocks.inverse(2n)]);
  const larger = multiply(create(), Field.add(create(), sum, root), half);
  const smaller = multiply(create(), subtract(create(), sum, root), half);
  return { x: Field.isSquare(larger) ? smaller : larger, z: from([1n]), u: from([1n]), t: w };
}

/** Whether a point is the neutral element. */
export function isNeutral({ u }: Point): boolean {
  return Field.isZero(u);
}

/** The sum of two points, which may be equal, opposite or neutral. */
export function add(p: Point, q: Point): Point {
  return addTo(clone(p), q, room());
}

/** A multi-scalar multiplication, Σ scalar·point, with 5-bit windows and shared doublings. */
export function combine(terms: readonly { scalar: bigint; point: Point }[]): Point {
  const space = room();
  const rows = terms.map(({ scalar, point }) => ({
    digits: Scalar.digits(scalar),
    multiples: multiples(point, space),
  }));
  const sum = neutral();
  for (let at = Scalar.digitCount - 1; at >= 0; at--) {
    for (let doubling = 0; doubling < 5; doubling++) double(sum, space);
    for (const { digits, multiples } of rows) {
      const digit = digits[at] as number;
      if (digit !== 0) addTo(sum, multiples[digit + 16] as Point, space);
    }
  }
  return sum;
}

/** The point times −16 to 16. */
function multiples(point: Point, space: Room): Point[] {
  const upward = [neutral()];
  for (let times = 1; times <= 16; times++) upward.push(addTo(clone(upward[times - 1] as Point), point, space));
  return [...upward.slice(1).map(negative).reverse(), ...upward];
}

function negative(point: Point): Point {
  return { ...point, u: Field.negate(Field.create(), point.u) };
}

function clone({ x, z, u, t }: Point): Point {
  return { x: x.slice(), z: z.slice(), u: u.slice(), t: t.slice() };
}

/** Scratch elements for intermediate results. */
const scratch = ['t1', 't2', 't3', 't4', 't5', 't6', 'left', 'right'] as const;

type Room = Record<(typeof scratch)[number], Element>;

function room(): Room {
  return Object.fromEntries(scratch.map((name) => [name, Field.create()])) as Room;
}

/**
 * Adds q to p in place with complete formulas and ten multiplications. Formulas and names are Pornin's. The comments
 * count the reduced elements summed up in each operand; the product of both counts must not exceed 16.
 */
function addTo(p: Point, q: Point, { t1, t2, t3, t4, t5, t6, left, right }: Room): Point {
  const { add, multiply, scaleByZ, subtract } = Field;
  multiply(t1, p.x, q.x);
  multiply(t2, p.z, q.z); // 2 and 2
  multiply(t3, p.u, q.u); // 3 and 3
  multiply(t4, p.t, q.t); // 2 and 2
  // X1·Z2 + X2·Z1
  multiply(t5, add(left, p.x, p.z), add(right, q.x, q.z)); // 3 and 3
  subtract(t5, subtract(t5, t5, t1), t2);
  // U1·T2 + U2·T1
  multiply(t6, add(left, p.u, p.t), add(right, q.u, q.t)); // 4 and 4
  subtract(t6, subtract(t6, t6, t3), t4);
  // b·t2 − t1 for U, then b·t2 + t1.
  scaleByZ(right, t2, b);
  multiply(p.u, t6, subtract(left, right, t1)); // 3 and 2
  const t7 = add(t2, right, t1);
  const t8 = multiply(t1, t4, t7);
  // (T1·T2 + 2·U1·U2) · (t5 + t7)
  const t10 = multiply(t6, add(left, add(left, t4, t3), t3), add(right, t5, t7)); // 3 and 5
  scaleByZ(p.x, subtract(t6, t10, t8), b);
  // t3 · (2b·t5 + 2·t7)
  scaleByZ(right, t5, 2 * b);
  const t9 = multiply(t4, t3, add(right, add(right, right, t7), t7)); // 1 and 5
  subtract(p.z, t8, t9);
  add(p.t, t8, t9);
  return p;
}

/** Doubles p in place, with nine multiplications. */
function double(p: Point, { t1, t2, t3, t4, t5, left }: Room): Point {
  const { add, multiply, scale, scaleByZ, subtract } = Field;
  multiply(t1, p.z, p.t); // 2 and 2
  multiply(t2, t1, p.t);
  const z1 = multiply(t3, t1, p.u);
  multiply(t4, p.u, p.u); // 3 and 3
  multiply(t5, add(left, p.x, p.z), t4);
  const x1 = multiply(t1, t2, t2);
  const w1 = subtract(left, subtract(left, t2, t5), t5);
  multiply(p.z, w1, w1); // 3 and 3
  const squared = multiply(t4, z1, z1);
  add(z1, z1, w1);
  multiply(p.u, z1, z1); // 4 and 4
  subtract(p.u, subtract(p.u, p.u, squared), p.z);
  scaleByZ(p.x, squared, 4 * b);
  // 2·x1 − 4·squared − Z
  subtract(x1, subtract(x1, x1, squared), squared);
  scale(p.t, subtract(x1, add(x1, x1, x1), p.z), 1);
  return p;
}
