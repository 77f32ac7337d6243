import { describe, expect, test } from 'vitest';
import * as Fp5 from '../../../../src/sandbox/venue/crypto/Fp5.js';
import * as Poseidon2 from '../../../../src/sandbox/venue/crypto/Poseidon2.js';
import { describePublished, read as readPublished } from '../../../support/published.js';
import { hex, recorded } from '../../../support/venueVectors.js';

describe('hash', () => {
  test.each(recorded.poseidon2)('behavior: $input.length elements', ({ input, output5Hex }) => {
    expect(hex(Fp5.toBytes(Poseidon2.hash(input.map(BigInt))))).toBe(output5Hex);
  });
});

describePublished('the published permutations', () => {
  test('default', () => {
    const { poseidon2 } = readPublished('venue-vectors.json') as {
      poseidon2: { permute: readonly { in: readonly string[]; out: readonly string[] }[] };
    };
    for (const row of poseidon2.permute) expect(Poseidon2.permute(row.in.map(BigInt))).toEqual(row.out.map(BigInt));
  });
});
