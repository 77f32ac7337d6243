import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Curve from '../../src/venue/Curve.js';
import * as Field from '../../src/venue/QuinticField.js';
import * as Scalar from '../../src/venue/Scalar.js';
import { describePublished } from '../support/published.js';
import * as Second from '../support/venueCrypto/Curve.js';
import { p } from '../support/venueCrypto/Fp.js';
import { subtract, zero } from '../support/venueCrypto/Fp5.js';
import { bigints, bytes, published, recorded } from '../support/venueVectors.js';

const { n } = Scalar;
const scalar = fc.oneof(fc.bigInt({ min: 0n, max: n - 1n }), fc.constantFrom(0n, 1n, 2n, 16n, 17n, n - 1n, n - 2n));
const times = (k: bigint, point = Curve.generator()) => Curve.combine([{ scalar: k, point }]);
const written = (point: Curve.Point) => Field.coefficients(Curve.encode(point));

describe('generator', () => {
  test('default', () => {
    const { x, z, u, t, encoded } = recorded.parameters.generator;
    const point = Curve.generator();
    expect([point.x, point.z, point.u, point.t].map(Field.coefficients)).toEqual([x, z, u, t].map(bigints));
    expect(written(point)).toEqual(bigints(encoded));
  });

  test('behavior: has order n', () => {
    expect(Curve.isNeutral(times(n))).toBe(true);
    expect(written(times(n - 1n))).toEqual(subtract(zero, Second.encode(Second.generator)));
  });
});

describe('combine', () => {
  test.each(recorded.generatorMultiples)('default: $scalar', ({ scalar, encodedHex }) => {
    expect(Field.toBytes(Curve.encode(times(BigInt(scalar))))).toEqual(bytes(encodedHex));
  });

  test('behavior: equals repeated addition', () => {
    let sum = Curve.neutral();
    for (let k = 0n; k < 70n; k++) {
      expect(written(times(k))).toEqual(written(sum));
      sum = Curve.add(sum, Curve.generator());
    }
  });

  test('behavior: equals the sum of separate multiples', () => {
    fc.assert(
      fc.property(scalar, scalar, scalar, (a, b, c) => {
        const point = times(c);
        const terms = [
          { scalar: a, point: Curve.generator() },
          { scalar: b, point },
        ];
        expect(written(Curve.combine(terms))).toEqual(written(Curve.add(times(a), times(b, point))));
        expect(written(Curve.combine(terms))).toEqual(written(times(Scalar.from(a + b * c))));
      }),
      { numRuns: 30 },
    );
  });

  test('behavior: no terms give the neutral element', () => {
    expect(Curve.isNeutral(Curve.combine([]))).toBe(true);
    expect(Curve.isNeutral(times(0n))).toBe(true);
  });
});

describe('add', () => {
  test('behavior: as the second implementation does', () => {
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        const sum = (...scalars: bigint[]) =>
          Second.encode(Second.combine(scalars.map((each) => [each, Second.generator] as const)));
        const [left, right] = [times(a), times(b)];
        expect(written(Curve.add(left, right))).toEqual(sum(a, b));
        expect(written(Curve.add(left, left))).toEqual(sum(a, a));
      }),
      { numRuns: 15 },
    );
  });

  test('behavior: does not modify its operands', () => {
    const [left, right] = [times(5n), times(7n)];
    const before = [written(left), written(right)];
    Curve.add(left, right);
    Curve.combine([{ scalar: 9n, point: left }]);
    expect([written(left), written(right)]).toEqual(before);
  });
});

describe('encode and decode', () => {
  test('behavior: round-trips', () => {
    fc.assert(
      fc.property(scalar, (k) => {
        const point = times(k);
        const read = Curve.decode(Curve.encode(point)) ?? Curve.neutral();
        expect(written(read)).toEqual(written(point));
        // Also checks x, which is not part of the encoding.
        expect(written(Curve.add(read, Curve.generator()))).toEqual(written(Curve.add(point, Curve.generator())));
      }),
      { numRuns: 30 },
    );
  });

  test('behavior: zero is the neutral element', () => {
    const point = Curve.decode(Field.create());
    expect(point && Curve.isNeutral(point)).toBe(true);
    expect(written(Curve.neutral())).toEqual([0n, 0n, 0n, 0n, 0n]);
  });

  test('behavior: decoded points are in the group, and about half of all elements decode', () => {
    const coefficient = fc.bigInt({ min: 0n, max: p - 1n });
    const found = fc
      .sample(fc.array(coefficient, { minLength: 5, maxLength: 5 }), { numRuns: 60, seed: 1 })
      .flatMap((w) => Curve.decode(Field.from(w)) ?? []);
    expect(found.length).toBeGreaterThan(15);
    expect(found.length).toBeLessThan(45);
    for (const point of found) expect(Curve.isNeutral(times(n, point))).toBe(true);
  });
});

describePublished('the published curve', () => {
  const decoded = (w: readonly string[]) => Curve.decode(Field.from(bigints(w))) ?? Curve.neutral();

  test('default: encode', () => {
    const { x, z, u, t, w } = published().curve.encode;
    const from = (coefficients: string[]) => Field.from(bigints(coefficients));
    expect(written({ x: from(x), z: from(z), u: from(u), t: from(t) })).toEqual(bigints(w));
  });

  test('default: a point times a scalar', () => {
    const { pointEncoded, scalarLimbs, resultEncoded } = published().curve.scalarMul;
    const scalar = bigints(scalarLimbs).reduceRight((sum, limb) => sum * 2n ** 64n + limb, 0n);
    expect(written(times(Scalar.from(scalar), decoded(pointEncoded)))).toEqual(bigints(resultEncoded));
  });

  test('default: sums and doubles', () => {
    const rows = published().curve.addDouble;
    const [w1, w2] = [decoded(rows.w1), decoded(rows.w2)];
    const twice = (point: Curve.Point) => times(2n, point);
    expect(written(Curve.add(w1, w2))).toEqual(bigints(rows['w1+w2']));
    expect(written(twice(w1))).toEqual(bigints(rows['2*w1']));
    expect(written(Curve.add(w2, w2))).toEqual(bigints(rows['2*w2']));
    expect(written(Curve.add(twice(w1), w2))).toEqual(bigints(rows['2*w1+w2']));
    expect(written(Curve.add(w1, twice(w2)))).toEqual(bigints(rows['w1+2*w2']));
  });

  test('default: multiples of the generator', () => {
    for (const { k, encoded } of published().curve.generatorMultiples)
      expect(written(times(BigInt(k)))).toEqual(bigints(encoded));
  });

  test('error: elements that encode no point', () => {
    const { notDecodable } = published().curve;
    expect(notDecodable).toHaveLength(6);
    for (const w of notDecodable) expect(Curve.decode(Field.from(bigints(w)))).toBeUndefined();
  });
});
