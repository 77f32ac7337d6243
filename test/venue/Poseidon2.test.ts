import fc from 'fast-check';
import { bytesToHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Goldilocks from '../../src/venue/Goldilocks.js';
import * as Poseidon2 from '../../src/venue/Poseidon2.js';
import { diagonal, external, internal } from '../../src/venue/PoseidonConstants.js';
import { describePublished } from '../support/published.js';
import { bigints, bytes, type Parameters, type Published, published, recorded } from '../support/venueVectors.js';

const { p } = Goldilocks;
const elements = (length: number) =>
  fc.array(fc.bigInt({ min: 0n, max: p - 1n }), { minLength: length, maxLength: length });

describe('constants', () => {
  test('default: as recorded', () => {
    expectTheSame(recorded.parameters);
  });
});

describe('hash', () => {
  test.each(recorded.poseidon2.map((row, index) => ({ ...row, index })))(
    'default: row $index',
    ({ input, output5Hex }) => {
      expect(bytesToHex(Goldilocks.toBytes(Poseidon2.hash(bigints(input)))).slice(2)).toBe(output5Hex);
    },
  );

  test('behavior: no elements give zeros', () => {
    expect(Poseidon2.hash([])).toEqual([0n, 0n, 0n, 0n, 0n]);
  });

  test('behavior: reduces each element modulo p, and depends on every element', () => {
    fc.assert(
      fc.property(elements(14), fc.nat({ max: 13 }), (input, at) => {
        const hash = Poseidon2.hash(input);
        expect(Poseidon2.hash(input.with(at, (input[at] ?? 0n) + p))).toEqual(hash);
        expect(Poseidon2.hash(input.with(at, ((input[at] ?? 0n) + 1n) % p))).not.toEqual(hash);
      }),
      { numRuns: 50 },
    );
  });

  test('behavior: a zero at the end of the first block does not change the hash, as documented', () => {
    expect(Poseidon2.hash([1n])).toEqual(Poseidon2.hash([1n, 0n]));
  });
});

describePublished('the published hashes', () => {
  type Rows = Published['poseidon2'];
  const rows = (): Rows => published().poseidon2;

  test('default: constants', () => {
    expectTheSame(published().params);
  });

  test('default: five elements', () => {
    expect(rows().hashToFp5).toHaveLength(7);
    for (const row of rows().hashToFp5) expect(Poseidon2.hash(bigints(row.in))).toEqual(bigints(row.out));
  });

  test('default: a transaction with attributes', () => {
    for (const { attributes, txHash, attributesHash, resultHex } of published().attributes) {
      const pairs = Object.entries(attributes).flatMap(([type, value]) => [BigInt(type), BigInt(value)]);
      const padded = [...pairs, ...Array.from({ length: 8 - pairs.length }, () => 0n)];
      const hash = Poseidon2.hash(padded);
      if (attributesHash) expect(hash).toEqual(bigints(attributesHash));
      const result = pairs.length === 0 ? bigints(txHash) : Poseidon2.hash([...bigints(txHash), ...hash]);
      expect(Goldilocks.toBytes(result)).toEqual(bytes(resultHex));
    }
  });
});

function expectTheSame({ poseidon2 }: Parameters): void {
  expect(external).toEqual(poseidon2.externalConstants.map(bigints));
  expect(internal).toEqual(bigints(poseidon2.internalConstants));
  expect(diagonal).toEqual(bigints(poseidon2.internalDiagonalHex));
}
