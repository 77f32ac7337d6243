import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Signature from '../../../src/sandbox/storage/Signature.js';

describe('mayHave', () => {
  test('default: whatever is in a set is found, in any case', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (words) => {
        const signature = Signature.of(words);
        return words.every((word) => Signature.mayHave(signature, 0, Signature.of([word.toUpperCase().toLowerCase()])));
      }),
    );
  });

  test('behavior: of a few words, almost nothing else is found', () => {
    const signature = Signature.of(Array.from({ length: 16 }, (_, at) => `user=${at}`));
    const others = Array.from({ length: 10_000 }, (_, at) => Signature.of([`user=other ${at}`]));
    expect(others.filter((other) => Signature.mayHave(signature, 0, other)).length).toBeLessThan(200);
  });
});

describe('hash', () => {
  test('default: both halves differ, whatever the text', () => {
    const halves = Array.from({ length: 50_000 }, (_, at) => Signature.hash(`0x1790000000${at.toString(16)}`));
    expect(new Set(halves.map(([first]) => first)).size).toBeGreaterThan(49_990);
    expect(new Set(halves.map((pair) => pair.join())).size).toBe(50_000);
    expect(Signature.hash('0xAB')).toEqual(Signature.hash('0xab'));
  });
});
