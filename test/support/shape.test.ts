import { describe, expect, test } from 'vitest';
import * as Shape from './shape.js';

const plain = (shape: Shape.Shape) => Object.fromEntries([...shape].map(([path, types]) => [path, [...types].sort()]));

describe('from', () => {
  test('default', () => {
    expect(plain(Shape.from({ a: 1, b: [{ c: 'x' }, { c: null, d: true }] }))).toEqual({
      '': ['object'],
      a: ['number'],
      b: ['array'],
      'b[]': ['object'],
      'b[].c': ['null', 'string'],
      'b[].d': ['boolean'],
    });
  });

  test('behavior: several values are merged', () => {
    expect(plain(Shape.from({ a: 1 }, { a: '1', b: [] }))).toEqual({
      '': ['object'],
      a: ['number', 'string'],
      b: ['array'],
    });
  });

  test('error: what JSON does not have', () => {
    expect(() => Shape.from({ a: undefined })).toThrow('undefined is no JSON type');
  });
});

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
