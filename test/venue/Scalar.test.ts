import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Goldilocks from '../../src/venue/Goldilocks.js';
import * as Scalar from '../../src/venue/Scalar.js';
import { describePublished } from '../support/published.js';
import { bigints, published, recorded } from '../support/venueVectors.js';

const { n } = Scalar;
const scalar = fc.oneof(fc.bigInt({ min: 0n, max: n - 1n }), fc.constantFrom(0n, 1n, 15n, 16n, 2n ** 318n, n - 1n));

describe('n', () => {
  test('default', () => {
    expect(n).toBe(BigInt(recorded.parameters.n));
    expect(n.toString(2)).toHaveLength(319);
  });
});

describe('from', () => {
  test('behavior: any integer', () => {
    fc.assert(
      fc.property(scalar, fc.bigInt({ min: -9n, max: 9n }), (each, times) => {
        expect(Scalar.from(each + times * n)).toBe(each);
      }),
    );
  });
});

describe('toBytes and integerOf', () => {
  test('behavior: round-trips', () => {
    fc.assert(
      fc.property(scalar, (each) => {
        const bytes = Scalar.toBytes(each);
        expect(bytes).toHaveLength(Scalar.size);
        expect(Scalar.integerOf(bytes)).toBe(each);
      }),
    );
  });

  test('behavior: little-endian, not reduced', () => {
    expect(Scalar.toBytes(258n).subarray(0, 3)).toEqual(new Uint8Array([2, 1, 0]));
    expect(Scalar.integerOf(new Uint8Array(40).fill(255))).toBe(2n ** 320n - 1n);
  });
});

describe('digits', () => {
  test('behavior: sum up to the scalar', () => {
    fc.assert(
      fc.property(scalar, (each) => {
        const digits = [...Scalar.digits(each)];
        expect(digits).toHaveLength(Scalar.digitCount);
        expect(digits.every((digit) => digit >= -16 && digit <= 16)).toBe(true);
        expect(digits.reduceRight((sum, digit) => 32n * sum + BigInt(digit), 0n)).toBe(each);
      }),
    );
  });
});

describePublished('the published scalar', () => {
  test('default: a field element modulo n', () => {
    const { in: coefficients, limbs } = published().scalar.fromFp5AllMinusOne;
    const scalar = Scalar.from(Scalar.integerOf(Goldilocks.toBytes(bigints(coefficients))));
    expect(scalar).toBe(bigints(limbs).reduceRight((sum, limb) => sum * 2n ** 64n + limb, 0n));
  });
});
