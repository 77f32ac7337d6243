import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Field from '../../src/venue/QuinticField.js';
import { describePublished } from '../support/published.js';
import { p, from as reduced } from '../support/venueCrypto/Fp.js';
import * as Second from '../support/venueCrypto/Fp5.js';
import { bigints, published } from '../support/venueVectors.js';

const coefficient = fc.oneof(
  fc.bigInt({ min: 0n, max: p - 1n }),
  fc.constantFrom(0n, 1n, p - 1n, 2n ** 32n, 2n ** 63n),
);
const element = fc.tuple(coefficient, coefficient, coefficient, coefficient, coefficient);
const { create, from, coefficients } = Field;

const five = (of: Field.Element) => coefficients(of) as unknown as Second.Fp5;

/** The bound on a limb of a reduced element, in its unit. */
const bound = 2 ** 21 + 2 ** 15;

describe('from and coefficients', () => {
  test('behavior: there and back', () => {
    fc.assert(
      fc.property(element, (a) => {
        expect(coefficients(from(a))).toEqual(a);
        expectReduced(from(a));
      }),
    );
  });

  test('behavior: missing coefficients are zero', () => {
    expect(coefficients(from([7n]))).toEqual([7n, 0n, 0n, 0n, 0n]);
  });
});

describe('toBytes and fromBytes', () => {
  test('behavior: there and back', () => {
    fc.assert(
      fc.property(element, (a) => {
        const read = Field.fromBytes(Field.toBytes(from(a)));
        expect(read && coefficients(read)).toEqual(a);
      }),
    );
  });

  test('error: wrong length, or an unreduced coefficient', () => {
    for (const length of [0, 8, 39, 41, 48]) expect(Field.fromBytes(new Uint8Array(length))).toBeUndefined();
    expect(Field.fromBytes(new Uint8Array(40).fill(255))).toBeUndefined();
  });
});

describe('add, subtract, negate', () => {
  test('behavior: as the second implementation does', () => {
    fc.assert(
      fc.property(element, element, (a, b) => {
        expect(coefficients(Field.add(create(), from(a), from(b)))).toEqual(Second.add(a, b));
        expect(coefficients(Field.subtract(create(), from(a), from(b)))).toEqual(Second.subtract(a, b));
        expect(coefficients(Field.negate(create(), from(a)))).toEqual(Second.subtract(Second.zero, a));
      }),
    );
  });
});

describe('scale and scaleByZ', () => {
  test('behavior: agrees with multiply for small factors', () => {
    fc.assert(
      fc.property(element, fc.nat({ max: 2 ** 14 - 1 }), (a, factor) => {
        const [scaled, byZ] = [Field.scale(create(), from(a), factor), Field.scaleByZ(create(), from(a), factor)];
        expect(coefficients(scaled)).toEqual(Second.scale(a, BigInt(factor)));
        expect(coefficients(byZ)).toEqual(Second.multiply(a, [0n, BigInt(factor), 0n, 0n, 0n]));
        expectReduced(scaled);
        expectReduced(byZ);
      }),
    );
  });
});

describe('multiply', () => {
  test('behavior: as the second implementation does', () => {
    fc.assert(
      fc.property(element, element, (a, b) => {
        const product = Field.multiply(create(), from(a), from(b));
        expect(coefficients(product)).toEqual(Second.multiply(a, b));
        expectReduced(product);
      }),
      { numRuns: 1000 },
    );
  });

  test('behavior: never rounds, up to the largest allowed sums of reduced elements', () => {
    const check = (a: Field.Element, b: Field.Element) => {
      const product = Field.multiply(create(), a, b);
      expect(coefficients(product)).toEqual(Second.multiply(five(a), five(b)));
      expectReduced(product);
    };
    for (const [m, n] of [
      [4, 4],
      [16, 1],
      [3, 5],
    ] as const) {
      for (const sign of [1, -1])
        check(weighted(Array(15).fill(m * bound)), weighted(Array(15).fill(sign * n * bound)));
      fc.assert(fc.property(sumOf(m), sumOf(n), check), { numRuns: 500 });
    }
  });
});

describe('inverse', () => {
  test('default', () => {
    expect(coefficients(Field.inverse(create()))).toEqual([0n, 0n, 0n, 0n, 0n]);
    fc.assert(
      fc.property(element, (a) => {
        fc.pre(a.some((each) => each !== 0n));
        expect(coefficients(Field.multiply(create(), from(a), Field.inverse(from(a))))).toEqual([1n, 0n, 0n, 0n, 0n]);
      }),
    );
  });
});

describe('frobenius', () => {
  test('behavior: equals raising to the power p', () => {
    fc.assert(
      fc.property(element, (a) => {
        const [power, [first = 0n, ...others]] = [Second.power(a, p), a];
        expect(coefficients(Field.frobenius(from(a), 1))).toEqual(power);
        expect(coefficients(Field.frobenius(from(a), 2))).toEqual(Second.power(power, p));
        expect(coefficients(Field.frobenius(from(a), 5))).toEqual([first, ...others]);
      }),
      { numRuns: 20 },
    );
  });
});

describe('squareRoot', () => {
  test('behavior: every square has a root', () => {
    fc.assert(
      fc.property(element, (a) => {
        const square = Second.multiply(a, a);
        const root = Field.squareRoot(from(square)) ?? create();
        expect(Field.isSquare(from(square))).toBe(true);
        expect([a, Second.subtract(Second.zero, a)]).toContainEqual(coefficients(root));
      }),
    );
  });

  test('behavior: seven times a square has no root', () => {
    fc.assert(
      fc.property(element, (a) => {
        fc.pre(a.some((each) => each !== 0n));
        const other = from(Second.multiply([7n, 0n, 0n, 0n, 0n], Second.multiply(a, a)));
        expect(Field.isSquare(other)).toBe(false);
        expect(Field.squareRoot(other)).toBeUndefined();
      }),
    );
  });
});

describe('isZero', () => {
  test('behavior: recognizes zero in any representation', () => {
    fc.assert(
      fc.property(element, (a) => {
        expect(Field.isZero(Field.subtract(create(), from(a), Field.multiply(create(), from(a), from([1n]))))).toBe(
          true,
        );
        expect(Field.isZero(from(a))).toBe(a.every((each) => each === 0n));
      }),
    );
  });
});

describePublished('the published field', () => {
  test('default', () => {
    const { fp5 } = published();
    // Its b has coefficients not below p.
    const [a, b] = [from(bigints(fp5.a)), from(bigints(fp5.b).map(reduced))];
    expect(coefficients(Field.add(create(), a, b))).toEqual(bigints(fp5.add));
    expect(coefficients(Field.subtract(create(), a, b))).toEqual(bigints(fp5.sub));
    expect(coefficients(Field.multiply(create(), a, b))).toEqual(bigints(fp5.mul));
    expect(coefficients(Field.multiply(create(), a, a))).toEqual(bigints(fp5.squareA));
    expect(coefficients(Field.frobenius(a, 1))).toEqual(bigints(fp5.frobeniusA));
    expect(coefficients(Field.inverse(a))).toEqual(bigints(fp5.inverseA));
    expect(Field.squareRoot(from(bigints(fp5.nonSquare)))).toBeUndefined();
  });

  test('default: a root, or its negative', () => {
    const { x, canonicalRoot } = published().fp5.sqrt;
    const root = Field.squareRoot(from(bigints(x))) ?? create();
    const both = [coefficients(root), coefficients(Field.negate(create(), root))];
    expect(both).toContainEqual(bigints(canonicalRoot));
  });

  test('error: coefficients not below p', () => {
    const bytes = new Uint8Array(new BigUint64Array(bigints(published().fp5.b)).buffer);
    expect(Field.fromBytes(bytes)).toBeUndefined();
  });
});

/** Limbs that a sum of `count` reduced elements may have. */
function sumOf(count: number): fc.Arbitrary<Field.Element> {
  const most = count * bound;
  const limb = fc.oneof(fc.integer({ min: -most, max: most }), fc.constantFrom(-most, most));
  return fc.array(limb, { minLength: 15, maxLength: 15 }).map(weighted);
}

function weighted(limbs: readonly number[]): Field.Element {
  return Float64Array.from(limbs, (limb, at) => limb * 2 ** (22 * (at % 3)));
}

function expectReduced(element: Field.Element): void {
  const limbs = [...element].map((limb, at) => limb / 2 ** (22 * (at % 3)));
  expect(limbs.every(Number.isInteger)).toBe(true);
  expect(Math.max(...limbs.map(Math.abs))).toBeLessThan(bound);
}
