/**
 * The venue's field and curve as in a textbook, slow and independent of src/venue: five bigints per element, chord and
 * tangent for a sum.
 */
export type Element = readonly bigint[];

export const p = 2n ** 64n - 2n ** 32n + 1n;

/** A point of y² = x³ + 2x² + 263z·x; undefined is the point at infinity. */
type Affine = { x: Element; y: Element } | undefined;

const zero: Element = [0n, 0n, 0n, 0n, 0n];
const a: Element = [2n, 0n, 0n, 0n, 0n];
const b: Element = [0n, 263n, 0n, 0n, 0n];

/** The point of order two, which is the group's neutral element: its members are all points of odd order plus this one. */
const origin: Affine = { x: zero, y: zero };

export function reduce(integers: Element): Element {
  return integers.map((integer) => ((integer % p) + p) % p);
}

export function add(x: Element, y: Element): Element {
  return reduce(x.map((each, i) => each + (y[i] ?? 0n)));
}

export function subtract(x: Element, y: Element): Element {
  return reduce(x.map((each, i) => each - (y[i] ?? 0n)));
}

export function multiply(x: Element, y: Element): Element {
  const product = Array.from({ length: 9 }, () => 0n);
  x.forEach((left, i) => {
    y.forEach((right, j) => {
      product[i + j] = (product[i + j] ?? 0n) + left * right;
    });
  });
  return reduce(product.slice(0, 5).map((each, i) => each + 3n * (product[i + 5] ?? 0n)));
}

export function power(x: Element, exponent: bigint): Element {
  let result: Element = [1n, 0n, 0n, 0n, 0n];
  for (const bit of exponent.toString(2)) {
    result = multiply(result, result);
    if (bit === '1') result = multiply(result, x);
  }
  return result;
}

/** By Fermat's little theorem. */
function inverse(x: Element): Element {
  return power(x, p ** 5n - 2n);
}

/** The sum of two group members. Members are represented by y/x, which is zero for the neutral element. */
export function sum(first: { x: Element; w: Element }, second: { x: Element; w: Element }): Element {
  const [left, right] = [affine(first), affine(second)];
  const result = plus(plus(left, right), origin);
  if (result === undefined) throw new Error('not a member of the group');
  return isZero(result.x) ? zero : multiply(result.y, inverse(result.x));
}

function affine({ x, w }: { x: Element; w: Element }): Affine {
  return { x, y: multiply(x, w) };
}

function plus(left: Affine, right: Affine): Affine {
  if (left === undefined) return right;
  if (right === undefined) return left;
  if (isZero(subtract(left.x, right.x)) && isZero(add(left.y, right.y))) return undefined;
  const slope = isZero(subtract(left.x, right.x))
    ? divide(add(add(triple(multiply(left.x, left.x)), times2(multiply(a, left.x))), b), times2(left.y))
    : divide(subtract(right.y, left.y), subtract(right.x, left.x));
  const x = subtract(subtract(subtract(multiply(slope, slope), a), left.x), right.x);
  return { x, y: subtract(multiply(slope, subtract(left.x, x)), left.y) };
}

function divide(x: Element, y: Element): Element {
  return multiply(x, inverse(y));
}

function times2(x: Element): Element {
  return add(x, x);
}

function triple(x: Element): Element {
  return add(times2(x), x);
}

function isZero(x: Element): boolean {
  return x.every((coefficient) => coefficient === 0n);
}
