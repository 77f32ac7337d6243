import { keccak256, stringToBytes } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import * as Goldilocks from '../../src/venue/Goldilocks.js';
import { diagonal, external, internal } from '../../src/venue/PoseidonConstants.js';
import { describePublished } from '../support/published.js';
import { bigints, type Parameters, published, recorded } from '../support/venueVectors.js';

describe('the constants', () => {
  test('behavior: have not changed', () => {
    const all = [...external.flat(), ...internal, ...diagonal];
    expect(all).toHaveLength(8 * 12 + 22 + 12);
    expect(new Set(all).size).toBe(all.length);
    expect(all.every((constant) => constant > 0n && constant < Goldilocks.p)).toBe(true);
    expect(keccak256(stringToBytes(all.join()))).toMatchInlineSnapshot(
      `"0x30067fa4d769209d3baa8eb4c69b731df29452f831e6be0549ccb04a090fce1e"`,
    );
  });

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
