/**
 * What a signature for the venue is measured against: a point times a scalar as a first version would have it, with an
 * element as five bigints, each product reduced by `%`, and a doubling as the sum of a point with itself.
 */
type Element = readonly bigint[];

/** The fractions x = X/Z and x/y = U/T. */
export type Point = { x: Element; z: Element; u: Element; t: Element };

const p = 2n ** 64n - 2n ** 32n + 1n;

/** Double and add, from the highest bit down. */
export function multiply(point: Point, scalar: bigint): Point {
  let sum: Point = { x: of(0n), z: of(1n), u: of(0n), t: of(1n) };
  for (const bit of scalar.toString(2)) {
    sum = addPoints(sum, sum);
    if (bit === '1') sum = addPoints(sum, point);
  }
  return sum;
}

/** Complete: it holds for equal points as well. */
function addPoints(p1: Point, p2: Point): Point {
  const t1 = times(p1.x, p2.x);
  const t2 = times(p1.z, p2.z);
  const t3 = times(p1.u, p2.u);
  const t4 = times(p1.t, p2.t);
  const t5 = minus(minus(times(plus(p1.x, p1.z), plus(p2.x, p2.z)), t1), t2);
  const t6 = minus(minus(times(plus(p1.u, p1.t), plus(p2.u, p2.t)), t3), t4);
  const t7 = plus(t1, timesB(t2, 1n));
  const t8 = times(t4, t7);
  const t9 = times(t3, plus(timesB(t5, 2n), plus(t7, t7)));
  const t10 = times(plus(t4, plus(t3, t3)), plus(t5, t7));
  return {
    x: timesB(minus(t10, t8), 1n),
    z: minus(t8, t9),
    u: times(t6, minus(timesB(t2, 1n), t1)),
    t: plus(t8, t9),
  };
}

function of(coefficient: bigint): Element {
  return [coefficient, 0n, 0n, 0n, 0n];
}

function plus(a: Element, b: Element): Element {
  return a.map((each, i) => (each + (b[i] ?? 0n)) % p);
}

function minus(a: Element, b: Element): Element {
  return a.map((each, i) => (each + p - (b[i] ?? 0n)) % p);
}

/** Times 263z and a small factor. */
function timesB([a0 = 0n, a1 = 0n, a2 = 0n, a3 = 0n, a4 = 0n]: Element, factor: bigint): Element {
  const b = 263n * factor;
  return [(3n * b * a4) % p, (b * a0) % p, (b * a1) % p, (b * a2) % p, (b * a3) % p];
}

/** 25 products, each reduced. */
function times(a: Element, b: Element): Element {
  const product = [0n, 0n, 0n, 0n, 0n];
  for (let i = 0; i < 5; i++) {
    for (let j = 0; j < 5; j++) {
      const part = ((a[i] ?? 0n) * (b[j] ?? 0n)) % p;
      const to = (i + j) % 5;
      product[to] = ((product[to] ?? 0n) + (i + j < 5 ? part : 3n * part)) % p;
    }
  }
  return product;
}
