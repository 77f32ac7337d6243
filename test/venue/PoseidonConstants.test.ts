import { describe, expect, test } from 'vitest';
import { diagonal, external, internal } from '../../src/venue/PoseidonConstants.js';
import { describePublished } from '../support/published.js';
import { bigints, type Parameters, published, recorded } from '../support/venueVectors.js';

describe('the constants', () => {
  test('default: as recorded', () => {
    expectTheSame(recorded.parameters);
  });
});

describePublished('the published constants', () => {
  test('default', () => {
    expectTheSame(published().params);
  });
});

function expectTheSame({ poseidon2 }: Parameters): void {
  expect(external).toEqual(poseidon2.externalConstants.map(bigints));
  expect(internal).toEqual(bigints(poseidon2.internalConstants));
  expect(diagonal).toEqual(bigints(poseidon2.internalDiagonalHex));
}
