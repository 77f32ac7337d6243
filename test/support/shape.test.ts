import { describe, expect, test } from 'vitest';
import * as Shape from './shape.js';

describe('differences', () => {
  const differences = (value: unknown, ...expected: unknown[]) =>
    Shape.differences(Shape.from(value), Shape.from(...expected));

  test('default', () => {
    expect(differences({ a: 1, b: 'x', more: true }, { a: 2, b: 'y' })).toEqual([]);
  });

  test('behavior: a missing key, once, and not what would be inside it', () => {
    expect(differences({ a: 1 }, { a: 1, b: { c: { d: 1 } } })).toEqual([
      { path: 'b', expected: ['object'], found: [] },
    ]);
  });

  test('behavior: another type', () => {
    expect(differences({ list: [{ gas: 1 }] }, { list: [{ gas: '1' }] })).toEqual([
      { path: 'list[].gas', expected: ['string'], found: ['number'] },
    ]);
  });

  test('behavior: a null or an empty list shows nothing', () => {
    expect(differences({ a: null, list: [] }, { a: 'x', list: [{ b: 1 }] })).toEqual([]);
    expect(differences({ a: 'x' }, { a: null })).toEqual([]);
  });

  test('behavior: a key that only some elements have is found if any has it', () => {
    expect(differences([{ a: 1 }, { b: 1 }], [{ a: 1, b: 1 }])).toEqual([]);
  });
});
