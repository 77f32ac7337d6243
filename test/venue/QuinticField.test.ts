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

test('fromBytes error: wrong length, or an unreduced coefficient', () => {
  for (const length of [0, 8, 39, 41, 48]) expect(Field.fromBytes(new Uint8Array(length))).toBeUndefined();
  expect(Field.fromBytes(new Uint8Array(40).fill(255))).toBeUndefined();
});

test('behavior: computes as the second implementation does', () => {
  fc.assert(
    fc.property(element, element, coefficient, (a, b, factor) => {
      expect(Field.add(a, b)).toEqual(Second.add(a, b));
      expect(Field.subtract(a, b)).toEqual(Second.subtract(a, b));
      expect(Field.multiply(a, b)).toEqual(Second.multiply(a, b));
      expect(Field.scale(a, factor)).toEqual(Second.scale(a, factor));
      expect(Field.scaleByZ(a, factor)).toEqual(Second.multiply(a, [0n, factor, 0n, 0n, 0n]));
      expect(Field.inverse(a)).toEqual(Second.inverse(a));
    }),
    { numRuns: 300 },
  );
});

describe('squareRoot', () => {
  test('behavior: every square has a root', () => {
    fc.assert(
      fc.property(element, (a) => {
        const square = Field.multiply(a, a);
        expect(Field.isSquare(square)).toBe(true);
        expect([a, Field.subtract(Field.zero, a)]).toContainEqual(Field.squareRoot(square));
      }),
    );
  });

  test('behavior: seven times a square has no root', () => {
    fc.assert(
      fc.property(element, (a) => {
        fc.pre(!Field.isZero(a));
        const other = Field.scale(Field.multiply(a, a), 7n);
        expect(Field.isSquare(other)).toBe(false);
        expect(Field.squareRoot(other)).toBeUndefined();
      }),
    );
  });
});

describePublished('the published field', () => {
  const of = (coefficients: string[]) => bigints(coefficients) as unknown as Field.Element;

  test('default', () => {
    const { fp5 } = published();
    // Its b has coefficients not below p.
    const [a, b] = [of(fp5.a), bigints(fp5.b).map(reduced) as unknown as Field.Element];
    expect(Field.add(a, b)).toEqual(bigints(fp5.add));
    expect(Field.subtract(a, b)).toEqual(bigints(fp5.sub));
    expect(Field.multiply(a, b)).toEqual(bigints(fp5.mul));
    expect(Field.multiply(a, a)).toEqual(bigints(fp5.squareA));
    expect(Field.frobenius(a, 1)).toEqual(bigints(fp5.frobeniusA));
    expect(Field.inverse(a)).toEqual(bigints(fp5.inverseA));
    expect(Field.squareRoot(of(fp5.nonSquare))).toBeUndefined();
  });

  test('default: a root, or its negative', () => {
    const { x, canonicalRoot } = published().fp5.sqrt;
    const root = Field.squareRoot(of(x)) ?? Field.zero;
    expect([root, Field.subtract(Field.zero, root)]).toContainEqual(bigints(canonicalRoot));
  });
});
