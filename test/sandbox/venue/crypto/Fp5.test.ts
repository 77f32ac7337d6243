import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Fp from '../../../../src/sandbox/venue/crypto/Fp.js';
import * as Fp5 from '../../../../src/sandbox/venue/crypto/Fp5.js';

const coefficient = fc.bigInt({ min: 0n, max: Fp.p - 1n });
const element = fc.tuple(coefficient, coefficient, coefficient, coefficient, coefficient);

describe('multiply', () => {
  test('default', () => {
    const z: Fp5.Fp5 = [0n, 1n, 0n, 0n, 0n];
    const z4: Fp5.Fp5 = [0n, 0n, 0n, 0n, 1n];
    expect(Fp5.multiply(z, z4)).toEqual([3n, 0n, 0n, 0n, 0n]);
  });

  test('behavior: distributes over addition', () => {
    fc.assert(
      fc.property(element, element, element, (a, b, c) =>
        Fp5.isEqual(Fp5.multiply(a, Fp5.add(b, c)), Fp5.add(Fp5.multiply(a, b), Fp5.multiply(a, c))),
      ),
    );
  });
});

describe('square', () => {
  test('behavior: the product with itself', () => {
    fc.assert(fc.property(element, (a) => Fp5.isEqual(Fp5.square(a), Fp5.multiply(a, a))));
  });
});

describe('inverse', () => {
  test('behavior: the product with the element is 1', () => {
    fc.assert(
      fc.property(element, (a) => Fp5.isEqual(a, Fp5.zero) || Fp5.isEqual(Fp5.multiply(a, Fp5.inverse(a)), Fp5.one)),
      { numRuns: 25 },
    );
  });
});

describe('squareRoot', () => {
  test('behavior: its square is the element, if a root exists', () => {
    fc.assert(
      fc.property(element, (a) => {
        const square = Fp5.multiply(a, a);
        const root = Fp5.squareRoot(square);
        return root !== undefined && Fp5.isEqual(Fp5.multiply(root, root), square);
      }),
      { numRuns: 25 },
    );
    fc.assert(
      fc.property(element, (a) => (Fp5.squareRoot(a) !== undefined) === Fp5.isSquare(a)),
      { numRuns: 25 },
    );
  });
});

describe('fromBytes', () => {
  test('behavior: inverse of toBytes', () => {
    fc.assert(fc.property(element, (a) => Fp5.isEqual(Fp5.fromBytes(Fp5.toBytes(a)) ?? Fp5.zero, a)));
  });

  test('error: a coefficient not below p, or a wrong length', () => {
    expect(Fp5.fromBytes(new Uint8Array(40).fill(255))).toBeUndefined();
    expect(Fp5.fromBytes(new Uint8Array(39))).toBeUndefined();
  });
});
