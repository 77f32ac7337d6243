import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Goldilocks from '../../src/venue/Goldilocks.js';
import { recorded } from '../support/venueVectors.js';

const { p } = Goldilocks;
const element = fc.oneof(
  fc.bigInt({ min: 0n, max: p - 1n }),
  fc.constantFrom(0n, 1n, p - 1n, 2n ** 32n, p - 2n ** 32n),
);

describe('p', () => {
  test('default', () => {
    expect(p).toBe(BigInt(recorded.parameters.p));
    expect(p).toBe(2n ** 64n - 2n ** 32n + 1n);
  });
});

describe('from', () => {
  test('behavior: any integer', () => {
    fc.assert(
      fc.property(element, fc.bigInt({ min: -9n, max: 9n }), (each, times) => {
        expect(Goldilocks.from(each + times * p)).toBe(each);
      }),
    );
  });
});

describe('inverse', () => {
  test('default', () => {
    expect(Goldilocks.inverse(0n)).toBe(0n);
    fc.assert(
      fc.property(element, (each) => {
        expect((Goldilocks.inverse(each) * each) % p).toBe(each === 0n ? 0n : 1n);
      }),
    );
  });
});

describe('squareRoot', () => {
  test('behavior: every square has a root', () => {
    fc.assert(
      fc.property(element, (each) => {
        const square = (each * each) % p;
        expect(Goldilocks.isSquare(square)).toBe(true);
        expect([each, Goldilocks.from(-each)]).toContain(Goldilocks.squareRoot(square));
      }),
    );
  });

  test('behavior: seven times a square has no root', () => {
    fc.assert(
      fc.property(element, (each) => {
        fc.pre(each !== 0n);
        const other = (7n * each * each) % p;
        expect(Goldilocks.isSquare(other)).toBe(false);
        expect(Goldilocks.squareRoot(other)).toBeUndefined();
      }),
    );
  });

  test('behavior: roots of one whose order is a high power of two', () => {
    let unit = Goldilocks.power(7n, 2n ** 32n - 1n);
    for (let order = 32; order > 0; order--) {
      const root = Goldilocks.squareRoot((unit * unit) % p) ?? 0n;
      expect((root * root) % p).toBe((unit * unit) % p);
      unit = (unit * unit) % p;
    }
    expect(unit).toBe(1n);
  });
});

describe('toBytes and fromBytes', () => {
  test('default', () => {
    expect(Goldilocks.toBytes([1n, p - 1n])).toEqual(
      new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]),
    );
  });

  test('behavior: round-trips, also within a larger buffer', () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 6 }), (elements) => {
        const bytes = Goldilocks.toBytes(elements);
        const within = new Uint8Array([1, 2, 3, ...bytes, 4]).subarray(3, 3 + bytes.length);
        expect(Goldilocks.fromBytes(within)).toEqual(elements);
      }),
    );
  });

  test('error: elements not below p, or trailing bytes', () => {
    const bytes = Goldilocks.toBytes([0n, p - 1n]);
    for (const number of [p, p + 1n, 2n ** 64n - 1n]) {
      const spoilt = bytes.slice();
      new DataView(spoilt.buffer).setBigUint64(8, number, true);
      expect(Goldilocks.fromBytes(spoilt)).toBeUndefined();
    }
    expect(Goldilocks.fromBytes(bytes.subarray(1))).toBeUndefined();
  });
});
