import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Fp from '../../../../src/sandbox/venue/crypto/Fp.js';

const element = fc.bigInt({ min: 1n, max: Fp.p - 1n });

describe('from', () => {
  test('default', () => {
    expect(Fp.from(Fp.p)).toBe(0n);
    expect(Fp.from(5n)).toBe(5n);
  });

  test('behavior: reduces negative numbers', () => {
    expect(Fp.from(-1n)).toBe(Fp.p - 1n);
  });
});

describe('inverse', () => {
  test('behavior: the product with the element is 1', () => {
    fc.assert(fc.property(element, (a) => (a * Fp.inverse(a)) % Fp.p === 1n));
  });
});

describe('squareRoot', () => {
  test('behavior: its square is the element, if a root exists', () => {
    fc.assert(
      fc.property(element, (a) => {
        const root = Fp.squareRoot((a * a) % Fp.p);
        return root === a || root === Fp.p - a;
      }),
    );
    fc.assert(fc.property(element, (a) => (Fp.squareRoot(a) !== undefined) === Fp.isSquare(a)));
  });
});
