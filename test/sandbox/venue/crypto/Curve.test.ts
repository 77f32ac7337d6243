import { describe, expect, test } from 'vitest';
import * as Curve from '../../../../src/sandbox/venue/crypto/Curve.js';
import * as Fp5 from '../../../../src/sandbox/venue/crypto/Fp5.js';
import { describePublished, read as readPublished } from '../../../support/published.js';
import { bytes, hex, recorded } from '../../../support/venueVectors.js';

describe('multiply', () => {
  test.each(recorded.generatorMultiples)('behavior: $scalar times the generator', ({ scalar, encodedHex }) => {
    const point = Curve.multiply(BigInt(scalar), Curve.generator);
    expect(hex(Fp5.toBytes(Curve.encode(point)))).toBe(encodedHex);
  });

  test('behavior: n times any point is neutral', () => {
    expect(Curve.encode(Curve.multiply(Curve.n, Curve.generator))).toEqual(Fp5.zero);
    expect(Curve.encode(Curve.multiply(0n, Curve.generator))).toEqual(Fp5.zero);
  });
});

describe('decode', () => {
  test.each(recorded.generatorMultiples)('behavior: $encodedHex', ({ encodedHex }) => {
    const point = Curve.decode(Fp5.fromBytes(bytes(encodedHex)) ?? Fp5.zero);
    expect(point && hex(Fp5.toBytes(Curve.encode(point)))).toBe(encodedHex);
    // In the group, unlike its counterpart: n times the point is neutral.
    expect(point && Curve.encode(Curve.multiply(Curve.n, point))).toEqual(Fp5.zero);
  });

  test('error: elements that are not a valid encoding', () => {
    const found = [1n, 2n, 3n, 5n, 6n, 7n, 8n, 9n].map((n) => Curve.decode([n, 0n, 0n, 0n, 0n]));
    expect(found).toContain(undefined);
  });
});

describe('double', () => {
  test('behavior: the sum of a point and itself, the neutral one included', () => {
    for (const scalar of [0n, 1n, 2n, 77n, Curve.n - 1n, Curve.n]) {
      const point = Curve.multiply(scalar, Curve.generator);
      expect(Curve.encode(Curve.double(point))).toEqual(Curve.encode(Curve.add(point, point)));
    }
  });
});

describe('combine', () => {
  test('behavior: the sum of the individual products', () => {
    const other = Curve.multiply(77n, Curve.generator);
    const both = Curve.combine([
      [5n, Curve.generator],
      [3n, other],
    ]);
    expect(Curve.encode(both)).toEqual(Curve.encode(Curve.multiply(5n + 3n * 77n, Curve.generator)));
  });
});

describePublished('the published points', () => {
  type Limbs = readonly string[];
  type Published = {
    notDecodable: readonly Limbs[];
    addDouble: Record<string, Limbs>;
    generatorMultiples: readonly { k: string; encoded: Limbs }[];
  };
  const published = (): Published => (readPublished('venue-vectors.json') as { curve: Published }).curve;
  const toFp5 = (limbs: Limbs = []): Fp5.Fp5 => {
    const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n] = limbs.map(BigInt);
    return [a, b, c, d, e];
  };
  const toPoint = (limbs: Limbs = []): Curve.Point => Curve.decode(toFp5(limbs)) ?? Curve.neutral;

  test('behavior: invalid points', () => {
    const { notDecodable } = published();
    expect(notDecodable.map((limbs) => Curve.decode(toFp5(limbs)))).toEqual(notDecodable.map(() => undefined));
  });

  test('behavior: multiples of the generator', () => {
    for (const { k, encoded } of published().generatorMultiples) {
      expect(Curve.encode(Curve.multiply(BigInt(k), Curve.generator))).toEqual(toFp5(encoded));
    }
  });

  test('behavior: a sum, and a doubling', () => {
    const { addDouble } = published();
    const [w1, w2] = [toPoint(addDouble.w1), toPoint(addDouble.w2)];
    expect(Curve.encode(Curve.add(w1, w2))).toEqual(toFp5(addDouble['w1+w2']));
    expect(Curve.encode(Curve.add(w1, w1))).toEqual(toFp5(addDouble['2*w1']));
    expect(Curve.encode(Curve.double(w1))).toEqual(toFp5(addDouble['2*w1']));
  });
});
